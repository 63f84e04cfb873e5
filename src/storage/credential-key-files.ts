import { generateKeyPairSync } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSigningKey, type SigningKey, signingKeyOf } from '../domain/credential/signing.ts';
import { Fault } from '../lib/fault.ts';
import { layFile } from '../lib/lay-file.ts';
import { orUnusable } from './engine/data-directory.ts';
import { wordsFor } from './engine/trouble.ts';
import { makeSigningDirectory, signingDirectory } from './signing-directory.ts';

/**
 * What is kept of keys that sign credentials beside the database: the private halves, which are nowhere else and are never
 * replaced, and marks of those that were revoked, which stay when an older database is put back. A file each.
 */
export interface CredentialKeyFiles {
  /** The names of all whose private half is kept. */
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
   * Makes a key and keeps it.
   *
   * @throws DataDirectoryUnusable
   */
  make(): SigningKey;
  /**
   * Removes the private half of a key that nothing was signed with, or is to be any more.
   *
   * @throws DataDirectoryUnusable
   */
  remove(kid: string): void;
  /** @throws Fault when there is none, it is damaged, or others could use it */
  read(kid: string): SigningKey;
}

const OPEN_TO_OTHERS = 0o077;
const FILE = /^credential-([A-Za-z0-9_-]{43})[.](pem|revoked)$/;

export function credentialKeyFiles(dataDir: string): CredentialKeyFiles {
  const directory = signingDirectory(dataDir);
  const pathOf = (kid: string, kind: 'pem' | 'revoked' = 'pem') =>
    join(directory, `credential-${kid}.${kind}`);
  const named = (wanted: string) =>
    orUnusable(`${directory} cannot be read`, () => (existsSync(directory) ? readdirSync(directory) : []))
      .map((name) => FILE.exec(name) ?? [])
      .flatMap(([, kid, kind]) => (kid !== undefined && kind === wanted ? [kid] : []));
  const remove = (kid: string) =>
    orUnusable(`${pathOf(kid)} cannot be removed`, () =>
      rmSync(pathOf(kid), { recursive: true, force: true }),
    );
  return {
    remove,
    kept: () => named('pem'),
    marked: () => named('revoked'),
    mark(kid) {
      makeSigningDirectory(dataDir);
      const path = pathOf(kid, 'revoked');
      if (!existsSync(path)) orUnusable(`${path} cannot be made`, () => layFile(path, () => {}));
      remove(kid);
    },
    make() {
      const key = newKey();
      makeSigningDirectory(dataDir);
      const path = pathOf(key.kid);
      const pem = key.privateKey.export({ type: 'pkcs8', format: 'pem' });
      orUnusable(`${path} cannot be made`, () => layFile(path, (partial) => writeFileSync(partial, pem)));
      return key;
    },
    read(kid) {
      const path = pathOf(kid);
      const key = parseSigningKey(textOf(path));
      if (key?.kid !== kid) throw new Fault(`${path} is damaged`);
      return key;
    },
  };
}

/** Its name does not begin as an option of a command does. */
function newKey(): SigningKey {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = signingKeyOf(privateKey);
  return key === undefined || key.kid.startsWith('-') ? newKey() : key;
}

function textOf(path: string): string {
  try {
    if ((statSync(path).mode & OPEN_TO_OTHERS) !== 0)
      throw new Fault(`${path} is open to other users of this host: chmod 600 ${path}`);
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Fault) throw error;
    throw new Fault(`the key ${path} cannot be read, because ${wordsFor(error)}`);
  }
}
