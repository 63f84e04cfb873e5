import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { Slots } from './slots.ts';

// scrypt (RFC 7914) with N = 2^15, r = 8, p = 3: 32 MiB and about 130 ms, in threads of the runtime.

/** The cost parameters of one hash: N is 2^costLog2. */
interface Cost {
  readonly costLog2: number;
  readonly blockSize: number;
  readonly parallelization: number;
}

/** The cost of new hashes. There is no setting for it. */
const COST: Cost = { costLog2: 15, blockSize: 8, parallelization: 3 };
const MEMORY_BYTES_MAX = 64 * 2 ** 20;
const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** Two at a time, because more could exceed the memory limit of the systemd unit. */
const slots = new Slots(2, 16);

/** Hashes a password; the result includes salt and cost. Undefined if too many are being hashed. */
export async function hashPassword(password: string): Promise<string | undefined> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(password, salt, COST);
  return hash && [...PREFIX, encoded(salt), encoded(hash)].join('$');
}

/**
 * Whether a password matches a hash. Uses the cost stored in the hash, so that old hashes remain valid when the cost changes.
 * Without a hash it takes as long as with a new one, and returns false.
 *
 * @returns undefined if too many are being hashed
 */
export async function isPassword(password: string, stored: string | undefined): Promise<boolean | undefined> {
  const [, costLog2, blockSize, parallelization, salt = '', hash = ''] = (stored ?? DUMMY).split('$');
  const derived = await derive(password, Buffer.from(salt, 'base64url'), {
    costLog2: Number(costLog2),
    blockSize: Number(blockSize),
    parallelization: Number(parallelization),
  });
  return derived && timingSafeEqual(derived, Buffer.from(hash, 'base64url')) && stored !== undefined;
}

const encoded = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');

const PREFIX = ['scrypt', COST.costLog2, COST.blockSize, COST.parallelization];
const DUMMY = [...PREFIX, encoded(randomBytes(SALT_BYTES)), encoded(randomBytes(HASH_BYTES))].join('$');

const optionsOf = ({ costLog2, blockSize, parallelization }: Cost): ScryptOptions => ({
  N: 2 ** costLog2,
  r: blockSize,
  p: parallelization,
  maxmem: MEMORY_BYTES_MAX,
});

const derive = (password: string, salt: Uint8Array, cost: Cost): Promise<Buffer | undefined> =>
  slots.take(
    () =>
      new Promise((resolve, reject) => {
        scrypt(password, salt, HASH_BYTES, optionsOf(cost), (error, hash) =>
          error ? reject(error) : resolve(hash),
        );
      }),
  );
