import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { type FeedSnapshot, ownEntries } from '../../domain/threat/feed.ts';
import { BUNDLE_LIFE_MS, bundleComment, type FeedBundle } from '../../domain/threat/feed-bundle.ts';
import { stixText } from '../../domain/threat/stix.ts';
import { layFile } from '../../lib/lay-file.ts';
import { MINISIGN_HASH, type MinisignSigner, signMinisign } from '../../lib/minisign.ts';

/** What went into a bundle. */
export interface ExportedFeed extends FeedBundle {
  readonly threats: number;
}

/**
 * Writes a feed as a bundle for other installations, with its signature beside it. It holds what customers of this installation vouch
 * for by themselves, and nothing of who they are. The same feed gives the same bytes.
 *
 * @param installation how others call this one
 * @throws what the file system throws
 */
export function exportFeed(
  path: string,
  snapshot: FeedSnapshot,
  installation: string,
  signer: MinisignSigner,
): ExportedFeed {
  const { epoch, generatedAt } = snapshot;
  const entries = ownEntries(snapshot);
  const bundle = { installation, serial: epoch, epoch, expiresAt: generatedAt + BUNDLE_LIFE_MS };
  const bytes = gzipSync(stixText(entries, bundle, generatedAt), { level: 9 });
  const hash = createHash(MINISIGN_HASH).update(bytes).digest();
  const signature = signMinisign(hash, signer, bundleComment(bundle));
  layFile(path, (partial) => writeFileSync(partial, bytes));
  layFile(`${path}.minisig`, (partial) => writeFileSync(partial, signature));
  return { ...bundle, threats: entries.length };
}
