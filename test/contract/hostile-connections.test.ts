import { afterAll, beforeAll, expect, test } from 'bun:test';
import { connect } from 'node:net';
import fc from 'fast-check';
import { API, call } from '../support/client.ts';
import { type RunningService, start } from '../support/service.ts';

// Needs many starts of the service.

const CONNECTIONS = 400;
const AT_ONCE = 24;

let service: RunningService;
let key: string;
beforeAll(async () => {
  const unlimited = { SERVICE_RATE_IP_PER_MINUTE: '100000000', SERVICE_RATE_KEY_PER_MINUTE: '100000000' };
  // Its own process: it is flooded.
  service = await start('binary', unlimited);
  ({ key } = await service.issue('--plan', 'pro', '--test'));
});
afterAll(() => service.end());

const path = fc.constantFrom('/me', '/status', '/license/verify', '/telemetry', '/nope', '/openapi');
const header = fc.constantFrom('', '', '', '', 'Connection: close\r\n', 'Expect: 100-continue\r\n');
const body = fc.integer({ min: 0, max: 20_000 }).map((length) => JSON.stringify({ pad: 'p'.repeat(length) }));

const request = fc.oneof(
  { weight: 12, arbitrary: fc.tuple(fc.constantFrom('GET', 'HEAD', 'OPTIONS'), path, header).map(headOf) },
  {
    weight: 4,
    arbitrary: fc
      .tuple(path, header, body)
      .map(
        ([to, more, text]) => `${headOf(['POST', to, `${more}Content-Length: ${text.length}\r\n`])}${text}`,
      ),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(path, header, body)
      .map(
        ([to, more, text]) =>
          `${headOf(['POST', to, `${more}Transfer-Encoding: chunked\r\n`])}${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`,
      ),
  },
  fc.constantFrom(
    'no request\r\n\r\n',
    'GET / HTTP/1.0\r\n\r\n',
    `POST ${API}/me HTTP/1.1\r\nHost: x.test\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
    `GET ${API}/me HTTP/1.1\r\nHost: x.test\r\nX: ${'y'.repeat(40_000)}\r\n\r\n`,
    `GET /${'y'.repeat(140_000)} HTTP/1.1\r\nHost: x.test\r\n\r\n`,
  ),
);

const connection = fc.record({
  requests: fc.array(request, { minLength: 1, maxLength: 12 }),
  times: fc.constantFrom(1, 1, 10, 200),
  /** The position of the split between two packets. */
  divided: fc.double({ min: 0, max: 1, noNaN: true }),
  reads: fc.boolean(),
  staysMs: fc.integer({ min: 0, max: 60 }),
  leaves: fc.constantFrom('destroy', 'resetAndDestroy', 'end' as const),
});

type Visit = typeof connection extends fc.Arbitrary<infer Value> ? Value : never;

function headOf([method, to, headers]: readonly [string, string, string]): string {
  return `${method} ${API}${to} HTTP/1.1\r\nHost: x.test\r\nAuthorization: Bearer ${key}\r\n${headers}\r\n`;
}

/** Sends the given text, waits for no answer, and disconnects in the middle. */
const visit = ({ requests, times, divided, reads, staysMs, leaves }: Visit) =>
  new Promise<void>((resolve) => {
    const { hostname, port } = new URL(service.url);
    const text = requests.join('').repeat(times);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    socket.on('close', () => resolve());
    if (reads) socket.on('data', () => {});
    const at = Math.floor(divided * text.length);
    socket.on('connect', async () => {
      socket.write(text.slice(0, at));
      await Bun.sleep(staysMs);
      socket.write(text.slice(at));
      await Bun.sleep(staysMs);
      if (leaves === 'end') socket.end(() => socket.destroy());
      else socket[leaves]();
    });
  });

test('the service survives any requests without waiting and any kind of disconnect', async () => {
  const connections = fc.sample(connection, CONNECTIONS);
  const visitor = async () => {
    for (let next = connections.pop(); next !== undefined; next = connections.pop()) await visit(next);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, visitor));
  expect(service.process.exitCode).toBeNull();
  expect(service.process.signalCode).toBeNull();
  expect((await call(service.url, `${API}/me`, { key })).status).toBe(200);
  expect(service.log()).not.toContain('unexpected error');
});
