import type { FeedFormat, FeedSource } from './facts.ts';
import { FeedRefused } from './feed-refused.ts';
import type { FeedTally } from './feed-tally.ts';
import { assertUnpacked } from './files/documents.ts';
import { csafReader } from './formats/csaf.ts';
import { cveReader } from './formats/cve.ts';
import { epssReader } from './formats/epss.ts';
import { type DocumentReader, type FeedReader, jsonReader } from './formats/format.ts';
import { kevReader } from './formats/kev.ts';
import { openVexReader } from './formats/openvex.ts';
import { osvReader } from './formats/osv.ts';
import { wordfenceReader } from './formats/wordfence.ts';
import type { FeedLimits } from './limits.ts';
import { FormatRecognition } from './recognise.ts';

interface Choice {
  readonly format?: FeedFormat | undefined;
  readonly source?: string | undefined;
}

/** Display names of formats. */
const NAMES: Readonly<Record<FeedFormat, string>> = {
  osv: 'OSV',
  wordfence: 'Wordfence Intelligence',
  cve: 'CVE JSON 5',
  kev: 'a catalogue of exploited vulnerabilities (KEV)',
  epss: 'EPSS',
  csaf: 'CSAF',
  openvex: 'OpenVEX',
};

/** Reads the documents of a file in order. The first recognised feed determines the format of all. */
export class Documents {
  readonly #choice: Choice;
  readonly #tally: FeedTally;
  readonly #limits: FeedLimits;
  #format: FeedFormat | undefined;
  #reader: FeedReader | undefined;
  #recognition: FormatRecognition;
  /** Bytes of a document before its format is known. */
  #beginning: Uint8Array[] = [];
  #firstByte: number | undefined;
  #document: DocumentReader | undefined;
  #isForeign = false;
  /** Recognised format, even if the operator set another one. */
  #looksLike: FeedFormat | undefined;

  constructor(choice: Choice, tally: FeedTally, limits: FeedLimits) {
    this.#choice = choice;
    this.#tally = tally;
    this.#limits = limits;
    this.#recognition = new FormatRecognition(limits);
    if (choice.format !== undefined) this.#use(choice.format);
  }

  begin(): void {
    this.#recognition = new FormatRecognition(this.#limits);
    this.#beginning = [];
    this.#firstByte = undefined;
    this.#document = undefined;
    this.#isForeign = false;
  }

  /** Reads the next bytes of the document, which the caller may reuse afterwards; throws a FeedRefused. */
  push(chunk: Uint8Array): void {
    if (this.#firstByte === undefined) {
      this.#firstByte = firstSignificant(chunk);
      if (this.#firstByte === undefined) return;
      assertUnpacked(chunk);
    }
    this.#recognise(chunk, this.#firstByte);
    if (this.#document !== undefined) this.#document.push(chunk);
    else if (!this.#isForeign) this.#pushBeginning(chunk, this.#firstByte);
  }

  /** Ends the document. Skips it if it is not a feed, because archives contain other files too. */
  end(): void {
    this.#document?.end();
    if (this.#document !== undefined) return;
    if (!this.#isForeign) this.#recognition.end();
    this.#tally.skipped += 1;
  }

  /** Ends the feed; throws a FeedRefused if nothing is usable. */
  finish(): { readonly format: FeedFormat; readonly source: FeedSource } {
    if (this.#reader === undefined || this.#format === undefined)
      throw new FeedRefused(
        'unrecognised',
        'Unknown feed format. Supported are OSV, Wordfence Intelligence v3, CVE JSON 5, the catalogues of CISA and ENISA, EPSS, and VEX as CSAF 2.0 or OpenVEX. Check that it is the right file.',
      );
    const source = this.#reader.finish();
    if (this.#tally.records + this.#tally.withdrawn > 0) return { format: this.#format, source };
    if (this.#looksLike === undefined || this.#looksLike === this.#format) throw nothingUsable(this.#tally);
    throw new FeedRefused(
      'nothing_usable',
      `This looks like ${NAMES[this.#looksLike]}, not ${NAMES[this.#format]}. Omit --format.`,
    );
  }

  /** Recognises each document even if the format is known, because a reader would silently skip a document of another format. */
  #recognise(chunk: Uint8Array, firstByte: number): void {
    if (this.#recognition.isOver) return;
    try {
      this.#recognition.push(chunk, firstByte);
    } catch (error) {
      // The reader reports the same error if it matters.
      if (this.#reader === undefined) throw error;
      this.#recognition.giveUp();
    }
    const { format } = this.#recognition;
    if (format === undefined) return;
    if (this.#looksLike !== undefined && format !== this.#looksLike)
      throw new FeedRefused(
        'malformed',
        `The file contains both ${NAMES[this.#looksLike]} and ${NAMES[format]}. Import each from its own file.`,
      );
    this.#looksLike = format;
    if (this.#reader === undefined) this.#use(format);
  }

  #pushBeginning(chunk: Uint8Array, firstByte: number): void {
    this.#beginning.push(chunk.slice());
    if (this.#reader !== undefined) this.#open(this.#reader, firstByte);
    else this.#isForeign = this.#recognition.isOver;
    if (this.#isForeign) this.#beginning = [];
  }

  #open(reader: FeedReader, firstByte: number): void {
    this.#document = reader.open(firstByte);
    this.#isForeign = this.#document === undefined;
    for (const part of this.#beginning) this.#document?.push(part);
    this.#beginning = [];
  }

  #use(format: FeedFormat): void {
    this.#format = format;
    this.#reader = readerOf(format, this.#choice.source, this.#tally, this.#limits);
  }
}

function nothingUsable({ refused, skipped, refusals }: FeedTally): FeedRefused {
  const first = refusals[0] === undefined ? '' : ` (the first ${refusals[0].reason})`;
  const wasRefused = refused === 1 ? '1 record was refused' : `${refused} records were refused`;
  const tells = skipped === 1 ? '1 names' : `${skipped} name`;
  return new FeedRefused(
    'nothing_usable',
    `Nothing in the feed can be used: ${wasRefused}${first}, ${tells} no known kind of component. Check that it is the right file.`,
  );
}

function readerOf(
  format: FeedFormat,
  source: string | undefined,
  tally: FeedTally,
  limits: FeedLimits,
): FeedReader {
  switch (format) {
    case 'osv':
      return jsonReader(osvReader(tally, source), tally, limits);
    case 'wordfence':
      return jsonReader(wordfenceReader(tally, source), tally, limits);
    case 'cve':
      return jsonReader(cveReader(tally, source), tally, limits);
    case 'kev':
      return jsonReader(kevReader(tally, source), tally, limits);
    case 'csaf':
      return jsonReader(csafReader(tally, source), tally, limits);
    case 'openvex':
      return jsonReader(openVexReader(tally, source), tally, limits);
    case 'epss':
      return epssReader(tally, source);
  }
}

/** The first byte that is neither white space nor part of a byte order mark. */
const firstSignificant = (bytes: Uint8Array): number | undefined =>
  bytes.find((byte) => byte > 0x20 && byte !== 0xef && byte !== 0xbb && byte !== 0xbf);
