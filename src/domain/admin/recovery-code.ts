import { hash, randomBytes } from 'node:crypto';
import { base32 } from '../../lib/base32.ts';
import { removeInvisible } from '../../lib/trim-invisible.ts';

const CODES = 10;
const CODE_BYTES = 10;
/** Crockford's digits, which have no I, L, O and U. */
const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';

/** New codes of 80 random bits, such as `0f3k-9xzt-71ab-c2de`. Each replaces the app's code once. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: CODES }, () =>
    (base32(randomBytes(CODE_BYTES), DIGITS).match(/.{4}/g) ?? []).join('-'),
  );

/** The stored hash of a code, in any spelling; undefined for an invalid one. */
export function hashRecoveryCode(typed: string): string | undefined {
  const code = removeInvisible(typed)
    .toLowerCase()
    .replaceAll('-', '')
    .replaceAll('o', '0')
    .replace(/[il]/g, '1');
  if (!/^[0-9a-hjkmnp-tv-z]{16}$/.test(code)) return undefined;
  return hash('sha256', `redoubt-recovery-code-v1\n${code}`, 'base64url');
}
