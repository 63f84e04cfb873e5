import { BUCKETS, VOCABULARY_BYTES, type Vocabulary } from './features.ts';

/** The result of training (test/evaluation/train.ts). */
export interface Weights {
  readonly vocabulary: Vocabulary;
  /** By bucket, in units of `unit`. */
  readonly weights: Int8Array;
  readonly unit: number;
  readonly bias: number;
  /** Minimum score of a window that indicates malice. */
  readonly zero: number;
  /** Log-odds per 1 of the worst window's score above `zero`. */
  readonly slope: number;
}

const NUMBERS = 4;
const HEADER_BYTES = 4 * NUMBERS;
const BYTES = HEADER_BYTES + VOCABULARY_BYTES + BUCKETS;

/** Parses weights written by {@link writeWeights}. */
export function readWeights(base64: string): Weights {
  const bytes = Uint8Array.from(Buffer.from(base64, 'base64'));
  if (bytes.length !== BYTES) throw new Error('the weights of the model are not whole');
  const numbers = new DataView(bytes.buffer);
  const [unit, bias, zero, slope] = [0, 4, 8, 12].map((at) => numbers.getFloat32(at, true)) as [
    number,
    number,
    number,
    number,
  ];
  return {
    vocabulary: bytes.subarray(HEADER_BYTES, HEADER_BYTES + VOCABULARY_BYTES),
    weights: new Int8Array(bytes.buffer, HEADER_BYTES + VOCABULARY_BYTES),
    unit,
    bias,
    zero,
    slope,
  };
}

/** Encodes weights as one line of base64, because every runtime and the executable can load a text module. */
export function writeWeights({ vocabulary, weights, unit, bias, zero, slope }: Weights): string {
  const bytes = new Uint8Array(BYTES);
  const numbers = new DataView(bytes.buffer);
  for (const [index, number] of [unit, bias, zero, slope].entries())
    numbers.setFloat32(4 * index, number, true);
  bytes.set(vocabulary, HEADER_BYTES);
  bytes.set(
    new Uint8Array(weights.buffer, weights.byteOffset, weights.length),
    HEADER_BYTES + VOCABULARY_BYTES,
  );
  return Buffer.from(bytes).toString('base64');
}
