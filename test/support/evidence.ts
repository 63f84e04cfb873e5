import { generateKeyPairSync } from 'node:crypto';
import { checkpointText } from '../../src/domain/evidence/checkpoint.ts';
import {
  type ExportEntry,
  entryLine,
  headerLine,
  type PublicKeySet,
} from '../../src/domain/evidence/export.ts';
import {
  completedBy,
  foldRight,
  leafHash,
  leftHalf,
  nodeHash,
  type Subtree,
  subtreesOf,
} from '../../src/domain/evidence/merkle.ts';
import { consistencySubtrees, inclusionSubtrees } from '../../src/domain/evidence/merkle-proofs.ts';
import { type NoteSigner, noteSigner, signNote } from '../../src/lib/signed-note.ts';

/** A log in memory. */
export interface TestLog {
  readonly texts: readonly Uint8Array[];
  root(size: number): Buffer;
  inclusion(index: number, size: number): Buffer[];
  consistency(first: number, second: number): Buffer[];
}

export function logOf(texts: readonly Uint8Array[]): TestLog {
  const hashes: Buffer[][] = [];
  const at = ({ level, index }: Subtree): Buffer => {
    const hash = hashes[level]?.[index];
    if (hash === undefined) throw new Error(`no subtree ${index} on level ${level}`);
    return hash;
  };
  const put = ({ level, index }: Subtree, hash: Buffer) => {
    hashes[level] ??= [];
    hashes[level][index] = hash;
  };
  for (const [index, text] of texts.entries()) {
    let hash = leafHash(text);
    put({ level: 0, index }, hash);
    for (const subtree of completedBy(index)) {
      hash = nodeHash(at(leftHalf(subtree)), hash);
      put(subtree, hash);
    }
  }
  const fold = (subtrees: readonly Subtree[]) => foldRight(subtrees.map(at));
  return {
    texts,
    root: (size) => fold(subtreesOf(size)),
    inclusion: (index, size) => inclusionSubtrees(index, size).map(fold),
    consistency: (first, second) => consistencySubtrees(first, second).map(fold),
  };
}

export const newLogSigner = (origin = 'example.com/evidence/1'): NoteSigner =>
  noteSigner(origin, generateKeyPairSync('ed25519').privateKey);

/** The text of an entry. */
export const entryText = (data: unknown): string =>
  JSON.stringify({ v: 1, type: 'day', at: '2026-11-22T00:00:00.000Z', nonce: 'AAAA', site_id: null, data });

export const logOfEntries = (count: number): TestLog =>
  logOf(
    Array.from({ length: count }, (_, index) => Buffer.from(entryText({ index, word: 'Größe "x" \\ 😀' }))),
  );

/** The checkpoint that the log's key signs at a size. */
export const signedCheckpoint = (log: TestLog, size: number, signer: NoteSigner): string =>
  signNote(checkpointText({ origin: signer.verifier.name, size, rootHash: log.root(size) }), signer);

interface PageOptions {
  /** The size of the log at the page's checkpoint; the whole log by default. */
  readonly size?: number;
  /** Indexes of its entries; all by default. */
  readonly indexes?: readonly number[];
  readonly forgotten?: readonly number[];
  readonly jwks?: PublicKeySet;
}

/** A page of an export. */
export function exportPage(
  log: TestLog,
  signer: NoteSigner,
  { size = log.texts.length, indexes, forgotten = [], jwks = { keys: [] } }: PageOptions = {},
): string {
  const entries = (indexes ?? Array.from({ length: size }, (_, index) => index)).map((index): ExportEntry => {
    const text = log.texts[index] ?? Buffer.of();
    const proof = log.inclusion(index, size);
    return forgotten.includes(index)
      ? { index, leafHash: leafHash(text), proof }
      : { index, entry: Buffer.from(text).toString(), proof };
  });
  const header = { checkpoint: signedCheckpoint(log, size, signer), vkey: signer.verifier.vkey, jwks };
  return headerLine(header) + entries.map(entryLine).join('');
}

/** A public key for ES256 as published, with the thumbprint of RFC 7638. */
export function publishedKey(): Record<string, string> {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { crv = '', kty = '', x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const kid = new Bun.CryptoHasher('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url');
  return { kty, crv, x, y, kid, alg: 'ES256', use: 'sig' };
}
