import { randomBytes, scryptSync } from 'node:crypto';

/** A hash of a password as the service stores it, for a thousandth of the time. The service itself cannot create one. */
export function quickHash(password: string): string {
  const salt = randomBytes(16);
  const hash = scryptSync(password, salt, 32, { N: 2 ** 5, r: 8, p: 3 });
  return `scrypt$5$8$3$${salt.toString('base64url')}$${hash.toString('base64url')}`;
}
