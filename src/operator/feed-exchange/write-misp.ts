import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MISP_MANIFEST } from '../../domain/threat/misp.ts';
import { Fault } from '../../lib/fault.ts';
import { layFile } from '../../lib/lay-file.ts';
import { readFileAtMost } from '../../lib/read-file.ts';

/** The changes of the files of a feed. */
export interface WrittenFeed {
  readonly written: number;
  readonly unchanged: number;
  readonly removed: number;
}

/** The name of an event's file. */
const EVENT = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.json$/;
/** A file of an interrupted export. */
const PARTIAL = /\.partial$/;
/** More than an event of a day with all threats that a feed can have. */
const FILE_BYTES_MAX = 32 * 2 ** 20;
const READABLE = 0o644;
const LISTABLE = 0o755;

/**
 * Writes a feed of MISP into a directory, which a web server may be serving meanwhile: each file whole, and the manifest after what it
 * names. Files that are already right are left alone; those of events that no longer exist are removed.
 *
 * @param isOwn whether a manifest or an event with this content is one of this installation
 * @throws Fault for a directory with other content, and what the file system throws
 */
export function writeMisp(
  directory: string,
  files: ReadonlyMap<string, string>,
  isOwn: (name: string, text: string) => boolean,
): WrittenFeed {
  if (!existsSync(directory)) {
    mkdirSync(directory);
    // The umask of a timer's unit may keep a web server out.
    chmodSync(directory, LISTABLE);
  }
  const present = readdirSync(directory);
  const gone = present.filter((name) => EVENT.test(name) && !files.has(name));
  const contentOf = (name: string): string => {
    const path = join(directory, name);
    const bytes = lstatSync(path).isFile() ? readFileAtMost(path, FILE_BYTES_MAX) : undefined;
    return bytes?.toString() ?? '';
  };
  // An interrupted first export leaves events without a manifest.
  const hasManifest = present.includes(MISP_MANIFEST);
  const isUnknown = (name: string) => !files.has(name) && !EVENT.test(name) && !PARTIAL.test(name);
  if (!hasManifest && present.some(isUnknown))
    throw new Fault(`${directory} has other files, but no ${MISP_MANIFEST}. Use an empty directory`);
  const foreign = [...(hasManifest ? [MISP_MANIFEST] : []), ...gone].find(
    (name) => !isOwn(name, contentOf(name)),
  );
  if (foreign !== undefined)
    throw new Fault(
      `${foreign} in ${directory} does not belong to the feed of this installation. Use an empty directory`,
    );
  let written = 0;
  for (const [name, text] of files) {
    const path = join(directory, name);
    if (present.includes(name) && contentOf(name) === text) continue;
    layFile(path, (partial) => {
      writeFileSync(partial, text);
      chmodSync(partial, READABLE);
    });
    written++;
  }
  for (const name of gone) rmSync(join(directory, name), { force: true });
  return { written, unchanged: files.size - written, removed: gone.length };
}
