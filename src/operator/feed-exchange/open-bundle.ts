import { createHash } from 'node:crypto';
import { closeSync, fstatSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { bundleIn, type FeedBundle } from '../../domain/threat/feed-bundle.ts';
import { type ImportedThreat, threatsIn } from '../../domain/threat/stix.ts';
import { Fault } from '../../lib/fault.ts';
import { keyOf, MINISIGN_HASH, type MinisignKey, minisignKeyIn } from '../../lib/minisign.ts';
import type { FeedTrust } from '../../storage/feed-trusts.ts';
import { beginningOf, openOrdinaryFile } from '../../storage/ordinary-file.ts';
import { refuseUnsigned, signatureBeside, signedComment } from '../../storage/signature-file.ts';

/** Whose signature is taken. */
export type Signer = Pick<FeedTrust, 'name' | 'key'>;

/** A bundle that an installation which is trusted has signed. */
export interface OpenedBundle<Trust extends Signer = FeedTrust> {
  readonly bundle: FeedBundle;
  readonly trust: Trust;
  readonly threats: readonly ImportedThreat[];
}

const MIB = 2 ** 20;
/** A threat takes some 800 bytes, and 100 once compressed. */
const FILE_BYTES_MAX = 64 * MIB;
const TEXT_BYTES_MAX = 512 * MIB;
const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);

/**
 * Reads a bundle. Nothing of it is unpacked or parsed before a trusted key was found to have signed it.
 *
 * @param trusts whose signatures are taken
 * @throws Fault, whose message says of the file what to do
 */
export function openBundle<Trust extends Signer>(
  path: string,
  trusts: readonly Trust[],
): OpenedBundle<Trust> {
  const bytes = bytesOf(path);
  const signature = signatureBeside(path, 'its signature');
  const keys = trusts.flatMap((trust) => {
    const key = minisignKeyOf(trust.key);
    return key ? [{ ...key, trust }] : [];
  });
  const key = keyOf(signature, keys);
  if (key === undefined)
    throw new Fault(
      'no installation that is trusted here has signed it: "redoubt feed trust add" lets one be, once its key came by another way',
    );
  const bundle = bundleIn(signedComment(signature, key));
  if (bundle === undefined)
    throw new Fault(
      'its signature is good, but not that of a feed which this redoubt knows: update this one, or export it with an older one',
    );
  refuseUnsigned(createHash(MINISIGN_HASH).update(bytes).digest(), signature, key);
  const threats = threatsIn(textIn(bytes));
  if (threats === undefined)
    throw new Fault(`it is signed, and no feed: ask ${key.trust.name} for another one`);
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
    if (fstatSync(file).size > FILE_BYTES_MAX)
      throw new Fault(`it has more than ${FILE_BYTES_MAX / MIB} MiB, which no feed has: do not use it`);
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

function textIn(bytes: Uint8Array): string {
  try {
    return gunzipSync(bytes, { maxOutputLength: TEXT_BYTES_MAX }).toString();
  } catch {
    throw new Fault(
      `it is not compressed as a feed is, or has more than ${TEXT_BYTES_MAX / MIB} MiB unpacked`,
    );
  }
}
