import { describe, expect, test } from 'bun:test';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { type Chunks, decryptBy, encryptFor, identitiesIn, isAgeFile } from '../../src/lib/age-file.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const hasAge = spawnSync('age', ['--version']).status === 0;
const mustHaveAge = process.env.CI === 'true';
if (!hasAge) console.warn("the comparison with age's own tool is skipped: it needs age");

const [IDENTITY, OTHER] = await Promise.all([generateX25519Identity(), generateX25519Identity()]);

const PLAIN = Buffer.from(Array.from({ length: 300_000 }, (_, at) => at % 251));

async function* inPieces(bytes: Uint8Array, length = 65_537): Chunks {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}
async function collected(chunks: Chunks): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(Uint8Array.from(chunk));
  return Buffer.concat(all);
}
const encrypted = async (bytes = PLAIN) =>
  collected((await encryptFor([await identityToRecipient(IDENTITY)]))(inPieces(bytes)));
const decrypted = async (bytes: Uint8Array, identity = IDENTITY) =>
  collected((await decryptBy([identity]))(inPieces(bytes)));

test('text encrypted for a recipient opens with its identity only', async () => {
  const file = await encrypted();
  expect(isAgeFile(file)).toBe(true);
  expect(file.includes(PLAIN.subarray(0, 64))).toBe(false);
  expect((await decrypted(file)).equals(PLAIN)).toBe(true);
  await expect(decrypted(file, OTHER)).rejects.toThrow('no identity can decrypt it');
});

test('an altered or truncated file is refused, at any position', async () => {
  const file = await encrypted();
  for (const at of [file.length - 1, file.length - 70_000, 250]) {
    const altered = Buffer.from(file);
    altered[at] = (altered[at] ?? 0) ^ 1;
    await expect(decrypted(altered)).rejects.toThrow(/altered or truncated/);
  }
  await expect(decrypted(file.subarray(0, -20))).rejects.toThrow(/altered or truncated/);
});

test('an endless header is not collected', async () => {
  let taken = 0;
  const endless = async function* (): Chunks {
    yield Buffer.from('age-encryption.org/v1\n');
    for (;;) {
      taken += 1_024;
      yield Buffer.alloc(1_024, 'a');
    }
  };
  await expect(collected((await decryptBy([IDENTITY]))(endless()))).rejects.toThrow('not a valid age file');
  expect(taken).toBeLessThan(200_000);
});

test('a malformed recipient or identity is refused, and an identity is not repeated', async () => {
  await expect(encryptFor(['age1nonsense'])).rejects.toThrow('"age1nonsense" is not an age recipient');
  const refusal = await decryptBy(['AGE-SECRET-KEY-1NONSENSE']).catch((error: Error) => error.message);
  expect(refusal).toMatch(/not an age identity/);
  expect(refusal).not.toContain('NONSENSE');
});

test('an identity file is read as age-keygen writes it', () => {
  expect(identitiesIn(`# created: 2026\n# public key: age1x\n${IDENTITY}\n\n`)).toEqual([IDENTITY]);
});

describe.if(hasAge || mustHaveAge)('the age program', () => {
  const inFolder = (name: string, content: Uint8Array | string) => {
    const path = join(temporaryDirectory(), name);
    writeFileSync(path, content);
    return path;
  };

  test('opens files that Redoubt encrypted', async () => {
    const opened = execFileSync('age', [
      '-d',
      '-i',
      inFolder('key', IDENTITY),
      inFolder('file', await encrypted()),
    ]);
    expect(opened.equals(PLAIN)).toBe(true);
  });

  test('encrypts files that Redoubt opens', async () => {
    const out = join(temporaryDirectory(), 'out');
    execFileSync('age', ['-r', await identityToRecipient(IDENTITY), '-o', out, inFolder('plain', PLAIN)]);
    expect((await decrypted(readFileSync(out))).equals(PLAIN)).toBe(true);
  });
});
