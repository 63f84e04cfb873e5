import type { Duplex } from 'node:stream';
import { findHead, followBody, type Head, isFramed } from '../site-visit/http1.ts';

/** The answer of a receiver. The body is discarded, but read, so that the connection can be reused. */
export interface Answer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  /** Whether the next request can use the connection. */
  readonly isReusable: boolean;
}

const HEAD_BYTES_MAX = 16 * 1_024;
const BODY_BYTES_MAX = 4 * 1_024;
/** Time limit for the rest of a body after its head. */
const BODY_MS_MAX = 1_000;

/**
 * Sends a request and reads the answer.
 *
 * @param request the complete HTTP/1.1 message
 * @returns `closed` if the connection ended before the first byte
 */
export function exchange(stream: Duplex, request: string): Promise<Answer | 'closed' | 'malformed'> {
  return new Promise((resolve) => {
    let arrived = Buffer.alloc(0);
    let head: Head | undefined;
    let isWhole = (_: Buffer) => false;
    let timer: ReturnType<typeof setTimeout> | undefined;

    const finish = (answer: Answer | 'closed' | 'malformed') => {
      clearTimeout(timer);
      stream.off('data', read).off('end', end).off('close', end).off('error', end);
      resolve(answer);
    };
    const answerOf = ({ status, headers }: Head, isReusable: boolean): Answer => ({
      status,
      retryAfter: headers.get('retry-after')?.[0],
      isReusable,
    });
    const end = () => {
      if (head) finish(answerOf(head, false));
      else finish(arrived.length === 0 ? 'closed' : 'malformed');
    };
    const read = (chunk: Buffer) => {
      arrived = Buffer.concat([arrived, chunk]);
      if (head === undefined) {
        const found = findHead(arrived);
        if (found === 'malformed' || (found?.endsAt ?? arrived.length) > HEAD_BYTES_MAX)
          return finish('malformed');
        if (found === undefined) return;
        head = found;
        isWhole = followBody(head);
        timer = setTimeout(end, BODY_MS_MAX);
      }
      const body = arrived.subarray(head.endsAt);
      if (isWhole(body)) finish(answerOf(head, isPersistent(head)));
      else if (body.length > BODY_BYTES_MAX || !isFramed(head)) end();
    };
    stream.on('data', read).on('end', end).on('close', end).on('error', end);
    if (stream.destroyed) end();
    else stream.write(request);
  });
}

const isPersistent = (head: Head): boolean =>
  (isFramed(head) || head.status === 204) && !/\bclose\b/i.test(head.headers.get('connection')?.join() ?? '');
