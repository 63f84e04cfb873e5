import { randomUUID } from 'node:crypto';
import { HEADER } from '../../src/http/context.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createLog } from '../../src/lib/log.ts';
import { BucketRoom, TokenBuckets } from '../../src/lib/token-bucket.ts';

const PER_MINUTE = 1_000_000_000;

const { monotonic } = systemClock;
const addresses = new TokenBuckets(PER_MINUTE, new BucketRoom(monotonic));
const keys = new TokenBuckets(PER_MINUTE, new BucketRoom(monotonic));
const log = createLog({ level: 'info', json: true });

/**
 * A server of constant answers that does by hand, in one function, the work of every answer: the caller's
 * address, a limit for it and one for the key, all headers and a line in the log.
 *
 * @returns its address
 */
export function dutiful(
  status: number,
  headers: Record<string, string>,
  bodyOf: (request: Request) => string | null | Promise<string>,
): string {
  const shared = new Headers(headers);

  const answer = (request: Request, startedAt: number, body: string | null): Response => {
    const requestId = randomUUID();
    const key = request.headers.get('authorization') ?? '';
    const { remaining } = addresses.take(server.requestIP(request)?.address ?? '');
    const own = new Headers(shared);
    own.set(HEADER.requestId, requestId);
    own.set(HEADER.remaining, String(Math.min(remaining, keys.take(key).remaining)));
    log.info('request', {
      request_id: requestId,
      method: request.method,
      route: new URL(request.url).pathname,
      status,
      duration_ms: Math.round((monotonic() - startedAt) * 100) / 100,
    });
    return new Response(body, { status, headers: own });
  };

  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch(request) {
      const startedAt = monotonic();
      const body = bodyOf(request);
      return body instanceof Promise
        ? body.then((text) => answer(request, startedAt, text))
        : answer(request, startedAt, body);
    },
  });
  return `http://127.0.0.1:${server.port}/`;
}
