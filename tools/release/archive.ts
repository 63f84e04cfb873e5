import { type Access, END, type PackageHeader, packageHeader, paddingAfter } from '../../src/lib/tar.ts';

/** Something that is packed. */
export interface Packed {
  /** Where it is to lie, below the root of the archive. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly isProgram?: boolean;
}

/** An empty folder that others than root use. */
export interface OpenFolder {
  /** With a slash at its end. */
  readonly path: string;
  readonly access: Access;
}

/** A tar, in pieces: the files in the order given, each after the folders that it is in, all of one moment. Open folders come last. */
export function* tarOf(
  files: Iterable<Packed>,
  modifiedAtSeconds: number,
  before = '',
  openFolders: readonly OpenFolder[] = [],
): Generator<Uint8Array> {
  const made = new Set<string>();
  const header = (name: string, bytes: number, kind: PackageHeader['kind']) =>
    packageHeader({ name: `${before}${name}`, bytes, modifiedAtSeconds, kind });
  if (before !== '') yield header('', 0, 'folder');
  for (const { path, bytes, isProgram } of files) {
    for (const folder of foldersOf(path)) {
      if (!made.has(folder)) yield header(folder, 0, 'folder');
      made.add(folder);
    }
    yield header(path, bytes.length, isProgram ? 'program' : 'file');
    yield bytes;
    yield paddingAfter(bytes.length);
  }
  for (const { path, access } of openFolders)
    yield packageHeader({ name: path, bytes: 0, modifiedAtSeconds, kind: 'folder', access });
  yield END;
}

/** The folders that a path leads through, from the top, each with a slash at its end. */
const foldersOf = (path: string): string[] =>
  [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index + 1));

/** What ar puts before each member. */
export function arMember(name: string, bytes: Uint8Array, modifiedAtSeconds: number): Uint8Array {
  const header = [
    name.padEnd(16),
    String(modifiedAtSeconds).padEnd(12),
    ...['0'.padEnd(6), '0'.padEnd(6), '100644'.padEnd(8)],
    String(bytes.length).padEnd(10),
  ].join('');
  const odd = bytes.length % 2 === 1 ? '\n' : '';
  return Buffer.concat([Buffer.from(`${header}\`\n`), bytes, Buffer.from(odd)]);
}

export const AR_MAGIC = Buffer.from('!<arch>\n');
