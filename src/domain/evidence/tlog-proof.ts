import { countIn, encoded, hashesIn } from './fields.ts';

// A proof that an entry is in a log, as one text that is checked offline: C2SP tlog-proof (c2sp.org/tlog-proof). Its files end
// in .tlog-proof.

/** An entry's place in a log. Do not trust it before checking the note and then the hashes. */
export interface TlogProof {
  readonly index: number;
  /** The inclusion proof in the log of the note's checkpoint, from the leaf up: 32 bytes each. */
  readonly hashes: readonly Uint8Array[];
  /** The checkpoint as it was signed, signatures included. */
  readonly note: string;
}

const VERSION = 'c2sp.org/tlog-proof@v1';
const EXTRA = 'extra ';
const INDEX = 'index ';
/** No tree that numbers can count is higher. */
const HASHES_MAX = 64;

export const proofText = ({ index, hashes, note }: TlogProof): string =>
  [VERSION, `${INDEX}${index}`, ...hashes.map((hash) => encoded(hash, 'base64')), '', note].join('\n');

/** Reads such a text; undefined for an invalid one. Extra data is ignored: it is not signed. */
export function parseProof(text: string): TlogProof | undefined {
  const blank = text.indexOf('\n\n');
  if (blank === -1) return undefined;
  const [version, ...lines] = text.slice(0, blank).split('\n', HASHES_MAX + 4);
  if (version !== VERSION) return undefined;
  if (lines[0]?.startsWith(EXTRA) && !isBase64(lines.shift()?.slice(EXTRA.length) ?? '')) return undefined;
  const [indexed = '', ...encodedHashes] = lines;
  if (!indexed.startsWith(INDEX) || encodedHashes.length > HASHES_MAX) return undefined;
  const [index, hashes] = [countIn(indexed.slice(INDEX.length)), hashesIn(encodedHashes, 'base64')];
  const note = text.slice(blank + 2);
  return index === undefined || hashes === undefined || note === '' ? undefined : { index, hashes, note };
}

const isBase64 = (text: string): boolean => Buffer.from(text, 'base64').toString('base64') === text;
