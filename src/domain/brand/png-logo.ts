import { crc32, inflateSync } from 'node:zlib';

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
/** The chunks of the picture itself, with their maximum length in bytes; texts, places and animations are removed. */
const KEPT: ReadonlyMap<string, number> = new Map(
  Object.entries({ IHDR: 13, PLTE: 768, IDAT: Infinity, IEND: 0, tRNS: 256, gAMA: 4, cHRM: 32, sRGB: 1 }),
);
/** By colour type: the values of a pixel, and the bits that each can have. */
const COLOURS: Readonly<Record<number, { readonly values: number; readonly bits: readonly number[] }>> = {
  0: { values: 1, bits: [1, 2, 4, 8, 16] },
  2: { values: 3, bits: [8, 16] },
  3: { values: 1, bits: [1, 2, 4, 8] },
  4: { values: 2, bits: [8, 16] },
  6: { values: 4, bits: [8, 16] },
};
const PALETTE = 3;
/** The passes of an interlaced picture: the first column and row, and the steps to the next ones. */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;
/** Encoders may fill up the last line. */
const SURPLUS_BYTES = 4_096;
/** Around the data of a chunk: its length, its type and its checksum. */
const CHUNK_BYTES = 12;
const HEADER_BYTES = 13;
const SIDE_MAX = 1_024;

interface Chunk {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

/** The chunks of a file to its end; undefined where one is broken. */
function chunksOf(bytes: Uint8Array): Chunk[] | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const chunks: Chunk[] = [];
  for (let start = SIGNATURE.length; start < bytes.length; ) {
    if (start + CHUNK_BYTES > bytes.length) return undefined;
    const end = start + CHUNK_BYTES + view.getUint32(start);
    if (end > bytes.length) return undefined;
    if (crc32(bytes.subarray(start + 4, end - 4)) !== view.getUint32(end - 4)) return undefined;
    chunks.push({ type: String.fromCharCode(...bytes.subarray(start + 4, start + 8)), start, end });
    start = end;
  }
  return chunks;
}

/** Whether a file is put together as a PNG: its parts in order, those that there is one of once. */
const isWhole = (first: Chunk, chunks: readonly Chunk[]): boolean => {
  const types = chunks.map(({ type }) => type);
  const pixels = types.flatMap((type, at) => (type === 'IDAT' ? [at] : []));
  const [from = 0, until = -1] = [pixels[0], pixels.at(-1)];
  const isOnce = (type: string) => types.indexOf(type) === types.lastIndexOf(type);
  return (
    first.type === 'IHDR' &&
    first.end - first.start === CHUNK_BYTES + HEADER_BYTES &&
    types.indexOf('IEND') === types.length - 1 &&
    chunks.every(({ type, start, end }) => type !== 'IEND' || end - start === CHUNK_BYTES) &&
    pixels.length === until - from + 1 &&
    ['IHDR', 'PLTE', 'tRNS'].every(isOnce) &&
    types.indexOf('PLTE') < from
  );
};

/** How many bytes the pixels have, each line with its filter; undefined for a kind of picture that there is not. */
function pixelBytes(header: DataView, hasPalette: boolean): number | undefined {
  const [width, height] = [header.getUint32(0), header.getUint32(4)];
  const [bits, type, compression, filter, interlacing] = Array.from({ length: 5 }, (_, at) =>
    header.getUint8(8 + at),
  );
  const colour = COLOURS[type ?? -1];
  if (bits === undefined || !colour?.bits.includes(bits) || (type === PALETTE && !hasPalette))
    return undefined;
  if (compression !== 0 || filter !== 0) return undefined;
  const linesOf = (columns: number, rows: number): number =>
    columns === 0 ? 0 : rows * (1 + Math.ceil((columns * colour.values * bits) / 8));
  if (interlacing === 0) return linesOf(width, height);
  if (interlacing !== 1) return undefined;
  return PASSES.reduce(
    (sum, [x, y, right, down]) =>
      sum + linesOf(Math.ceil(Math.max(0, width - x) / right), Math.ceil(Math.max(0, height - y) / down)),
    0,
  );
}

/** Whether compressed pixels are those of a picture, and not many more. */
function isPicture(compressed: Uint8Array, wanted: number): boolean {
  try {
    return inflateSync(compressed, { maxOutputLength: wanted + SURPLUS_BYTES }).length >= wanted;
  } catch {
    return false;
  }
}

/**
 * A PNG without what is not part of its picture, such as texts and places.
 *
 * @returns what is wrong with it, in words for the operator that follow the file's name
 */
export function pngPicture(bytes: Uint8Array): Uint8Array<ArrayBuffer> | string {
  const isPng = SIGNATURE.every((byte, at) => bytes[at] === byte);
  const chunks = isPng ? chunksOf(bytes) : undefined;
  const [first] = chunks ?? [];
  if (!chunks || !first || !isWhole(first, chunks)) return BROKEN;
  const header = new DataView(bytes.buffer, bytes.byteOffset + first.start + 8, HEADER_BYTES);
  const sides = [header.getUint32(0), header.getUint32(4)];
  if (sides.some((side) => side === 0 || side > SIDE_MAX))
    return `is ${sides.join(' by ')} pixels. Use at most ${SIDE_MAX} by ${SIDE_MAX}`;
  const kept = chunks.filter(
    ({ type, start, end }) => end - start - CHUNK_BYTES <= (KEPT.get(type) ?? Number.NEGATIVE_INFINITY),
  );
  const wanted = pixelBytes(
    header,
    kept.some(({ type }) => type === 'PLTE'),
  );
  const pixels = kept
    .filter(({ type }) => type === 'IDAT')
    .map(({ start, end }) => bytes.subarray(start + 8, end - 4));
  if (wanted === undefined || !isPicture(Buffer.concat(pixels), wanted)) return BROKEN;
  return new Uint8Array(
    Buffer.concat([SIGNATURE, ...kept.map(({ start, end }) => bytes.subarray(start, end))]),
  );
}

const BROKEN = 'is a broken PNG';
