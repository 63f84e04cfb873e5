import type { FeedSource } from '../facts.ts';
import type { FeedTally } from '../feed-tally.ts';
import { JsonSplitter, type Layout, parsed } from '../json/splitter.ts';
import type { FeedLimits } from '../limits.ts';
import { isObject, type JsonObject, objectIn, RecordRefused } from './fields.ts';

/** Reads one document of a feed. */
export interface DocumentReader {
  /** Takes the next bytes, which are the caller's again afterwards; throws a FeedRefused. */
  push(chunk: Uint8Array): void;
  /** Tells that no bytes follow; throws a FeedRefused when some should. */
  end(): void;
}

/** Reads the documents of one feed into a tally. */
export interface FeedReader {
  /** A reader for a document whose first character is this; undefined when the format has none that begins so. */
  open(firstByte: number): DocumentReader | undefined;
  /** Ends the feed: gives what is known of its source. */
  finish(): FeedSource;
}

/** What a format whose records are JSON objects does with them. */
export interface RecordReader {
  /** Where the records stand in a document that is an object. */
  readonly layout: Layout;
  /** Takes a record; throws {@link RecordRefused} when it cannot be used. */
  record(record: JsonObject): void;
  /** Takes an entry that stands beside the records. */
  beside?(key: string, value: unknown): void;
  finish(): FeedSource;
}

const [OPEN_OBJECT, OPEN_ARRAY] = [0x7b, 0x5b];

/** The reader of a feed of JSON objects. */
export function jsonReader(reader: RecordReader, tally: FeedTally, limits: FeedLimits): FeedReader {
  const hasBeside = typeof reader.layout === 'object';
  const take = (value: unknown, key: string | null) => {
    const number = tally.see();
    const id = ownId(value) ?? key ?? `record ${number}`;
    try {
      if (!isObject(value)) throw new RecordRefused('is not an object');
      reader.record(value);
    } catch (error) {
      if (!(error instanceof RecordRefused)) throw error;
      tally.refuse(id, error.message);
    }
  };
  return {
    open(firstByte) {
      if (firstByte !== OPEN_OBJECT && firstByte !== OPEN_ARRAY) return undefined;
      const layout = firstByte === OPEN_ARRAY ? 'elements' : reader.layout;
      return new JsonSplitter(
        layout,
        (text, key) => {
          const value = parsed(text);
          if (key !== null && hasBeside) reader.beside?.(key, value);
          else take(value, key);
        },
        limits,
      );
    },
    finish: () => reader.finish(),
  };
}

/** What a record is called in any of the formats, for showing. */
function ownId(record: unknown): string | undefined {
  const { id, cveID, cveMetadata, document, '@id': vex } = objectIn(record);
  const { id: csaf } = objectIn(objectIn(document).tracking);
  return [id, cveID, objectIn(cveMetadata).cveId, csaf, vex].find((name) => typeof name === 'string');
}
