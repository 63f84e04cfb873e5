import type { Readable } from 'node:stream';
import type { SiteResponse } from '../../domain/surface/visit.ts';
import { decoded } from './coding.ts';
import { findHead, followBody, HEAD_END, type Head, isFramed, unframed } from './http1.ts';

const HEAD_BYTES_MAX = 32 * 1024;

/**
 * Reads one answer from a connection that is not reused: at most 32 KiB of head and `bodyBytesMax` of body, both before and after
 * decoding.
 *
 * @returns undefined if the answer is malformed or its head is too large
 */
export async function readResponse(
  stream: Readable,
  bodyBytesMax: number,
): Promise<SiteResponse | undefined> {
  const buffer = Buffer.allocUnsafe(HEAD_BYTES_MAX + bodyBytesMax);
  let length = 0;
  let head: Head | undefined;
  let isWhole = (_: Buffer) => false;
  let hasEnded = false;

  for await (const chunk of stream) {
    const newFrom = Math.max(0, length - HEAD_END.length);
    length += (chunk as Buffer).copy(buffer, length);
    const arrived = buffer.subarray(0, length);
    if (head === undefined && arrived.includes(HEAD_END, newFrom)) {
      const found = findHead(arrived);
      if (found === 'malformed') return undefined;
      head = found;
      if (head) isWhole = followBody(head);
    }
    if ((head?.endsAt ?? length) > HEAD_BYTES_MAX) return undefined;
    if (head === undefined) continue;
    const bodyLength = length - head.endsAt;
    hasEnded = isWhole(arrived.subarray(head.endsAt));
    if (hasEnded || bodyLength >= bodyBytesMax) break;
  }

  if (head === undefined) return undefined;
  const { status, headers, endsAt } = head;
  const body = unframed(head, buffer.subarray(endsAt, Math.min(length, endsAt + bodyBytesMax)));
  const coding = headers.get('content-encoding')?.join() ?? 'identity';
  const isUnderCap = length - endsAt < bodyBytesMax;
  return {
    status,
    headers,
    body: (await decoded(body, coding, bodyBytesMax)).toString(),
    isWhole: isUnderCap && (hasEnded || !isFramed(head)),
  };
}
