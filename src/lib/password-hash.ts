import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { Slots } from './slots.ts';

// scrypt (RFC 7914) with N = 2^15, r = 8, p = 3: 32 MiB and about 130 ms, in the runtime's own threads.

const COST_LOG2 = 15;
const BLOCK_SIZE = 8;
const PARALLELIZATION = 3;
const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** Two at a time, or the memory of the unit goes. */
const slots = new Slots(2, 16);

/** A hash of a password, with everything that it is compared by; undefined when too many are being hashed. */
export async function hashPassword(password: string): Promise<string | undefined> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(password, salt);
  return hash && ['scrypt', COST_LOG2, BLOCK_SIZE, PARALLELIZATION, encoded(salt), encoded(hash)].join('$');
}

/**
 * Whether a password is the one of a hash. Without a hash it takes as long, and is none.
 *
 * @returns undefined when too many are being hashed
 */
export async function isPassword(password: string, stored: string | undefined): Promise<boolean | undefined> {
  const [, , , , salt = '', hash = ''] = (stored ?? NOBODYS).split('$');
  const derived = await derive(password, Buffer.from(salt, 'base64url'));
  return derived && timingSafeEqual(derived, Buffer.from(hash, 'base64url')) && stored !== undefined;
}

const encoded = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');

const NOBODYS = `scrypt$$$$${encoded(randomBytes(SALT_BYTES))}$${encoded(randomBytes(HASH_BYTES))}`;

const OPTIONS: ScryptOptions = {
  N: 2 ** COST_LOG2,
  r: BLOCK_SIZE,
  p: PARALLELIZATION,
  maxmem: 2 * 128 * BLOCK_SIZE * 2 ** COST_LOG2,
};

const derive = (password: string, salt: Uint8Array): Promise<Buffer | undefined> =>
  slots.take(
    () =>
      new Promise((resolve, reject) => {
        scrypt(password, salt, HASH_BYTES, OPTIONS, (error, hash) => (error ? reject(error) : resolve(hash)));
      }),
  );
