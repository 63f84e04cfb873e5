import { createHmac, randomBytes } from 'node:crypto';
import { base32 } from '../../lib/base32.ts';
import { SECOND_MS } from '../../lib/clock.ts';

// Codes of six digits that change every 30 seconds (RFC 6238 with HMAC-SHA-1), as every authenticator app has them.

const SECRET_BYTES = 20;
/** How long a code is shown. */
export const TOTP_STEP_MS = 30 * SECOND_MS;
const DIGITS = 6;
/** How many periods the two clocks may be apart. */
const DRIFT = 1;
/** How far ahead of the clock the period of an accepted code can begin. */
export const TOTP_AHEAD_MS = DRIFT * TOTP_STEP_MS;

/** As many random bits as RFC 4226 recommends, section 4. */
export const newTotpSecret = (): Uint8Array => randomBytes(SECRET_BYTES);

/** The code of a period, counted from the Unix epoch (RFC 4226, section 5.3). */
export function totpCode(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = mac.readUInt8(mac.length - 1) & 0xf;
  const value = mac.readUInt32BE(offset) & 0x7fff_ffff;
  return String(value % 10 ** DIGITS).padStart(DIGITS, '0');
}

export const totpStep = (nowMs: number): number => Math.floor(nowMs / TOTP_STEP_MS);

/** Whether a text looks like a code. */
export const isTotpCode = (text: string): boolean => /^\d{6}$/.test(text);

/** The period of a code, if it is close enough and later than the last one with an accepted code. */
export function matchingStep(
  secret: Uint8Array,
  code: string,
  nowMs: number,
  lastStep: number | null,
): number | undefined {
  const now = totpStep(nowMs);
  const near = Array.from({ length: 2 * DRIFT + 1 }, (_, index) => now - DRIFT + index);
  return near.find((step) => step > (lastStep ?? -1) && totpCode(secret, step) === code);
}

/** The address that an authenticator app reads from a link or QR code; the name is an operator's. */
export const otpauthAddress = (secret: Uint8Array, name: string): string =>
  `otpauth://totp/Redoubt:${name}?secret=${base32(secret)}&issuer=Redoubt`;
