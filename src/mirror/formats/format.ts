import type { FeedSource } from '../facts.ts';
import type { FeedTally } from '../feed-tally.ts';
import { JsonSplitter, type Layout, parsed } from '../json/splitter.ts';
import type { FeedLimits } from '../limits.ts';
import { isObject, type JsonObject, objectIn, RecordRefused } from './fields.ts';

/** Reads one document of a feed. */
export interface DocumentReader {
  /** Reads the next bytes, which the caller may reuse afterwards; throws a FeedRefused. */
  push(chunk: Uint8Array): void;
  /** Ends the document; throws a FeedRefused if it is incomplete. */
  end(): void;
}

/** Reads the documents of one feed into a tally. */
export interface FeedReader {
  /** A reader for a document with this first byte; undefined if documents of the format cannot begin with it. */
  open(firstByte: number): DocumentReader | undefined;
  /** Ends the feed and returns its source. */
  finish(): FeedSource;
}

/** A format whose records are JSON objects. */
export interface RecordReader {
  /** Location of the records in a document. */
  readonly layout: Layout;
  /** Reads a record; throws {@link RecordRefused} if it is unusable. */
  record(record: JsonObject): void;
  /** Reads another entry next to the list of records. */
  beside?(key: string, value: unknown): void;
  finish(): FeedSource;
}

const [OPEN_OBJECT, OPEN_ARRAY] = [0x7b, 0x5b];

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

/** The id of a record in any of the formats, for display. */
function ownId(record: unknown): string | undefined {
  const { id, cveID, cveMetadata, document, '@id': vex } = objectIn(record);
  const { id: csaf } = objectIn(objectIn(document).tracking);
  return [id, cveID, objectIn(cveMetadata).cveId, csaf, vex].find((name) => typeof name === 'string');
}
