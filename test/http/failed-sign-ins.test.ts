import { expect, test } from 'bun:test';
import { exactAddress } from '../../src/http/client-address.ts';
import { createFailedSignIns } from '../../src/http/failed-sign-ins.ts';
import { createLog } from '../../src/lib/log.ts';

/** The lines of failures at these addresses, one after another. */
function linesOf(addresses: readonly string[], monotonicMs = () => 0): string[] {
  let text = '';
  const log = createLog({
    level: 'warn',
    json: true,
    write: (more) => {
      text += more;
    },
  });
  const note = createFailedSignIns(log, monotonicMs);
  for (const address of addresses) note('console', address);
  return text.split('\n').slice(0, -1);
}

test('a line has its fixed form, and nothing else', () => {
  const [line = ''] = linesOf(['203.0.113.9']);
  expect(line.replace(/^\{"time":"[^"]+",/, '{')).toBe(
    '{"level":"warn","message":"sign-in failed","kind":"console","address":"203.0.113.9"}',
  );
});

test('an address has at most ten lines a minute, and so has a /64 of IPv6', () => {
  const six = Array.from({ length: 40 }, (_, at) => `2001:db8::${(at + 1).toString(16)}`);
  expect(linesOf(Array(40).fill('203.0.113.9'))).toHaveLength(10);
  expect(linesOf(six)).toHaveLength(10);
  expect(linesOf(['203.0.113.9', ...six, '203.0.113.10'])).toHaveLength(12);
  let now = 0;
  expect(linesOf(Array(120).fill('203.0.113.9'), () => (now += 3_000))).toHaveLength(69);
});

test.each([
  ['203.0.113.9', undefined, '203.0.113.9'],
  ['::ffff:203.0.113.9', undefined, '203.0.113.9'],
  ['2001:0DB8:0::7', undefined, '2001:db8::7'],
  ['unknown', undefined, 'unknown'],
  ['203.0.113.9', '198.51.100.1', '203.0.113.9'],
  ['10.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['10.0.0.1', '198.51.100.1, 2001:db8::7', '2001:db8::7'],
  ['10.0.0.1', '198.51.100.1, "evil', '10.0.0.1'],
])('the exact address of %s with X-Forwarded-For: %s is %s', (socket, forwarded, expected) => {
  const headers = new Headers(forwarded === undefined ? {} : { 'x-forwarded-for': forwarded });
  expect(exactAddress(() => socket, ['10.0.0.0/8'])(new Request('http://a/', { headers }))).toBe(expected);
});
