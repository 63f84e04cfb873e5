import type { FeedFormat } from './facts.ts';
import { FeedRefused } from './feed-refused.ts';
import { isCsaf, isCsafEntry } from './formats/csaf.ts';
import { isCveRecord } from './formats/cve.ts';
import { isEpss } from './formats/epss.ts';
import { isObject } from './formats/fields.ts';
import { isKev, isKevCatalogue } from './formats/kev.ts';
import { isOpenVex } from './formats/openvex.ts';
import { isOsv } from './formats/osv.ts';
import { isWordfence } from './formats/wordfence.ts';
import { JsonSplitter, parsed } from './json/splitter.ts';
import type { FeedLimits } from './limits.ts';

/** First key of NVD's feeds, which are not supported: all their records are in one entry. */
const NVD = 'resultsPerPage';
/** Recognition stops after this many records: a format appears in the first record and its surroundings. */
const BEGINNING_RECORDS = 2;
const [OPEN_OBJECT, OPEN_ARRAY] = [0x7b, 0x5b];

/** Recognises the format of a document by its content, never by its name. */
export class FormatRecognition {
  #format: FeedFormat | undefined;
  #isOver = false;
  #bytes = 0;
  #splitter: JsonSplitter | undefined;
  #keys: Record<string, unknown> = {};
  readonly #limits: FeedLimits;

  constructor(limits: FeedLimits) {
    this.#limits = limits;
  }

  /** Undefined until it is recognised; also undefined at the end for an unknown format, see `isOver`. */
  get format(): FeedFormat | undefined {
    return this.#format;
  }

  /** Whether recognition has ended, with or without a format. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Reads the document from its first significant byte. Throws a FeedRefused. */
  push(chunk: Uint8Array, firstByte: number): void {
    if (firstByte !== OPEN_OBJECT && firstByte !== OPEN_ARRAY) {
      this.#decide(isEpss(new TextDecoder().decode(chunk).replace(/^\ufeff/, '')) ? 'epss' : undefined);
      return;
    }
    const layout = firstByte === OPEN_ARRAY ? 'elements' : 'entries';
    this.#splitter ??= new JsonSplitter(layout, (text, key) => this.#member(text, key), this.#limits);
    try {
      this.#splitter.push(chunk);
    } catch (error) {
      // Not an error: another value follows the first, as in NDJSON, or the format is known.
      const isEnough = this.#isOver || this.#splitter.isClosed;
      if (!(error instanceof FeedRefused) || !isEnough) throw error;
    }
    this.#bytes += chunk.length;
    if (this.#splitter.isClosed || this.#bytes > BEGINNING_RECORDS * this.#limits.recordBytes)
      this.#isOver = true;
  }

  /** Ends the document; throws a FeedRefused if it is incomplete, because then its format is unknown. */
  end(): void {
    if (!this.#isOver) this.#splitter?.end();
  }

  /** Ends recognition without a format. */
  giveUp(): void {
    this.#isOver = true;
  }

  #member(text: string, key: string | null): void {
    if (this.#isOver) return;
    const value = parsed(text);
    const format = key === null ? formatOfRecord(value) : this.#formatOfEntry(key, value);
    if (format !== undefined || key === null || key === NVD) this.#decide(format);
  }

  /** The format by an entry and the keys before it. The object is a single record, a catalogue, or a map of records. */
  #formatOfEntry(key: string, value: unknown): FeedFormat | undefined {
    if (isCsafEntry(key, value)) return 'csaf';
    if (isOpenVex({ [key]: value })) return 'openvex';
    this.#keys[key] = true;
    if (isKevCatalogue(this.#keys)) return 'kev';
    if (isCveRecord(this.#keys)) return 'cve';
    if (isOsv(this.#keys)) return 'osv';
    return isObject(value) && isWordfence(value) ? 'wordfence' : undefined;
  }

  #decide(format: FeedFormat | undefined): void {
    this.#format = format;
    this.#isOver = true;
  }
}

function formatOfRecord(record: unknown): FeedFormat | undefined {
  if (!isObject(record)) return undefined;
  if (isCsaf(record)) return 'csaf';
  if (isOpenVex(record)) return 'openvex';
  if (isCveRecord(record)) return 'cve';
  if (isKev(record)) return 'kev';
  if (isWordfence(record)) return 'wordfence';
  return isOsv(record) ? 'osv' : undefined;
}
