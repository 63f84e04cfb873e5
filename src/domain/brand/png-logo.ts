import { crc32 } from 'node:zlib';

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
/** The chunks of the picture itself; texts, places and animations are removed. */
const KEPT = new Set(['IHDR', 'PLTE', 'IDAT', 'IEND', 'tRNS', 'gAMA', 'cHRM', 'sRGB']);
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

/** Whether a file begins and ends as a PNG, and has a picture between. */
const isWhole = (first: Chunk, chunks: readonly Chunk[]): boolean =>
  first.type === 'IHDR' &&
  first.end - first.start === CHUNK_BYTES + HEADER_BYTES &&
  chunks.findIndex(({ type }) => type === 'IEND') === chunks.length - 1 &&
  chunks.some(({ type }) => type === 'IDAT');

/**
 * A PNG without what is not part of its picture, such as texts and places.
 *
 * @returns what is wrong with it, in words for the operator that follow the file's name
 */
export function pngPicture(bytes: Uint8Array): Uint8Array<ArrayBuffer> | string {
  const isPng = SIGNATURE.every((byte, at) => bytes[at] === byte);
  const chunks = isPng ? chunksOf(bytes) : undefined;
  const [first] = chunks ?? [];
  if (!chunks || !first || !isWhole(first, chunks)) return 'is a broken PNG';
  const header = new DataView(bytes.buffer, bytes.byteOffset + first.start + 8, HEADER_BYTES);
  const sides = [header.getUint32(0), header.getUint32(4)];
  if (sides.some((side) => side === 0 || side > SIDE_MAX))
    return `is ${sides.join(' by ')} pixels. Use at most ${SIDE_MAX} by ${SIDE_MAX}`;
  const parts = chunks.filter(({ type }) => KEPT.has(type)).map(({ start, end }) => bytes.slice(start, end));
  return new Uint8Array(Buffer.concat([SIGNATURE, ...parts]));
}
