const NEWLINE = 0x0a;

/**
 * Splits a stream into lines without newlines, in bounded memory.
 *
 * @param bytesMax a longer line is truncated to one byte more, which lets the reader detect it, and ends the iteration
 */
export async function* linesOf(
  chunks: AsyncIterable<Uint8Array>,
  bytesMax: number,
): AsyncGenerator<Uint8Array> {
  let parts: Uint8Array[] = [];
  let partsBytes = 0;
  const append = (part: Uint8Array) => {
    const kept = part.subarray(0, bytesMax + 1 - partsBytes);
    parts.push(kept);
    partsBytes += kept.length;
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      append(chunk.subarray(from, end));
      yield Buffer.concat(parts);
      if (partsBytes > bytesMax) return;
      [parts, partsBytes, from] = [[], 0, end + 1];
    }
    if (from < chunk.length) append(chunk.subarray(from));
    if (partsBytes > bytesMax) break;
  }
  if (partsBytes > 0) yield Buffer.concat(parts);
}
