import { createHash } from 'node:crypto';

/**
 * The thumbprint of a public key (RFC 7638): the SHA-256 hash of its members sorted by name, in base64url.
 *
 * @param members exactly those that the key type requires, in ASCII
 */
export const jwkThumbprint = (members: Readonly<Record<string, string>>): string =>
  createHash('sha256')
    .update(JSON.stringify(Object.fromEntries(Object.entries(members).sort(byName))))
    .digest('base64url');

const byName = ([a]: [string, string], [b]: [string, string]): number => (a < b ? -1 : 1);
