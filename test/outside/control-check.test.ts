import { afterEach, describe, expect, test } from 'bun:test';
import { createSocket } from 'node:dgram';
import { challengeFor } from '../../src/domain/domain-control/challenge.ts';
import type { CheckMethod } from '../../src/domain/domain-control/control.ts';
import { createControlCheck } from '../../src/outside/control-check.ts';
import { type Network, readTexts } from '../../src/outside/site-visit/network.ts';
import {
  type Answers,
  certificate,
  type FakeSite,
  fakeNetwork,
  fakeSite,
  wire,
} from '../support/fake-site.ts';

const TOKEN = 'T'.repeat(43);
const PATH = '/.well-known/redoubt-challenge.txt';
const PUBLIC = '93.184.216.34';
const CERTIFICATE = certificate('shop.com');

const open: { close(): void }[] = [];
afterEach(() => {
  for (const each of open.splice(0)) each.close();
});

/** The result of a check of shop.com, and its requests. */
async function check(
  method: CheckMethod,
  {
    answers = () => wire(404),
    network = {},
    allowUntrusted = true,
  }: { answers?: Answers; network?: Partial<Network>; allowUntrusted?: boolean } = {},
) {
  const site: FakeSite = await fakeSite(answers, CERTIFICATE);
  open.push(site);
  const places = { [`${PUBLIC}:443`]: site.port };
  const names = Object.fromEntries(
    ['shop.com', 'www.shop.com', 'evil.com'].map((name) => [name, [[PUBLIC]]]),
  );
  const fake = fakeNetwork(names, places);
  const found = await createControlCheck({
    network: { ...fake, ...network },
    allowPrivate: false,
    allowUntrusted,
    version: '1.2.3',
    now: Date.now,
  })({ domain: 'shop.com', challenge: challengeFor('shop.com', TOKEN), method });
  return { found, heads: site.heads, lookups: fake.lookups };
}
/** The token, then the given number of chunks of the given size. */
const chunked = (chunks: number, bytes: number) =>
  [TOKEN, ...Array<string>(chunks).fill('\n'.repeat(bytes)), '']
    .map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`)
    .join('');
const moved = (to: string) => wire(302, { Location: to });

describe('a file', () => {
  test('is requested once, without data of the caller, and proves control when it contains the token', async () => {
    const { found, heads } = await check('http', {
      answers: (path) => wire(path === PATH ? 200 : 404, {}, TOKEN),
    });
    expect([found, heads.length]).toEqual([null, 1]);
    expect(heads[0]).toStartWith(
      `GET ${PATH} HTTP/1.1\r\nHost: shop.com\r\nUser-Agent: Redoubt/1.2.3 (domain check`,
    );
    expect(heads[0]).not.toMatch(/cookie|authorization|referer/i);
  });

  test.each<[string, Answers, unknown]>([
    ['is missing', () => wire(404, {}, TOKEN), 'not_found'],
    ['is refused by a firewall', () => wire(403), 'not_found'],
    ['is another page', () => wire(200, {}, '<html>Welcome</html>'), 'wrong_token'],
    ['has the token after 4 KiB', () => wire(200, {}, `${'x\n'.repeat(2_048)}${TOKEN}`), 'wrong_token'],
    ['is larger than 4 KiB', () => wire(200, {}, `${TOKEN}\n${'x'.repeat(4_096)}`), 'wrong_token'],
    ['is not HTTP', (_, socket) => void socket.end('220 mail.shop.com ESMTP\r\n\r\n'), 'unreachable'],
    ['is truncated', () => wire(200, { 'Content-Length': '4000' }, TOKEN), 'wrong_token'],
    [
      'comes in chunks of more than 4 KiB',
      () => wire(200, { 'Transfer-Encoding': 'chunked' }, chunked(100, 50)),
      'wrong_token',
    ],
    ['comes in one chunk', () => wire(200, { 'Transfer-Encoding': 'chunked' }, chunked(0, 0)), null],
    ['never arrives', (_, socket) => void socket.destroy(), 'unreachable'],
    ['redirects to another host', () => moved('https://evil.com/'), 'redirected'],
    ['redirects to another subdomain', () => moved(`https://pages.shop.com${PATH}`), 'redirected'],
    ['redirects to plain HTTP', () => moved(`http://shop.com${PATH}`), 'redirected'],
    ['redirects to another port', () => moved(`https://shop.com:8443${PATH}`), 'redirected'],
    ['redirects in a loop', () => moved(PATH), 'redirected'],
    [
      'is at www',
      (_, __, head) =>
        head.includes('Host: www.') ? wire(200, {}, TOKEN) : moved(`https://www.shop.com${PATH}`),
      null,
    ],
  ])('that %s', async (_, answers, problem) => {
    const { found, lookups } = await check('http', { answers });
    expect<unknown>(found).toBe(problem);
    expect(lookups).not.toContain('evil.com');
  });

  test('without a valid certificate of the domain is not accepted', async () => {
    const answers = () => wire(200, {}, TOKEN);
    expect((await check('http', { answers, allowUntrusted: false })).found).toBe('unreachable');
  });

  test('at a private address is not requested, which is reported as a site that does not answer', async () => {
    for (const address of ['10.0.0.1', '127.0.0.1', '169.254.169.254', '::1']) {
      const network = { lookup: async () => [address], hasRouteTo: async () => true };
      expect(await check('http', { network })).toMatchObject({ found: 'unreachable', heads: [] });
    }
  });

  test('that cannot be requested because this host has no network says nothing about the site', async () => {
    const dead = { lookup: () => Promise.reject(Object.assign(new Error(), { code: 'EAI_AGAIN' })) };
    expect((await check('http', { network: dead })).found).toBe('cut_off');
  });
});

describe('a record', () => {
  const fails = (code: string) => () => Promise.reject(Object.assign(new Error(), { code }));
  const resolves = { lookup: async () => [] };

  test('proves control with one of its strings, without a request to the site', async () => {
    let asked = '';
    const texts = async (name: string) => {
      asked = name;
      return ['v=spf1', `token=${TOKEN} expiry=never`];
    };
    expect(await check('dns', { network: { texts } })).toEqual({ found: null, heads: [], lookups: [] });
    expect(asked).toBe('_redoubt-challenge.shop.com');
  });

  test.each([
    ['ENOTFOUND', 'not_found'],
    ['ENODATA', 'not_found'],
    ['ESERVFAIL', 'dns_failed'],
    ['ETIMEOUT', 'dns_failed'],
    ['EBADNAME', 'dns_failed'],
  ])('that fails with %s is %s', async (code, problem) => {
    expect((await check('dns', { network: { ...resolves, texts: fails(code) } })).found as string).toBe(
      problem,
    );
  });

  test('that cannot be looked up because this host has no resolver says nothing about the domain', async () => {
    const dead = { lookup: fails('EAI_AGAIN'), texts: fails('ECONNREFUSED') };
    expect((await check('dns', { network: dead })).found).toBe('cut_off');
  });

  test('is read from a resolver string by string', async () => {
    const strings = [`token=${TOKEN}`, ' ', 'ü'];
    const server = createSocket('udp4');
    open.push(server);
    server.on('message', (query, { port, address }) => server.send(answerTo(query, strings), port, address));
    await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve));
    const texts = await readTexts('_redoubt-challenge.shop.com', [`127.0.0.1:${server.address().port}`]);
    expect(texts.slice(0, 2)).toEqual(strings.slice(0, 2));
  });
});

/** The answer of a DNS server with one TXT record of several strings (RFC 1035, sections 3.3.14 and 4.1). */
function answerTo(query: Buffer, strings: readonly string[]): Buffer {
  const nameEnd = query.indexOf(0, 12);
  const question = query.subarray(12, nameEnd + 5);
  const data = Buffer.concat(
    strings.map((text) => Buffer.from([Buffer.byteLength(text), ...Buffer.from(text)])),
  );
  const head = [...query.subarray(0, 2), 0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0];
  const record = [0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 60, data.length >> 8, data.length & 0xff];
  return Buffer.concat([Buffer.from(head), question, Buffer.from(record), data]);
}
