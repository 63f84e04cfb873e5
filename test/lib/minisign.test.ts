import { describe, expect, test } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { createHash, scryptSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import {
  isCommentSigned,
  isFileSigned,
  keyOf,
  MINISIGN_HASH,
  type MinisignKey,
  minisignKeyIn,
  minisignSignatureIn,
  signMinisign,
} from '../../src/lib/minisign.ts';
import { signingKeyIn } from '../../tools/release/signing-key.ts';
import { newReleaseKey, signFile } from '../support/releases.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import '../support/properties.ts';

const hasMinisign = spawnSync('minisign', ['-v']).status === 0;
const isCi = process.env.CI === 'true';
const minisign = (words: readonly string[], input = '') => {
  const { status, stdout, stderr } = spawnSync('minisign', words, { encoding: 'utf8', input });
  return { status, said: stdout + stderr };
};
const hashOf = (bytes: string | Uint8Array) => createHash(MINISIGN_HASH).update(bytes).digest();

/** The text signed by this key; undefined when the signature is invalid. */
function opened(text: string | Uint8Array, signatureFile: string, publicFile: string): string | undefined {
  const signature = minisignSignatureIn(signatureFile);
  const key = minisignKeyIn(publicFile);
  if (signature === undefined || key === undefined || keyOf(signature, [key]) === undefined) return undefined;
  const isSigned = isCommentSigned(signature, key) && isFileSigned(hashOf(text), signature, key);
  return isSigned ? signature.trustedComment : undefined;
}

const own = newReleaseKey();

test('signed text is returned, and none after a change of any character of the signature', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 200 }),
      fc.string({ unit: fc.constantFrom(...'ab :é€') }),
      fc.nat(),
      (bytes, comment, at) => {
        const file = signMinisign(hashOf(bytes), own.signer, comment);
        expect(opened(bytes, file, own.publicFile)).toBe(comment);
        const beginning = 'untrusted comment: verify with minisign -V, or redoubt verify\n'.length;
        const changedAt = beginning + (at % (file.length - 1 - beginning));
        const other = file[changedAt] === 'A' ? 'B' : 'A';
        const changed = file.slice(0, changedAt) + other + file.slice(changedAt + 1);
        expect(opened(bytes, changed, own.publicFile)).toBeUndefined();
      },
    ),
  );
});

test('a changed file, another key, and another key under this id are refused', () => {
  const file = signMinisign(hashOf('this'), own.signer, 'a comment');
  expect(opened('that', file, own.publicFile)).toBeUndefined();
  expect(opened('this', file, newReleaseKey().publicFile)).toBeUndefined();
  const impostor = { ...newReleaseKey().signer, id: own.signer.id };
  expect(opened('this', signMinisign(hashOf('this'), impostor, 'a comment'), own.publicFile)).toBeUndefined();
});

test.each([
  ['nothing', ''],
  ['a part', signMinisign(hashOf('x'), own.signer, 'c').slice(0, -20)],
  ['more', `${signMinisign(hashOf('x'), own.signer, 'c')}more\n`],
  ['an additional line', signMinisign(hashOf('x'), own.signer, 'c\ntrusted comment: d')],
  ['the older format', signMinisign(hashOf('x'), own.signer, 'c').replace('\nRU', '\nRW')],
])('%s is not a signature', (_, file) => {
  expect(minisignSignatureIn(file)).toBeUndefined();
});

test.each([
  ['nothing', ''],
  ['a secret key', own.secretFile],
  ['a part', own.publicFile.slice(0, -5)],
])('%s is not a public key', (_, file) => {
  expect(minisignKeyIn(file)).toBeUndefined();
});

test('the shipped release keys are two valid keys', () => {
  const keys = ['current', 'next'].map((name) =>
    minisignKeyIn(readFileSync(join(import.meta.dir, `../../src/runtime/release-keys/${name}.pub`), 'utf8')),
  );
  const texts = new Set(keys.map((key: MinisignKey | undefined) => key?.text));
  expect([texts.has(undefined), texts.size]).toEqual([false, 2]);
});

test('a secret key without a password is read; a malformed or damaged one is refused', () => {
  const { id, privateKey } = signingKeyIn(own.secretFile, undefined);
  expect(Buffer.from(id)).toEqual(Buffer.from(own.signer.id));
  expect(privateKey.equals(own.signer.privateKey)).toBe(true);
  expect(() => signingKeyIn(own.publicFile, undefined)).toThrow('it is no secret key of minisign');
  const bytes = Buffer.from(own.secretFile.split('\n')[1] ?? '', 'base64');
  bytes[70] = (bytes[70] ?? 0) ^ 1;
  const damaged = `untrusted comment: x\n${bytes.toString('base64')}\n`;
  expect(() => signingKeyIn(damaged, undefined)).toThrow('it is damaged');
});

/** This secret key, protected by a password with these parameters. */
function protectedKey(password: string, work: number, memoryBytes: number): string {
  const bytes = Buffer.from(own.secretFile.split('\n')[1] ?? '', 'base64');
  bytes.write('Sc', 2);
  bytes.writeBigUInt64LE(BigInt(work), 38);
  bytes.writeBigUInt64LE(BigInt(memoryBytes), 46);
  const stream = scryptSync(password, bytes.subarray(6, 38), 104, { N: 1_024, r: 8, p: 1 });
  for (const [at, byte] of stream.entries()) bytes[54 + at] = (bytes[54 + at] ?? 0) ^ byte;
  return `untrusted comment: x\n${bytes.toString('base64')}\n`;
}

test('a secret key with a password needs it, and no more memory than minisign uses', () => {
  const file = protectedKey('a password', 32_768, 16_777_216);
  expect(signingKeyIn(file, 'a password').privateKey.equals(own.signer.privateKey)).toBe(true);
  expect(() => signingKeyIn(file, undefined)).toThrow('--password-file');
  expect(() => signingKeyIn(file, 'another')).toThrow('this is not its password');
  const greedy = protectedKey('a password', 32_768, 2 ** 40);
  expect(() => signingKeyIn(greedy, 'a password')).toThrow('more memory or work');
});

describe.if(hasMinisign || isCi)("with Debian's minisign", () => {
  const folder = temporaryDirectory();
  const at = (name: string) => join(folder, name);
  writeFileSync(at('file'), 'what is signed\n');

  test("it accepts Redoubt's signatures, and refuses them for changed files", () => {
    writeFileSync(at('own.pub'), own.publicFile);
    signFile(at('file'), own, 'a comment: with words');
    const verify = () => minisign(['-V', '-H', '-p', at('own.pub'), '-m', at('file')]);
    expect(verify()).toEqual({ status: 0, said: expect.stringContaining('a comment: with words') });
    const file = readFileSync(at('file.minisig'), 'utf8');
    writeFileSync(at('file.minisig'), file.replace('with words', 'with swords'));
    expect(verify().status).toBe(1);
  });

  test("it signs with Redoubt's secret key, and Redoubt accepts that", () => {
    writeFileSync(at('own.key'), own.secretFile);
    const signed = minisign([
      '-S',
      '-W',
      '-s',
      at('own.key'),
      '-m',
      at('file'),
      '-t',
      'theirs',
      '-x',
      at('sig'),
    ]);
    expect(signed).toEqual({ status: 0, said: expect.any(String) });
    expect(opened('what is signed\n', readFileSync(at('sig'), 'utf8'), own.publicFile)).toBe('theirs');
  });

  test('Redoubt signs with its secret keys, without a password and with one', () => {
    minisign(['-G', '-W', '-p', at('a.pub'), '-s', at('a.key')]);
    minisign(['-G', '-p', at('b.pub'), '-s', at('b.key')], 'secret\nsecret\n');
    for (const [name, password] of [
      ['a', undefined],
      ['b', 'secret'],
    ] as const) {
      const signer = signingKeyIn(readFileSync(at(`${name}.key`), 'utf8'), password);
      writeFileSync(at('file.minisig'), signMinisign(hashOf(readFileSync(at('file'))), signer, 'ours'));
      expect(minisign(['-V', '-H', '-p', at(`${name}.pub`), '-m', at('file')]).status).toBe(0);
    }
  }, 120_000);
});
