import { readFileSync, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { askProgram } from '../lib/ask-program.ts';
import type { Credentials } from '../lib/read-file.ts';

/** Where systemd looks for a credential that has no path of its own (systemd.exec(5), LoadCredential=). */
const STORES = ['/etc/credstore', '/run/credstore', '/usr/local/lib/credstore', '/usr/lib/credstore'];
/** As systemd has it. */
const CREDENTIAL_BYTES_MAX = 1024 * 1024;

/** A unit's file and its drop-ins as one text; undefined where systemd does not know the unit. */
export const readUnitText = (unit: string): string | undefined => askProgram('systemctl', 'cat', '--', unit);

/**
 * The credentials of a unit as they would be loaded if it started now. systemd itself loads them at a start only. Those that
 * are encrypted, or come from a directory or socket, are left out, and so are those that this user cannot read.
 */
export function readUnitCredentials(unitText: string): Credentials {
  const found = [...credentialSources(unitText)].flatMap(([name, path]) => {
    const content = contentOf(path);
    return content === undefined ? [] : [[name, content]];
  });
  return Object.fromEntries(found);
}

/** Paths of credentials by their names; a path is the name itself when the unit gives none. Of one name, the last line counts. */
export function credentialSources(unitText: string): Map<string, string> {
  const sources = new Map<string, string>();
  for (const [, value = ''] of unitText.matchAll(/^\s*LoadCredential\s*=[ \t]*(.*?)\s*$/gm)) {
    const [name = '', ...path] = value.split(':');
    if (name === '') sources.clear();
    else sources.set(name, path.join(':') || name);
  }
  return sources;
}

function contentOf(path: string): string | undefined {
  const candidates = isAbsolute(path) ? [path] : STORES.map((store) => join(store, path));
  try {
    const found = candidates.find((candidate) => {
      const status = statSync(candidate, { throwIfNoEntry: false });
      return status?.isFile() && status.size <= CREDENTIAL_BYTES_MAX;
    });
    return found && readFileSync(found, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EACCES') return undefined;
    throw error;
  }
}
