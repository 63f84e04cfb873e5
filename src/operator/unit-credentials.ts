import { readFileSync, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { askProgram } from '../lib/ask-program.ts';
import type { Credentials } from '../lib/read-file.ts';

/** Where systemd looks for a credential that has no path of its own (systemd.exec(5), LoadCredential=). */
const STORES = ['/etc/credstore', '/run/credstore', '/usr/local/lib/credstore', '/usr/lib/credstore'];
/** As systemd has it. */
const CREDENTIAL_BYTES_MAX = 1024 * 1024;

/**
 * A unit's file and its drop-ins as one text.
 *
 * @returns undefined where systemd does not know the unit
 * @throws Fault when it does not answer
 */
export const readUnitText = (unit: string): string | undefined => askProgram('systemctl', 'cat', '--', unit);

/**
 * The credentials of a unit as they would be loaded if it started now. systemd itself loads them at a start only. Those that
 * are encrypted, or come from a directory or socket, are left out, and so are those that cannot be read.
 */
export function readUnitCredentials(unitText: string): Credentials {
  const found = [...credentialSources(unitText)].flatMap(([name, path]) => {
    const content = contentOf(path);
    return content === undefined ? [] : [[name, content]];
  });
  return Object.fromEntries(found);
}

/** What the lines of a unit set these keys to, in their order; blanks around it do not count. */
export const unitValues = (unitText: string, ...keys: readonly string[]): string[] =>
  Array.from(unitText.matchAll(/^[ \t]*(\w+)[ \t]*=[ \t]*(.*?)[ \t\r]*$/gm))
    .filter(([, key = '']) => keys.includes(key))
    .map(([, , value = '']) => value);

/** Paths of credentials by their names; a path is the name itself when the unit gives none. Of one name, the last line counts. */
export function credentialSources(unitText: string): Map<string, string> {
  const sources = new Map<string, string>();
  for (const value of unitValues(unitText, 'LoadCredential')) {
    const [name = '', ...rest] = value.split(':');
    const path = rest.join(':') || name;
    // systemd passes over a path that is none, as one with a blank before it is.
    const isPath = isAbsolute(path) || hasSpecifier(path) || !path.includes('/');
    if (value === '') sources.clear();
    else if (name !== '' && isPath) sources.set(name, path);
  }
  return sources;
}

/** Whether only systemd knows what a path is. */
export const hasSpecifier = (path: string): boolean => path.includes('%');

function contentOf(path: string): string | undefined {
  if (hasSpecifier(path)) return undefined;
  const candidates = isAbsolute(path) ? [path] : STORES.map((store) => join(store, path));
  try {
    const found = candidates.find((candidate) => {
      const status = statSync(candidate, { throwIfNoEntry: false });
      return status?.isFile() && status.size <= CREDENTIAL_BYTES_MAX;
    });
    return found && readFileSync(found, 'utf8');
  } catch {
    return undefined;
  }
}
