import { expect, test } from 'bun:test';
import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { chmodSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSigningKey, readSigningKey } from '../../../src/storage/signing/signing-key.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const NAME = 'example.com/feeds';

function madeKey(): { path: string; text: string; vkey: string } {
  const path = join(temporaryDirectory(), 'mirror.key');
  const { vkey } = createSigningKey(path, 'mirror', NAME).verifier;
  return { path, text: readFileSync(path, 'utf8'), vkey };
}

test('a key file is accessible by its owner only, and reads as it was created, also by OpenSSL', () => {
  const { path, vkey } = madeKey();
  expect([statSync(path).mode & 0o777, vkey.split('+')[0]]).toEqual([0o600, NAME]);
  for (const purpose of ['mirror', undefined] as const)
    expect(readSigningKey(path, purpose).verifier.vkey).toBe(vkey);
  const der = execFileSync('openssl', ['pkey', '-in', path, '-pubout', '-outform', 'DER']);
  expect(vkey).toEndWith(`+${Buffer.concat([Buffer.of(1), der.subarray(-32)]).toString('base64')}`);
});

test('a key replaces no file, and a key that cannot be created leaves no file', () => {
  const { path, text } = madeKey();
  expect(() => createSigningKey(path, 'mirror', NAME)).toThrow('the path already exists');
  expect(readFileSync(path, 'utf8')).toBe(text);
  const directory = temporaryDirectory();
  symlinkSync(join(directory, 'elsewhere'), join(directory, 'link'));
  for (const [name, by, why] of [
    ['link', NAME, 'the path already exists'],
    ['no/key', NAME, 'cannot write'],
    ['key', 'a b', 'name'],
  ] as const)
    expect(() => createSigningKey(join(directory, name), 'mirror', by)).toThrow(why);
  expect(readdirSync(directory)).toEqual(['link']);
});

test('a key that other users can access in any way is refused', () => {
  const { path } = madeKey();
  for (const mode of [0o604, 0o602, 0o601, 0o644]) {
    chmodSync(path, mode);
    expect(() => readSigningKey(path)).toThrow(
      `is readable by every user of this host. Run chmod 600 ${path}`,
    );
  }
});

test('a key for another purpose is refused', () => {
  const { path, text } = madeKey();
  writeFileSync(path, text.replace('purpose: mirror', 'purpose: evidence'));
  expect(() => readSigningKey(path, 'mirror')).toThrow('for another purpose than mirror');
});

const other = madeKey();
const x25519 = String(generateKeyPairSync('x25519').privateKey.export({ type: 'pkcs8', format: 'pem' }));
test.each<[string, string, (text: string) => string]>([
  ['its name was changed', 'not a key of', (text) => text.replace(NAME, 'example.org/feeds')],
  ['its vkey belongs to another', 'vkey', (text) => text.replace(/^vkey: .*$/m, `vkey: ${other.vkey}`)],
  ['it has no vkey', 'not a key of', (text) => text.replace(/^vkey: .*\n/m, '')],
  ['it has no purpose', 'not a key of', (text) => text.replace(/^purpose: .*\n/m, '')],
  ['it is truncated', 'not a key of', (text) => text.slice(0, -20)],
  ['it is of another type', 'not a key of', (text) => text.replace(/-----BEGIN.*/s, x25519)],
  ['it is far too long', 'not a key file', (text) => text + ' '.repeat(20_000)],
])('a key is refused when %s, and none of its content is repeated', (_, why, change) => {
  const { path, text } = madeKey();
  writeFileSync(path, change(text));
  const secret = /\n(M[^-]+)\n-/.exec(text)?.[1]?.slice(20, 30) ?? '';
  const reading = () => readSigningKey(path);
  expect(reading).toThrow(why);
  expect(secret).toHaveLength(10);
  expect(reading).not.toThrow(secret);
});

test('a path that is not a file is reported as such', () => {
  expect(() => readSigningKey(temporaryDirectory())).toThrow('not a key file');
  expect(() => readSigningKey(join(temporaryDirectory(), 'nothing'))).toThrow(': no such file');
  const open = join(temporaryDirectory(), 'hostname');
  writeFileSync(open, 'host', { mode: 0o644 });
  expect(() => readSigningKey(open)).toThrow('is not a key of "redoubt keys create"');
});
