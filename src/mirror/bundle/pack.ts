import { chmodSync, closeSync, constants, lstatSync, openSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { SECOND_MS } from '../../lib/clock.ts';
import { Fault } from '../../lib/fault.ts';
import { fileWords, isOfSystem } from '../../lib/file-trouble.ts';
import { layFile } from '../../lib/lay-file.ts';
import { type NoteSigner, signNote } from '../../lib/signed-note.ts';
import { END, MEMBER_BYTES_MAX, paddingAfter, tarHeader } from '../../lib/tar.ts';
import { writeBytes } from '../../lib/write-all.ts';
import { changed, FeedRefused } from '../feed-refused.ts';
import { openFeedFile } from '../files/feed-file.ts';
import { type FeedProgress, readFeed } from '../read-feed.ts';
import { refuseBeside } from '../refuse-beside.ts';
import { copyPart } from './copy-part.ts';
import { FEEDS_MAX, MANIFEST_FILE, type Manifest, type ManifestEntry, manifestText } from './manifest.ts';

export interface PackOptions {
  /** Wall clock, in milliseconds since the Unix epoch. */
  readonly nowMs: number;
  /** Replace an existing file. */
  readonly overwrite?: boolean | undefined;
  /** Like `onProgress` of {@link readFeed}, with the path of the current feed. */
  readonly onProgress?: ((path: string, progress: FeedProgress) => void) | undefined;
}

/** World-readable: bundles contain no secrets. */
const MODE = 0o644;
/** Characters kept of a feed's file name; the end is the most specific part. */
const NAME_CHARACTERS_MAX = 80;

/**
 * Packs feeds into one signed file for an offline host. Reads each feed as an import would, so broken feeds are rejected. Creates
 * the file atomically.
 *
 * @param paths of 1 to 1,000 feeds
 * @returns the signed manifest
 * @throws FeedRefused for an invalid feed, one that cannot be imported together with the others, or one that changes meanwhile;
 * Fault if the bundle cannot be written
 */
export async function packFeeds(
  paths: readonly string[],
  signer: NoteSigner,
  out: string,
  options: PackOptions,
): Promise<Manifest> {
  if (paths.length === 0 || paths.length > FEEDS_MAX)
    throw new Fault(`a bundle takes 1 to ${FEEDS_MAX} feeds, not ${paths.length}`);
  if (!options.overwrite) refuseExisting(out);
  const feeds: ManifestEntry[] = [];
  for (const path of paths) feeds.push(await entryOf(path, feeds, options));
  const manifest = { createdAt: options.nowMs, feeds };
  const note = Buffer.from(signNote(manifestText(manifest), signer));
  if (!options.overwrite) refuseExisting(out);
  try {
    layFile(out, (partial) => write(partial, note, manifest, paths));
  } catch (error) {
    throw unwritable(out, error);
  }
  return manifest;
}

async function entryOf(
  path: string,
  previous: readonly ManifestEntry[],
  options: PackOptions,
): Promise<ManifestEntry> {
  const { nowMs, onProgress } = options;
  const report = (progress: FeedProgress) => onProgress?.(path, progress);
  try {
    const summary = await readFeed(path, () => {}, { nowMs, onProgress: report });
    refuseBeside(summary, previous);
    const { source, format, records, publishedAt, sha256, bytes } = summary;
    if (bytes > MEMBER_BYTES_MAX)
      throw new FeedRefused('too_large', `It is larger than ${MEMBER_BYTES_MAX} bytes. Pack its parts.`);
    const retrievedAt = Math.max(0, Math.floor(statSync(path).mtimeMs));
    // The number makes names unique: archives of different ecosystems often have the same name.
    const file = `${previous.length + 1}-${basename(path)
      .replace(/[^A-Za-z0-9._-]/g, '_')
      .slice(-NAME_CHARACTERS_MAX)}`;
    return { file, source, format, records, publishedAt, sha256, bytes, retrievedAt };
  } catch (error) {
    throw named(path, error);
  }
}

function write(partial: string, note: Uint8Array, manifest: Manifest, paths: readonly string[]): void {
  const to = openSync(partial, constants.O_WRONLY | constants.O_NOFOLLOW);
  try {
    writeBytes(to, headerOf(MANIFEST_FILE, note.length, manifest.createdAt));
    writeBytes(to, note);
    writeBytes(to, paddingAfter(note.length));
    for (const [at, entry] of manifest.feeds.entries()) {
      writeBytes(to, headerOf(entry.file, entry.bytes, entry.retrievedAt));
      copyFeed(paths[at] ?? '', entry, to);
      writeBytes(to, paddingAfter(entry.bytes));
    }
    writeBytes(to, END);
  } finally {
    closeSync(to);
  }
  chmodSync(partial, MODE);
}

const headerOf = (name: string, bytes: number, modifiedAtMs: number): Uint8Array =>
  tarHeader({ name, bytes, modifiedAtSeconds: Math.floor(modifiedAtMs / SECOND_MS) });

/** Copies a feed if it is still the file that was read. */
function copyFeed(path: string, { bytes, sha256 }: ManifestEntry, to: number): void {
  const feed = openFeedFile(path);
  try {
    if (feed.bytes !== bytes || copyPart(feed, 0, bytes, to) !== sha256) throw changed();
  } catch (error) {
    throw named(path, error);
  } finally {
    feed.close();
  }
}

function refuseExisting(out: string): void {
  if (lstatSync(out, { throwIfNoEntry: false }) !== undefined)
    throw new Fault(`${out} already exists. Use another name, or --force to replace it`);
}

/** Adds the path to a refusal. */
const named = (path: string, error: unknown): unknown =>
  error instanceof FeedRefused ? new FeedRefused(error.why, `${path}: ${error.message}`) : error;

function unwritable(out: string, error: unknown): unknown {
  return isOfSystem(error) ? new Fault(`cannot write ${out}: ${fileWords(error)}`) : error;
}
