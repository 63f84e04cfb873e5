import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { isVisitable } from '../../../src/domain/surface/address.ts';

const PUBLIC = ['8.8.8.8', '93.184.216.34', '1.1.1.1', '2606:4700::1111', '2001:4860:4860::8888'];
const PUBLIC_IN_DISGUISE = ['::ffff:8.8.8.8', '::ffff:808:808', '64:ff9b::8.8.8.8', '64:ff9b::808:808'];

const PRIVATE = [
  ...['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', '127.0.0.1', '127.255.255.254'],
  ...['100.64.0.1', '100.127.255.255', '::1', 'fc00::1', 'fdff::1'],
  ...['127.1', '0x7f.1', '0177.0.0.1', '2130706433', '0x7f000001', '017700000001'],
  ...[
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '0:0:0:0:0:ffff:0a00:0001',
    '64:ff9b::10.0.0.1',
    '64:ff9b::7f00:1',
  ],
];

const NEVER = [
  ...['169.254.169.254', '169.254.0.1', '::ffff:169.254.169.254', '::ffff:a9fe:a9fe', '64:ff9b::a9fe:a9fe'],
  ...['0xa9fea9fe', '2852039166', '0251.0376.0251.0376', 'fd00:ec2::254', 'fd00:0ec2:0:0:0:0:0:0254'],
  ...[
    'fd20:ce::254',
    'fd00:ec2::23',
    'fd00:c1::a9fe:a9fe',
    'fd00:42::42',
    '100.100.100.200',
    '::ffff:100.100.100.200',
    '168.63.129.16',
    '192.0.0.192',
  ],
  ...['0.0.0.0', '0.1.2.3', '::', '224.0.0.1', '239.255.255.255', 'ff02::1', '255.255.255.255', '240.0.0.1'],
  ...['192.0.2.1', '198.51.100.1', '203.0.113.1', '198.18.0.1', '192.88.99.1', '2001:db8::1', '3fff::1'],
  ...['fe80::1', 'fe80::1%eth0', 'fec0::1', '100::1', '5f00::1'],
  // Addresses with an IPv4 address inside: compatible, translated, 6to4, Teredo, local NAT64.
  ...['::127.0.0.1', '::7f00:1', '::8.8.8.8', '::ffff:0:127.0.0.1', '2002:7f00:1::', '2002:808:808::1'],
  ...['2001::1', '2001:0:53aa:64c:0:7f:80ff:fffe', '64:ff9b:1::a00:1', '64:ff9b:1::808:808'],
  ...['', 'localhost', 'example.com', '8.8.8.8.8', '::g', '[::1]', '8.8.8.8 ', '256.1.1.1'],
];

describe('an address of a site check', () => {
  test.each([...PUBLIC, ...PUBLIC_IN_DISGUISE])('%s is public', (address) => {
    expect([isVisitable(address, false), isVisitable(address, true)]).toEqual([true, true]);
  });

  test.each(PRIVATE)('%s only where private sites are allowed', (address) => {
    expect([isVisitable(address, false), isVisitable(address, true)]).toEqual([false, true]);
  });

  test.each(NEVER)('"%s" is never allowed', (address) => {
    expect([isVisitable(address, false), isVisitable(address, true)]).toEqual([false, false]);
  });

  test('gets the same result in every disguise of IPv4', () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.boolean(), (address, allowPrivate) => {
        const plain = isVisitable(address, allowPrivate);
        expect(isVisitable(`::ffff:${address}`, allowPrivate)).toBe(plain);
        expect(isVisitable(`64:ff9b::${address}`, allowPrivate)).toBe(plain);
        expect(isVisitable(`::${address}`, false)).toBe(false);
      }),
    );
  });

  test('is in 2000::/3 when it is IPv6 and public', () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        if (isVisitable(address, false)) expect(address).toMatch(/^(?:[23][0-9a-f]{3}:|::ffff:|64:ff9b:)/i);
      }),
      { numRuns: 2_000 },
    );
  });
});
