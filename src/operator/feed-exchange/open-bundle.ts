import { createHash } from 'node:crypto';
import { closeSync } from 'node:fs';
import { bundleIn, type FeedBundle, installationOf } from '../../domain/threat/feed-bundle.ts';
import type { ImportedThreat } from '../../domain/threat/stix.ts';
import { Fault } from '../../lib/fault.ts';
import { keyOf, MINISIGN_HASH, type MinisignKey, minisignKeyIn } from '../../lib/minisign.ts';
import { readAtMost } from '../../lib/read-file.ts';
import { FeedRefused } from '../../mirror/feed-refused.ts';
import { beginningOf, openOrdinaryFile } from '../../storage/signing/ordinary-file.ts';
import { refuseUnsigned, signatureBeside, signedComment } from '../../storage/signing/signature-file.ts';
import type { FeedTrust } from '../../storage/threats/feed-trusts.ts';
import { readThreats } from './read-threats.ts';

/** Whose signature is taken. */
export type Signer = Pick<FeedTrust, 'name' | 'key'>;

/** A bundle that an installation which is trusted has signed. */
export interface OpenedBundle<Trust extends Signer = FeedTrust> {
  readonly bundle: FeedBundle;
  readonly trust: Trust;
  readonly threats: readonly ImportedThreat[];
}

const MIB = 2 ** 20;
/** A threat takes some 100 bytes once compressed. */
const FILE_BYTES_MAX = 64 * MIB;
const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);

/**
 * Reads a bundle. Nothing of it is unpacked or parsed before a trusted key was found to have signed it.
 *
 * @param trusts whose signatures are taken
 * @throws Fault, whose message says of the file what to do
 */
export async function openBundle<Trust extends Signer>(
  path: string,
  trusts: readonly Trust[],
): Promise<OpenedBundle<Trust>> {
  const bytes = bytesOf(path);
  const signature = signatureBeside(path, 'its signature');
  const keys = trusts.flatMap((trust) => {
    const key = minisignKeyOf(trust.key);
    return key ? [{ ...key, trust }] : [];
  });
  const key = keyOf(signature, keys);
  if (key === undefined)
    throw new Fault(
      'it is not signed by a trusted installation. Verify its key, then run "redoubt feed trust add"',
    );
  const bundle = bundleIn(signedComment(signature, key));
  if (bundle === undefined)
    throw new Fault(
      'its signature is valid, but its format is unknown to this redoubt. Update it, or export the feed with an older one',
    );
  if (bundle.installation !== installationOf(key.publicKey))
    throw new Fault(
      `it is signed by the key of ${key.trust.name} but names another installation. Do not use it`,
    );
  refuseUnsigned(createHash(MINISIGN_HASH).update(bytes).digest(), signature, key);
  const threats = await readThreats(bytes).catch((error: unknown) => {
    if (!(error instanceof FeedRefused) || error.why === 'too_large') throw error;
    throw new Fault(`it is signed, but not a feed. Ask ${key.trust.name} for another one`);
  });
  return { bundle, trust: key.trust, threats };
}

/** A public key as `minisign -P` takes it; undefined for what is none. */
export const minisignKeyOf = (text: string): MinisignKey | undefined =>
  minisignKeyIn(`untrusted comment: key\n${text}\n`);

/** Whether a file may be such a bundle, by how it begins. */
export const looksLikeBundle = (path: string): boolean =>
  GZIP_MAGIC.equals(beginningOf(path, GZIP_MAGIC.length));

function bytesOf(path: string): Uint8Array {
  const file = openOrdinaryFile(path);
  try {
    const bytes = readAtMost(file, FILE_BYTES_MAX);
    if (bytes !== undefined) return bytes;
  } finally {
    closeSync(file);
  }
  throw new Fault(`it is larger than ${FILE_BYTES_MAX / MIB} MiB, which no feed is. Do not use it`);
}
