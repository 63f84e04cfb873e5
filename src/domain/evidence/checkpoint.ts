import { countIn, encoded, hashIn } from './fields.ts';

// What a log signs of itself: the text of C2SP tlog-checkpoint (c2sp.org/tlog-checkpoint).

/** A log as it was at one size. */
export interface Checkpoint {
  /** Which log: one line that is not empty. */
  readonly origin: string;
  /** How many entries it had, up to `Number.MAX_SAFE_INTEGER`. */
  readonly size: number;
  /** Of the tree over them: 32 bytes. */
  readonly rootHash: Uint8Array;
}

/** The text to be signed, of three lines. */
export const checkpointText = ({ origin, size, rootHash }: Checkpoint): string =>
  `${origin}\n${size}\n${encoded(rootHash, 'base64')}\n`;

/** Reads such a text; undefined for an invalid one. Lines after the third are ignored extensions. */
export function parseCheckpoint(text: string): Checkpoint | undefined {
  const lines = text.split('\n');
  if (lines.pop() !== '' || lines.includes('')) return undefined;
  const [origin, decimal, base64] = lines;
  if (origin === undefined || decimal === undefined || base64 === undefined) return undefined;
  const [size, rootHash] = [countIn(decimal), hashIn(base64, 'base64')];
  return size === undefined || rootHash === undefined ? undefined : { origin, size, rootHash };
}
