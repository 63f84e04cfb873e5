import { closeSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { removeAbandoned } from '../../lib/abandoned.ts';
import { NOTE_BYTES_MAX, type NoteRefusal, openNote, type VerifierKey } from '../../lib/signed-note.ts';
import { BLOCK_BYTES, END, paddingAfter, tarHeaderIn } from '../../lib/tar.ts';
import { FeedRefused } from '../feed-refused.ts';
import { type FeedFile, openFeedFile, type View } from '../files/feed-file.ts';
import { copyPart } from './copy-part.ts';
import { MANIFEST_FILE, type Manifest, type ManifestEntry, manifestIn } from './manifest.ts';

/** A feed with its signed facts and its unpacked file. */
export interface BundledFeed extends ManifestEntry {
  /** Temporary file, removed by `discard`. */
  readonly path: string;
}

export interface OpenedBundle {
  /** When it was packed, in milliseconds since the Unix epoch. */
  readonly createdAt: number;
  /** In the order of the bundle. */
  readonly feeds: readonly BundledFeed[];
  discard(): void;
}

/** Names of the directories of processes, to find those of killed processes. */
const PROCESS_DIRECTORY = /^bundle\.([1-9]\d{0,8})\.partial$/;

/**
 * Verifies a bundle's signature, then unpacks its feeds into a temporary directory of this process. A rejected bundle leaves no
 * files. A process can have only one bundle open at a time.
 *
 * @param directory parent of the temporary directory; those left by killed processes are removed
 * @param onBytes receives the bytes read since its last call
 * @throws FeedRefused with a message that says what to do
 */
export function openBundle(
  path: string,
  trusted: VerifierKey,
  directory: string,
  onBytes?: (bytes: number) => void,
): OpenedBundle {
  removeAbandoned(directory, PROCESS_DIRECTORY);
  const target = join(directory, `bundle.${process.pid}.partial`);
  const discard = () => rmSync(target, { recursive: true, force: true });
  const bundle = openFeedFile(path);
  try {
    const { manifest, end } = signedManifest(bundle, trusted);
    refuseOtherSize(bundle, manifest, end);
    mkdirSync(target, { mode: 0o700 });
    return {
      createdAt: manifest.createdAt,
      feeds: unpackFeeds(bundle, manifest, end, target, onBytes),
      discard,
    };
  } catch (error) {
    discard();
    throw error;
  } finally {
    bundle.close();
  }
}

/** The manifest signed by the trusted key, and the offset of the first feed's header. */
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

/** Rejects a bundle whose size differs from the one computed from the manifest, before unpacking. */
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
  target: string,
  onBytes?: (bytes: number) => void,
): BundledFeed[] {
  const view = bundle.window();
  let at = end;
  const found = feeds.map((feed) => {
    const header = tarHeaderIn(view(at, BLOCK_BYTES));
    if (header?.name !== feed.file || header.bytes !== feed.bytes) throw unlisted();
    const path = join(target, feed.file);
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
