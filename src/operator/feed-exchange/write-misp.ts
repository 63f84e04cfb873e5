import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MISP_MANIFEST } from '../../domain/threat/misp.ts';
import { Fault } from '../../lib/fault.ts';
import { layFile } from '../../lib/lay-file.ts';

/** What became of the files of a feed. */
export interface WrittenFeed {
  readonly written: number;
  readonly unchanged: number;
  readonly removed: number;
}

/** The name of an event's file. */
const EVENT = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.json$/;
const READABLE = 0o644;
const LISTABLE = 0o755;

/**
 * Writes a feed of MISP into a directory, which a web server may be serving meanwhile: each file whole, and the manifest after what it
 * names. Files that are already right are left alone; those of events that no longer exist are removed.
 *
 * @throws Fault for a directory with other content, and what the file system throws
 */
export function writeMisp(directory: string, files: ReadonlyMap<string, string>): WrittenFeed {
  if (!existsSync(directory)) mkdirSync(directory, { mode: LISTABLE });
  const present = readdirSync(directory);
  if (present.length > 0 && !present.includes(MISP_MANIFEST))
    throw new Fault(`${directory} has other files, but no ${MISP_MANIFEST}. Use an empty directory`);
  let written = 0;
  for (const [name, text] of files) {
    const path = join(directory, name);
    if (present.includes(name) && readFileSync(path, 'utf8') === text) continue;
    layFile(path, (partial) => {
      writeFileSync(partial, text);
      chmodSync(partial, READABLE);
    });
    written++;
  }
  const gone = present.filter((name) => EVENT.test(name) && !files.has(name));
  for (const name of gone) rmSync(join(directory, name), { force: true });
  return { written, unchanged: files.size - written, removed: gone.length };
}
