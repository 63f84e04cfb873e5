import { describe, expect, test } from 'bun:test';
import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import {
  isKeyName,
  NOTE_BYTES_MAX,
  noteSigner,
  openNote,
  parseVerifierKey,
  signNote,
  type VerifierKey,
} from '../../src/lib/signed-note.ts';

/** The example of c2sp.org/signed-note. */
const EXAMPLE = {
  vkey: 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k',
  text: 'This is an example message.\n',
  line: '— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n',
};

/** The keys and signatures of Go's tests for notes (golang.org/x/mod/sumdb/note). */
const GO = {
  /** Its type, then the seed of the private key. */
  typedSeed: 'AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz',
  vkey: 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW',
  text: "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n",
  line: '— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n',
  otherVkey: 'EnochRoot+af0cfe78+ATtqJ7zOtqQtYqOo0CpvDXNlMhV3HeJDpjrASKGLWdop',
  otherLine:
    '— EnochRoot rwz+eBzmZa0SO3NbfRGzPCpDckykFXSdeX+MNtCOXm2/5n2tiOHp+vAF1aGrQ5ovTG01oOTGwnWLox33WWd1RvMc+QQ=\n',
};

const verifier = (vkey: string): VerifierKey => {
  const parsed = parseVerifierKey(vkey);
  if (parsed === undefined) throw new Error(`${vkey} is no key`);
  return parsed;
};
const newSigner = (name: string) => noteSigner(name, generateKeyPairSync('ed25519').privateKey);

describe('a note signed by others', () => {
  test.each([
    ['the example of the specification', EXAMPLE.vkey, EXAMPLE.text, EXAMPLE.line],
    ["the one in Go's tests", GO.vkey, GO.text, GO.line],
    ['with a line of another signer before it', GO.vkey, GO.text, GO.otherLine + GO.line],
    ['with a line of another signer after it', GO.otherVkey, GO.text, GO.line + GO.otherLine],
    ['with 99 lines of others', GO.vkey, GO.text, GO.otherLine.repeat(99) + GO.line],
    ['with lines of unknown types', GO.vkey, GO.text, `— PeterNeumann AAAAAAA=\n${GO.line}`],
  ])('opens: %s', (_, vkey, text, lines) => {
    expect(openNote(Buffer.from(`${text}\n${lines}`), verifier(vkey))).toEqual({ text });
  });

  test.each<[string, string, string | Buffer]>([
    ['unknown_signer', 'by another key', `${GO.text}\n${GO.otherLine}`],
    ['unknown_signer', 'by another key with that name', `${GO.text}\n— PeterNeumann ${'A'.repeat(91)}=\n`],
    ['bad_signature', 'with another text', `${GO.text.replace('your', 'our')}\n${GO.line}`],
    ['bad_signature', 'too short', `${GO.text}\n${GO.line.slice(0, 63)}\n`],
    [
      'bad_signature',
      'with an additional wrong signature',
      `${GO.text}\n${GO.line}${GO.line.replace('x08go/', 'x08go/ABCD')}`,
    ],
    ['malformed', 'without a signature', GO.text],
    ['malformed', 'by an empty line', `${GO.text}\n`],
    ['malformed', 'without a text', GO.line],
    ['malformed', 'without a newline at the end', `${GO.text}\n${GO.line.slice(0, -1)}`],
    ['malformed', 'with a control character', `\u0001${GO.text}\n${GO.line}`],
    ['malformed', 'by a name with a space', `${GO.text}\n${GO.line.replace('rN', 'r N')}`],
    ['malformed', 'by a name with a plus', `${GO.text}\n${GO.line.replace('rN', 'r+N')}`],
    ['malformed', 'with a malformed line', `${GO.text}\n${GO.line}Unexpected line.\n`],
    ['malformed', 'with trailing text in a line', `${GO.text}\n${GO.line.replace('=\n', '= more\n')}`],
    ['malformed', 'with a line of four bytes', `${GO.text}\n${GO.line}— EnochRoot AAAAAA==\n`],
    ['malformed', 'in base64url', `${GO.text}\n${GO.line.replace('/', '_')}`],
    ['malformed', 'by 101 lines', `${GO.text}\n${GO.line.repeat(101)}`],
    ['malformed', 'over 1 MiB', `${'x'.repeat(NOTE_BYTES_MAX)}\n\n${GO.line}`],
    ['malformed', 'in Latin-1', Buffer.from(`é${GO.text}\n${GO.line}`, 'latin1')],
  ])('is refused as %s: %s', (refused, _, note) => {
    expect(openNote(Buffer.from(note), verifier(GO.vkey))).toMatchObject({ refused });
  });
});

test('signing gives the same as Go', () => {
  const der = Buffer.concat([
    Buffer.from('302e020100300506032b657004220420', 'hex'),
    Buffer.from(GO.typedSeed, 'base64').subarray(1),
  ]);
  const signer = noteSigner('PeterNeumann', createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }));
  expect(signer.verifier.vkey).toBe(GO.vkey);
  expect(signNote(GO.text, signer)).toBe(`${GO.text}\n${GO.line}`);
});

test('any signed text opens unchanged, a byte order mark included', () => {
  const signer = newSigner('example.com/ж');
  const marked = '\ufefftext\n';
  expect(openNote(Buffer.from(signNote(marked, signer)), signer.verifier)).toEqual({ text: marked });
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 1 }), { maxLength: 40 }), (characters) => {
      const text = `${characters.map((character) => (character < ' ' ? '\n' : character)).join('')}\n`;
      expect(openNote(Buffer.from(signNote(text, signer)), signer.verifier)).toEqual({ text });
    }),
  );
});

test('a note with any other byte in any place does not open', () => {
  const [signer, text] = [newSigner('a'), 'é\n\nb\n'];
  const note = Buffer.from(signNote(text, signer));
  let opened = 0;
  for (let at = 0; at < note.length; at += 1) {
    for (let other = 0; other < 256; other += 1) {
      const changed = Buffer.from(note);
      changed[at] = other;
      if (!('text' in openNote(changed, signer.verifier))) continue;
      opened += 1;
      expect(other).toBe(note[at] ?? -1);
    }
    expect('text' in openNote(note.subarray(0, at), signer.verifier)).toBe(false);
  }
  expect(opened).toBe(note.length);
});

describe("a verifier's key", () => {
  test('is invalid when a part is missing or any character differs', () => {
    for (let from = 0; from <= GO.vkey.length; from += 1) {
      for (let to = from; to <= GO.vkey.length; to += 1) {
        if (to - from < GO.vkey.length) expect(parseVerifierKey(GO.vkey.slice(from, to))).toBeUndefined();
      }
      for (const other of 'aA0+/= é') {
        const changed = GO.vkey.slice(0, from) + other + GO.vkey.slice(from + 1);
        if (changed !== GO.vkey) expect([changed, parseVerifierKey(changed)]).toEqual([changed, undefined]);
      }
    }
  });

  test('is invalid with another length or type, even with the matching id', () => {
    for (const rest of [
      'cc469956+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TWBADKEY==',
      '173116ae+ZRpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW',
    ])
      expect(parseVerifierKey(`PeterNeumann+${rest}`)).toBeUndefined();
  });
});

test('signing refuses a name, key or text that verifiers refuse', () => {
  for (const name of ['', ' ', 'a b', 'a+b', 'a\u00a0b', 'a\nb', 'a\u202eb', '\ud800']) {
    expect([name, isKeyName(name)]).toEqual([name, false]);
    expect(() => newSigner(name)).toThrow('name');
  }
  expect(() => noteSigner('a', generateKeyPairSync('x25519').privateKey)).toThrow('Ed25519');
  for (const text of ['', 'no end', 'a\tb\n', '\ud800\n', `${'x'.repeat(NOTE_BYTES_MAX)}\n`])
    expect(() => signNote(text, newSigner('a'))).toThrow('text');
});
