import { createHash } from 'node:crypto';
import { chmodSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { BUNDLE_LIFE_MS } from '../../domain/signing/purposes.ts';
import { type FeedSnapshot, ownEntries } from '../../domain/threat/feed.ts';
import { bundleComment, type FeedBundle, installationOf } from '../../domain/threat/feed-bundle.ts';
import { stixText } from '../../domain/threat/stix.ts';
import { layFile } from '../../lib/lay-file.ts';
import { MINISIGN_HASH, type MinisignSigner, signMinisign } from '../../lib/minisign.ts';

/** A bundle, ready to be written. */
export interface ExportedFeed extends FeedBundle {
  readonly threats: number;
  readonly bytes: Uint8Array;
  /** The text of the file beside it. */
  readonly signature: string;
}

/**
 * Converts a feed into a bundle for other installations. It contains only threats with enough reporters here, without their
 * identities. The same feed gives the same bytes.
 *
 * @param creations when threats were in the feed first, by their fingerprints
 */
export function exportFeed(
  snapshot: FeedSnapshot,
  signer: MinisignSigner,
  creations: ReadonlyMap<string, number> = new Map(),
): ExportedFeed {
  const { epoch, generatedAt } = snapshot;
  const installation = installationOf(signer.privateKey);
  const entries = ownEntries(snapshot);
  const bundle = { installation, serial: epoch, epoch, expiresAt: generatedAt + BUNDLE_LIFE_MS };
  const bytes = gzipSync(
    stixText(entries, bundle, generatedAt, (fingerprint) => creations.get(fingerprint)),
    { level: 9 },
  );
  const hash = createHash(MINISIGN_HASH).update(bytes).digest();
  const signature = signMinisign(hash, signer, bundleComment(bundle));
  return { ...bundle, threats: entries.length, bytes, signature };
}

/**
 * Writes a bundle, and its signature beside it, for everybody to read: nothing in it is a secret.
 *
 * @throws what the file system throws
 */
export function writeBundle(path: string, { bytes, signature }: ExportedFeed): void {
  for (const [each, content] of [
    [path, bytes],
    [`${path}.minisig`, signature],
  ] as const)
    layFile(each, (partial) => {
      writeFileSync(partial, content);
      chmodSync(partial, 0o644);
    });
}
