import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { clientAddress, networkOf } from '../../src/http/client-address.ts';
import type { Exchange } from '../../src/http/context.ts';

const NO_PROXIES: string[] = [];
const PROXIES = ['10.0.0.0/8', '192.0.2.7', '2001:db8:ffff::/48'];

/** The unit that a request counts for: from a socket, with a chain of X-Forwarded-For. */
function callerOf(socket: string, forwarded: string | undefined, trusted: readonly string[]): string {
  const headers = new Headers(forwarded === undefined ? {} : { 'x-forwarded-for': forwarded });
  const request = new Request('http://x.test/', { headers });
  return clientAddress(() => socket, trusted)({ request, set: { headers: {} } });
}

describe('without trusted proxies', () => {
  test('the caller is the socket, with any X-Forwarded-For', () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.string({ unit: 'grapheme-ascii' }), (socket, forwarded) => {
        fc.pre(!socket.startsWith('127.'));
        expect(callerOf(socket, forwarded, NO_PROXIES)).toBe(socket);
      }),
    );
  });

  test('an IPv4 address that arrives as IPv6 is the same caller', () => {
    expect(callerOf('::ffff:203.0.113.9', undefined, NO_PROXIES)).toBe('203.0.113.9');
    expect(callerOf('::FFFF:cb00:7109', undefined, NO_PROXIES)).toBe('203.0.113.9');
  });

  test('IPv6 callers share the unit of their /64 only', () => {
    const unit = callerOf('2001:db8:1:2::1', undefined, NO_PROXIES);
    expect(callerOf('2001:db8:1:2:ffff:ffff:ffff:ffff', undefined, NO_PROXIES)).toBe(unit);
    expect(callerOf('2001:0DB8:0001:0002:0::9', undefined, NO_PROXIES)).toBe(unit);
    expect(callerOf('2001:db8:1:3::1', undefined, NO_PROXIES)).not.toBe(unit);
  });

  test.each([
    '127.0.0.1',
    '127.0.0.2',
    '127.255.255.254',
    '::1',
    '0:0:0:0:0:0:0:1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:9',
  ])('all loopback addresses are one caller: %s', (socket) => {
    expect(callerOf(socket, undefined, NO_PROXIES)).toBe('127.0.0.1');
    expect(callerOf('10.0.0.1', socket, ['10.0.0.0/8'])).toBe('127.0.0.1');
  });

  test('a socket without an address is a caller too', () => {
    expect(callerOf('unknown', '1.1.1.1', NO_PROXIES)).toBe('unknown');
  });
});

test.each([
  ['203.0.113.9', '203.0.113.0/24'],
  ['203.0.113.255', '203.0.113.0/24'],
  ['::ffff:203.0.113.9', '203.0.113.0/24'],
  ['203.0.114.9', '203.0.114.0/24'],
  ['2001:db8:1:2::1', '20010db80001/48'],
  ['2001:db8:1:ffff::', '20010db80001/48'],
  ['2001:db8:2::', '20010db80002/48'],
  ['unknown', 'unknown'],
])('the network of %p is %p', (socket, network) => {
  expect(networkOf(callerOf(socket, undefined, NO_PROXIES))).toBe(network);
});

describe('behind trusted proxies', () => {
  test.each([
    ['the right-most hop that is not a proxy', '10.0.0.1', '6.6.6.6, 203.0.113.9', '203.0.113.9'],
    [
      'the hop before a chain of proxies',
      '10.0.0.1',
      '6.6.6.6, 203.0.113.9, 192.0.2.7, 10.9.9.9',
      '203.0.113.9',
    ],
    ['the hop before an IPv6 proxy', '2001:db8:ffff:1::1', '203.0.113.9', '203.0.113.9'],
    ['the left-most hop when all are proxies', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
    ['a proxy on an IPv6 socket believed as IPv4', '::ffff:10.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['a proxy in the chain written as IPv6', '10.0.0.1', '203.0.113.9, ::ffff:10.0.0.2', '203.0.113.9'],
    ['a hop with blanks around it', '10.0.0.1', '6.6.6.6 ,\t 203.0.113.9  ', '203.0.113.9'],
    [
      'the nearest proxy when a hop is not an address',
      '10.0.0.1',
      '203.0.113.9, unknown, 10.0.0.2',
      '10.0.0.2',
    ],
    ['the proxy itself when the header is empty', '10.0.0.1', '', '10.0.0.1'],
    ['the proxy itself when it sends no header', '10.0.0.1', undefined, '10.0.0.1'],
    ['a socket that is not a proxy, with any forwarded address', '203.0.113.50', '1.1.1.1', '203.0.113.50'],
    ['a neighbor of a proxy, which is not one', '192.0.2.8', '1.1.1.1', '192.0.2.8'],
    ['a socket without an address', 'unknown', '1.1.1.1', 'unknown'],
  ])('the caller is %s', (_, socket, forwarded, caller) => {
    expect(callerOf(socket, forwarded, PROXIES)).toBe(caller);
  });

  test('one caller is one unit in every notation of its address', () => {
    const written = [
      '203.0.113.9',
      '::ffff:203.0.113.9',
      '203.0.113.9:49152',
      '[::ffff:cb00:7109]:49152',
      '0xcb.0.113.9',
      `203.0.113.${'0'.repeat(1_000)}11`,
    ];
    expect([...new Set(written.map((hop) => callerOf('10.0.0.1', hop, PROXIES)))]).toEqual(['203.0.113.9']);
    const wide = ['2001:db8::1', '[2001:db8::1]:49152', '[2001:db8::1]'];
    expect(new Set(wide.map((hop) => callerOf('10.0.0.1', hop, PROXIES))).size).toBe(1);
  });

  test("entries to the left of a caller's own hop do not change its identity", () => {
    const hop = fc.oneof(
      fc.ipV4(),
      fc.ipV6(),
      fc.constantFrom('10.0.0.9', '', 'x'),
      fc.string({ unit: 'grapheme-ascii' }),
    );
    fc.assert(
      fc.property(fc.array(hop, { maxLength: 40 }), (planted) => {
        const chain = [...planted, '203.0.113.9', '10.0.0.2'].join(',');
        expect(callerOf('10.0.0.1', chain, PROXIES)).toBe('203.0.113.9');
      }),
    );
  });
});

test('the caller is determined once in a request', () => {
  let asked = 0;
  const addressOf = clientAddress(() => {
    asked += 1;
    return '203.0.113.9';
  }, NO_PROXIES);
  const exchange: Exchange = { requestId: 'r', startedAt: 0, bodyMsMax: 1 };
  const context = { request: new Request('http://x.test/'), set: { headers: {}, exchange } };
  expect([addressOf(context), addressOf(context), asked]).toEqual(['203.0.113.9', '203.0.113.9', 1]);
});
