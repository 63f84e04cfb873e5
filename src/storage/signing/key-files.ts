import type { KeyObject } from 'node:crypto';
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '../../lib/fault.ts';
import { layFile } from '../../lib/lay-file.ts';
import { readFile } from '../../lib/read-file.ts';
import { orUnusable } from '../engine/data-directory.ts';
import { wordsFor } from '../engine/trouble.ts';
import { makeSigningDirectory, signingDirectory } from './signing-directory.ts';

/**
 * The files of keys of one purpose: the private halves, which are stored nowhere else and are never replaced, and marks of
 * revoked keys, which stay when an older database is restored. One file each.
 */
export interface KeyFiles<Key> {
  /** The names of all keys with a stored private half. */
  kept(): readonly string[];
  /** The names of all that are marked as revoked. */
  marked(): readonly string[];
  /**
   * Marks a key as revoked, and removes its private half if there is one.
   *
   * @throws DataDirectoryUnusable
   */
  mark(kid: string): void;
  /**
   * Generates a key and stores it.
   *
   * @throws DataDirectoryUnusable
   */
  make(): Key;
  /**
   * Removes the private half of a key that has signed nothing, or will sign nothing again.
   *
   * @throws DataDirectoryUnusable
   */
  remove(kid: string): void;
  /** @throws Fault when it is missing or damaged, or others could use it */
  read(kid: string): Key;
}

/** The properties of a purpose's keys. */
export interface KeyKind<Key> {
  /** The prefix of their files' names. */
  readonly purpose: string;
  /** The form of their names, as a regular expression. */
  readonly kidPattern: string;
  readonly make: () => Key;
  /** Reads a private key from a PEM file; undefined for other content. */
  readonly parse: (pem: string) => Key | undefined;
}

const OPEN_TO_OTHERS = 0o077;

/** @param keysDir contains `signing/` */
export function keyFiles<Key extends { readonly kid: string; readonly privateKey: KeyObject }>(
  keysDir: string,
  { purpose, kidPattern, make, parse }: KeyKind<Key>,
): KeyFiles<Key> {
  const directory = signingDirectory(keysDir);
  const file = new RegExp(`^${purpose}-(${kidPattern})[.](pem|revoked)$`);
  const pathOf = (kid: string, kind: 'pem' | 'revoked' = 'pem') =>
    join(directory, `${purpose}-${kid}.${kind}`);
  const named = (wanted: string) =>
    orUnusable(`cannot read ${directory}`, () => (existsSync(directory) ? readdirSync(directory) : []))
      .map((name) => file.exec(name) ?? [])
      .flatMap(([, kid, kind]) => (kid !== undefined && kind === wanted ? [kid] : []));
  const remove = (kid: string) =>
    orUnusable(`cannot remove ${pathOf(kid)}`, () => rmSync(pathOf(kid), { recursive: true, force: true }));
  return {
    remove,
    kept: () => named('pem'),
    marked: () => named('revoked'),
    mark(kid) {
      makeSigningDirectory(keysDir);
      const path = pathOf(kid, 'revoked');
      if (!existsSync(path)) orUnusable(`cannot create ${path}`, () => layFile(path, () => {}));
      remove(kid);
    },
    make() {
      const key = make();
      makeSigningDirectory(keysDir);
      const path = pathOf(key.kid);
      const pem = key.privateKey.export({ type: 'pkcs8', format: 'pem' });
      orUnusable(`cannot create ${path}`, () => layFile(path, (partial) => writeFileSync(partial, pem)));
      return key;
    },
    read(kid) {
      const path = pathOf(kid);
      const key = parse(textOf(path));
      if (key?.kid !== kid) throw new Fault(`${path} is damaged`);
      return key;
    },
  };
}

function textOf(path: string): string {
  try {
    if ((statSync(path).mode & OPEN_TO_OTHERS) !== 0)
      throw new Fault(`${path} is open to other users of this host. Run chmod 600 ${path}`);
    return readFile(path);
  } catch (error) {
    if (error instanceof Fault) throw error;
    throw new Fault(`cannot read the key ${path}: ${wordsFor(error)}`);
  }
}
