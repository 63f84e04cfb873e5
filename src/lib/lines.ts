const NEWLINE = 0x0a;

/**
 * The lines of a stream, without their newlines, in bounded memory for any input.
 *
 * @param bytesMax a longer line is cut after one byte more, so that the reader can detect it, and is the last
 */
export async function* linesOf(
  chunks: AsyncIterable<Uint8Array>,
  bytesMax: number,
): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  const hold = (part: Uint8Array) => {
    const kept = part.subarray(0, bytesMax + 1 - heldBytes);
    held.push(kept);
    heldBytes += kept.length;
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      hold(chunk.subarray(from, end));
      yield Buffer.concat(held);
      if (heldBytes > bytesMax) return;
      [held, heldBytes, from] = [[], 0, end + 1];
    }
    if (from < chunk.length) hold(chunk.subarray(from));
    if (heldBytes > bytesMax) break;
  }
  if (heldBytes > 0) yield Buffer.concat(held);
}
