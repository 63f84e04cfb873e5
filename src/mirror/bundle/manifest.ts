import { iso, isoOrNull } from '../../lib/clock.ts';
import { MEMBER_BYTES_MAX } from '../../lib/tar.ts';
import { FEED_FORMATS, type FeedFormat } from '../facts.ts';
import { momentOf } from '../formats/dates.ts';
import { isObject, type JsonObject } from '../formats/fields.ts';

/** Name of a bundle's first member: a signed note with the size and SHA-256 of all others. */
export const MANIFEST_FILE = 'manifest';
/** Maximum number of feeds in a bundle; the manifest then stays far below the size limit of a note. */
export const FEEDS_MAX = 1_000;
/** First line of the signed text, so that no other signed text is accepted as a manifest. */
const ORIGIN = 'redoubt.mirror.bundle/v1';

/** The signed facts of one feed. */
export interface ManifestEntry {
  /** File name in the bundle. */
  readonly file: string;
  /** Recognised at packing; see {@link FeedSource} for this and the next three. */
  readonly source: string;
  readonly format: FeedFormat;
  readonly records: number;
  readonly publishedAt: number | null;
  /** SHA-256 of the file as stored, in lower-case hexadecimal. */
  readonly sha256: string;
  readonly bytes: number;
  /** Modification time of the file when it was packed, in milliseconds since the Unix epoch. */
  readonly retrievedAt: number;
}

export interface Manifest {
  /** In milliseconds since the Unix epoch. */
  readonly createdAt: number;
  /** 1 to {@link FEEDS_MAX}, in the order of the bundle. */
  readonly feeds: readonly ManifestEntry[];
}

/** Valid in a tar archive and as a file name, without path traversal. */
const FILE = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
const SOURCE = /^[!-~]{1,128}$/;
const SHA_256 = /^[0-9a-f]{64}$/;

/** Formats the text to be signed: the origin, then indented JSON. */
export function manifestText({ createdAt, feeds }: Manifest): string {
  const content = {
    created_at: iso(createdAt),
    feeds: feeds.map(({ publishedAt, retrievedAt, ...entry }) => ({
      ...entry,
      published_at: isoOrNull(publishedAt),
      retrieved_at: iso(retrievedAt),
    })),
  };
  return `${ORIGIN}\n${JSON.stringify(content, null, 2)}\n`;
}

/** Parses a manifest; undefined for an invalid one. Ignores unknown fields. */
export function manifestIn(text: string): Manifest | undefined {
  if (!text.startsWith(`${ORIGIN}\n`)) return undefined;
  const content = jsonIn(text.slice(ORIGIN.length));
  if (!isObject(content) || !Array.isArray(content.feeds)) return undefined;
  const createdAt = momentOf(content.created_at);
  const feeds = content.feeds.map(entryIn).filter((entry) => entry !== undefined);
  const names = new Set([MANIFEST_FILE, ...feeds.map(({ file }) => file)]);
  const isWhole =
    feeds.length === content.feeds.length &&
    feeds.length > 0 &&
    feeds.length <= FEEDS_MAX &&
    names.size === 1 + feeds.length;
  return createdAt !== null && isWhole ? { createdAt, feeds } : undefined;
}

function entryIn(entry: unknown): ManifestEntry | undefined {
  const fields: JsonObject = isObject(entry) ? entry : {};
  const { file, source, sha256, bytes, records } = fields;
  const format = FEED_FORMATS.find((known) => known === fields.format);
  const publishedAt = momentOf(fields.published_at);
  const retrievedAt = momentOf(fields.retrieved_at);
  if (!isLike(FILE, file) || !isLike(SOURCE, source) || !isLike(SHA_256, sha256)) return undefined;
  if (!isCount(bytes) || bytes > MEMBER_BYTES_MAX || !isCount(records)) return undefined;
  if (format === undefined || retrievedAt === null) return undefined;
  if (publishedAt === null && fields.published_at !== null) return undefined;
  return { file, source, format, records, publishedAt, sha256, bytes, retrievedAt };
}

const isLike = (form: RegExp, value: unknown): value is string =>
  typeof value === 'string' && form.test(value);

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
