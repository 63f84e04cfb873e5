import { closeSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { removeAbandoned } from '../../lib/abandoned.ts';
import { NOTE_BYTES_MAX, type NoteRefusal, openNote, type VerifierKey } from '../../lib/signed-note.ts';
import { BLOCK_BYTES, END, paddingAfter, tarHeaderIn } from '../../lib/tar.ts';
import { FeedRefused } from '../feed-refused.ts';
import { type FeedFile, openFeedFile, type View } from '../files/feed-file.ts';
import { copyPart } from './copy-part.ts';
import { MANIFEST_FILE, type Manifest, type ManifestEntry, manifestIn } from './manifest.ts';

/** A feed that the bundle's signer vouches for. */
export interface BundledFeed extends ManifestEntry {
  /** A file of our own, until the bundle is discarded. */
  readonly path: string;
}

export interface OpenedBundle {
  /** When it was packed, in milliseconds since the Unix epoch. */
  readonly createdAt: number;
  /** In the order in which they were packed. */
  readonly feeds: readonly BundledFeed[];
  /** Removes the files. */
  discard(): void;
}

/** As a process names its directory, which another one may find. */
const LAID = /^bundle\.([1-9]\d{0,8})\.partial$/;

/**
 * Unpacks the feeds of a bundle, for this process only, if the trusted key signed them all. The signature is checked first, and
 * no file of a rejected bundle is left. A process has one bundle open at a time.
 *
 * @param directory in which to create a directory for them; removes those that killed processes left
 * @param onBytes receives the bytes read since its last call
 * @throws FeedRefused whose message says what to do
 */
export function openBundle(
  path: string,
  trusted: VerifierKey,
  directory: string,
  onBytes?: (bytes: number) => void,
): OpenedBundle {
  removeAbandoned(directory, LAID);
  const laid = join(directory, `bundle.${process.pid}.partial`);
  const discard = () => rmSync(laid, { recursive: true, force: true });
  const bundle = openFeedFile(path);
  try {
    const { manifest, end } = signedManifest(bundle, trusted);
    refuseOtherSize(bundle, manifest, end);
    mkdirSync(laid, { mode: 0o700 });
    return {
      createdAt: manifest.createdAt,
      feeds: unpackFeeds(bundle, manifest, end, laid, onBytes),
      discard,
    };
  } catch (error) {
    discard();
    throw error;
  } finally {
    bundle.close();
  }
}

/** The manifest signed by the trusted key, and the place of the first feed's header. */
function signedManifest(bundle: FeedFile, trusted: VerifierKey): { manifest: Manifest; end: number } {
  const view = bundle.window();
  const header = bundle.bytes < BLOCK_BYTES ? undefined : tarHeaderIn(view(0, BLOCK_BYTES));
  if (header?.name !== MANIFEST_FILE)
    throw new FeedRefused(
      'unrecognised',
      'It is not a bundle of "redoubt vulns pack". Check that it is the right file.',
    );
  if (header.bytes > NOTE_BYTES_MAX)
    throw new FeedRefused('too_large', `Its manifest is larger than ${NOTE_BYTES_MAX} bytes. Do not use it.`);
  const padding = paddingAfter(header.bytes);
  const end = BLOCK_BYTES + header.bytes + padding.length;
  if (end > bundle.bytes) throw truncated();
  const opened = openNote(view(BLOCK_BYTES, header.bytes), trusted);
  if ('refused' in opened) throw untrusted(opened.refused, trusted);
  const manifest = manifestIn(opened.text);
  if (manifest === undefined)
    throw new FeedRefused(
      'malformed',
      'The signed content is not the manifest of a bundle. Pack it with this version.',
    );
  expectBytes(view, end - padding.length, padding);
  return { manifest, end };
}

function untrusted(why: NoteRefusal, { name }: VerifierKey): FeedRefused {
  if (why === 'malformed')
    return new FeedRefused('malformed', 'Its manifest is not a signed note. Copy the bundle again.');
  const found = why === 'unknown_signer' ? 'It is not signed by' : 'Its signature is not that of';
  return new FeedRefused('untrusted', `${found} the key ${name}. Check the key, or do not use the bundle.`);
}

/** A bundle is exactly as long as its manifest says, so another one is rejected before unpacking. */
function refuseOtherSize(bundle: FeedFile, { feeds }: Manifest, end: number): void {
  const bytes = feeds.reduce(
    (sum, feed) => sum + BLOCK_BYTES + feed.bytes + paddingAfter(feed.bytes).length,
    end + END.length,
  );
  if (bundle.bytes < bytes) throw truncated();
  if (bundle.bytes > bytes) throw unlisted();
}

function unpackFeeds(
  bundle: FeedFile,
  { feeds }: Manifest,
  end: number,
  laid: string,
  onBytes?: (bytes: number) => void,
): BundledFeed[] {
  const view = bundle.window();
  let at = end;
  const found = feeds.map((feed) => {
    const header = tarHeaderIn(view(at, BLOCK_BYTES));
    if (header?.name !== feed.file || header.bytes !== feed.bytes) throw unlisted();
    const path = join(laid, feed.file);
    at += BLOCK_BYTES;
    const to = openSync(path, 'wx', 0o600);
    try {
      if (copyPart(bundle, at, feed.bytes, to, onBytes) !== feed.sha256) throw altered(feed.file);
    } finally {
      closeSync(to);
    }
    at += feed.bytes;
    const padding = paddingAfter(feed.bytes);
    expectBytes(view, at, padding);
    at += padding.length;
    return { ...feed, path };
  });
  expectBytes(view, at, END);
  return found;
}

function expectBytes(view: View, position: number, expected: Uint8Array): void {
  const found = view(position, expected.length);
  if (expected.some((byte, at) => byte !== found[at])) throw unlisted();
}

const truncated = (): FeedRefused => new FeedRefused('truncated', 'The bundle is truncated. Copy it again.');

const altered = (file: string): FeedRefused =>
  new FeedRefused('other_content', `${file} in it does not match the signature. Copy the bundle again.`);

const unlisted = (): FeedRefused =>
  new FeedRefused('malformed', 'The bundle contains files that its manifest does not list. Do not use it.');
