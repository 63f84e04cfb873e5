import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { hashRecoveryCode, newRecoveryCodes } from '../../../src/domain/admin/recovery-code.ts';
import { openSecret, sealSecret } from '../../../src/domain/admin/sealed-secret.ts';
import { matchingStep, otpauthAddress, totpCode, totpStep } from '../../../src/domain/admin/totp.ts';
import { base32 } from '../../../src/lib/base32.ts';

const RFC_SECRET = Buffer.from('12345678901234567890');
const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });

describe('a code', () => {
  // RFC 6238, appendix B, for SHA-1, with the last six digits.
  test.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('at %p seconds is that of RFC 6238', (seconds, code) => {
    expect(totpCode(RFC_SECRET, totpStep(seconds * 1_000))).toBe(code);
  });

  test('is accepted in its period and the adjacent ones, unless it or a later one was used', () => {
    fc.assert(
      fc.property(
        bytes(20),
        fc.integer({ min: 10, max: 2 ** 36 }),
        fc.integer({ min: -3, max: 3 }),
        fc.option(fc.integer({ min: -3, max: 3 })),
        (secret, now, at, last) => {
          const near = Array.from({ length: 7 }, (_, index) => totpCode(secret, now - 3 + index));
          fc.pre(new Set(near).size === near.length);
          const lastStep = last === null ? null : now + last;
          const isGood = Math.abs(at) <= 1 && (lastStep === null || now + at > lastStep);
          const step = matchingStep(secret, totpCode(secret, now + at), now * 30_000 + 29_999, lastStep);
          expect(step).toBe(isGood ? now + at : undefined);
        },
      ),
    );
  });
});

test('Base32 is that of RFC 4648, and an app reads the secret from the link', () => {
  const texts = ['', 'f', 'fo', 'foo', 'foob', 'fooba', 'foobar'].map((text) => base32(Buffer.from(text)));
  expect(texts).toEqual(['', 'MY', 'MZXQ', 'MZXW6', 'MZXW6YQ', 'MZXW6YTB', 'MZXW6YTBOI']);
  expect(otpauthAddress(RFC_SECRET, 'alice')).toBe(
    'otpauth://totp/Redoubt:alice?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Redoubt',
  );
});

describe('a sealed secret', () => {
  const [key, other] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
  test('opens with its key for its operator only', () => {
    fc.assert(
      fc.property(bytes(20), fc.nat(), (secret, id) => {
        const sealed = sealSecret(key, id, secret);
        expect(openSecret(key, id, sealed)).toEqual(Buffer.from(secret));
        expect(openSecret(other, id, sealed)).toBeUndefined();
        expect(openSecret(key, id + 1, sealed)).toBeUndefined();
      }),
    );
  });

  test('that is damaged, truncated or foreign is invalid', () => {
    const sealed = sealSecret(key, 1, RFC_SECRET);
    const damaged = `${sealed.slice(0, 20)}${sealed[20] === 'A' ? 'B' : 'A'}${sealed.slice(21)}`;
    for (const text of [damaged, sealed.slice(0, -4), sealed.slice(4), '', 'x', 'é'.repeat(60)])
      expect(openSecret(key, 1, text)).toBeUndefined();
  });
});

test('recovery codes are ten, of 80 bits, without look-alikes, and recognised in any spelling', () => {
  const codes = newRecoveryCodes();
  expect(new Set(codes).size).toBe(10);
  for (const code of codes) {
    expect(code).toMatch(/^([0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/);
    const typed = ` ${code.toUpperCase().replaceAll('-', ' ').replaceAll('0', 'O').replaceAll('1', 'l')}`;
    expect(hashRecoveryCode(typed)).toBe(hashRecoveryCode(code) as string);
  }
  for (const text of ['', '123456', `${codes[0]}0`, codes[0]?.slice(1) ?? '', 'u'.repeat(16)])
    expect(hashRecoveryCode(text)).toBeUndefined();
});
