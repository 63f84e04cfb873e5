import { afterEach, describe, expect, test } from 'bun:test';
import type { Socket } from 'node:net';
import type { TlsOptions } from 'node:tls';
import { gzipSync } from 'node:zlib';
import {
  createSiteVisitor,
  REQUESTS_MAX,
  type VisitorOptions,
} from '../../src/outside/site-visit/visitor.ts';
import {
  type Answers,
  type Certificate,
  certificate,
  type FakeSite,
  fakeNetwork,
  fakeSite,
  wire,
} from '../support/fake-site.ts';
import { until } from '../support/service.ts';

const PUBLIC = '93.184.216.34';
const KIB = 1024;
const OK = () => wire(200, { 'X-Seen': 'yes' }, 'hello');

const sites: FakeSite[] = [];
afterEach(() => {
  for (const site of sites.splice(0)) site.close();
});

const site = async (answers: Answers, tls?: Certificate & TlsOptions) => {
  const started = await fakeSite(answers, tls);
  sites.push(started);
  return started;
};

const visitor = (network: VisitorOptions['network'], more: Partial<VisitorOptions> = {}) =>
  createSiteVisitor({
    network,
    allowPrivate: false,
    userAgent: 'Test/1',
    mayVisit: (host) => host.endsWith('shop.com'),
    totalMsMax: 10_000,
    requestMsMax: 5_000,
    ...more,
  });

/** A visitor of shop.com, which this site serves on port 80. */
const visitorOf = async (answers: Answers, more?: Partial<VisitorOptions>) => {
  const { port } = await site(answers);
  return visitor(fakeNetwork({ 'shop.com': [[PUBLIC]] }, { [`${PUBLIC}:80`]: port }), more);
};

const SHOP = new URL('http://shop.com/');
const get = async (answers: Answers, more?: Partial<VisitorOptions>, bodyBytesMax = KIB) =>
  (await (await visitorOf(answers, more)).get(SHOP, bodyBytesMax)).answer;

describe('a visit', () => {
  test('sends the requests of an honest visitor, and no data of the caller', async () => {
    const shop = await site(OK);
    const network = fakeNetwork({ 'shop.com': [[PUBLIC]] }, { [`${PUBLIC}:80`]: shop.port });
    await visitor(network).get(new URL('http://user:secret@shop.com/a%20b?c=%0d%0aX:1#frag'), KIB);
    expect(shop.heads).toEqual([
      'GET /a%20b?c=%0d%0aX:1 HTTP/1.1\r\nHost: shop.com\r\nUser-Agent: Test/1\r\nAccept: */*\r\n' +
        'Accept-Encoding: identity\r\nConnection: close\r\n\r\n',
    ]);
  });

  test('connects to no forbidden host, independent of where its name comes from', async () => {
    const other = await site(OK);
    const network = fakeNetwork({ 'other.com': [[PUBLIC]] }, { [`${PUBLIC}:80`]: other.port });
    for (const go of ['get', 'follow'] as const)
      await visitor(network)[go](new URL('http://other.com/'), KIB);
    expect(other.connections()).toBe(0);
  });

  test('returns status, headers and body', async () => {
    const answer = await get(() => wire(418, { 'Set-Cookie': 'a=1\r\nset-cookie: b=2' }, 'tea'));
    expect(answer).toEqual({
      status: 418,
      headers: new Map([
        ['content-length', ['3']],
        ['set-cookie', ['a=1', 'b=2']],
      ]),
      body: 'tea',
      isWhole: true,
    });
  });

  test.each<[string, string, string]>([
    ['chunks', 'Transfer-Encoding: chunked', '3\r\nabc\r\nA;x=y\r\n0123456789\r\n0\r\n\r\n'],
    ['the end of the connection', 'X: y', 'abc0123456789'],
    ['a length', 'Content-Length: 13', 'abc0123456789 and more'],
  ])('reads a body that is framed by %s', async (_, header, body) => {
    const answer = await get(() => `HTTP/1.1 200 OK\r\n${header}\r\n\r\n${body}`);
    expect((answer as { body: string }).body).toStartWith('abc0123456789');
  });

  test.each<[string, string]>([
    ['a line without a colon', 'Careless\r\nX-Seen: yes'],
    ['a space before a colon', 'Server : x\r\nX-Seen: yes'],
    ['a repeated length', 'Content-Length: 5\r\nContent-Length: 5\r\nX-Seen: yes'],
  ])('reads an answer with %s', async (_, lines) => {
    const answer = await get(() => `HTTP/1.1 200 OK\r\n${lines}\r\n\r\nhello`);
    expect(answer).toMatchObject({ status: 200, body: 'hello' });
    expect((answer as { headers: ReadonlyMap<string, readonly string[]> }).headers.get('x-seen')).toEqual([
      'yes',
    ]);
  });

  test('skips interim answers up to a limit', async () => {
    const interim = 'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n';
    expect(await get(() => interim + interim + OK())).toMatchObject({ status: 200, body: 'hello' });
    expect(await get(() => interim.repeat(100) + OK())).toBe('malformed');
  });

  test.each([
    '',
    'SSH-2.0-OpenSSH_9\r\n\r\n',
    'HTTP/2 200\r\n\r\n',
    'HTTP/1.1 999 No\r\n\r\n',
    'HTTP/1.1 200 OK\r\n',
  ])('rejects %j as an answer', async (answer) => {
    expect(await get(() => answer)).toBe('malformed');
  });

  test('accepts chunks with trailers as complete, even when the server does not close', async () => {
    const answer = await get((_, socket) => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nX: y\r\n\r\n');
      return undefined;
    });
    expect(answer).toMatchObject({ status: 200, body: 'hello' });
  });

  test('reads an answer of HTTP/1.0', async () => {
    expect(await get(() => 'HTTP/1.0 200 OK\r\nServer: x\r\n\r\nhello')).toMatchObject({ body: 'hello' });
  });

  test('reads unrequested compressed content up to the limit', async () => {
    const sent = (text: string | Buffer) => {
      const body = gzipSync(text);
      return (_: string, socket: Socket) => {
        socket.write(`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${body.length}\r\n\r\n`);
        socket.end(body);
        return undefined;
      };
    };
    expect(await get(sent('hello'))).toMatchObject({ body: 'hello' });
    const bomb = (await get(sent(Buffer.alloc(8 * 1024 * KIB, 'x')), {}, 64 * KIB)) as { body: string };
    expect(bomb.body).toBe('x'.repeat(64 * KIB));
    const random = Buffer.from(crypto.getRandomValues(new Uint8Array(8 * KIB)).toHex());
    const cut = (await get(sent(random), {}, 4 * KIB)) as { body: string };
    expect(random.toString()).toStartWith(cut.body);
  });

  test.each(['gzip', 'br', 'zstd'])('with a body that is not %s has only the head', async (coding) => {
    expect(await get(() => wire(200, { 'Content-Encoding': coding }, 'plain'))).toMatchObject({
      status: 200,
      body: '',
    });
  });

  test('uses the second address when the first is dead, and stays with it', async () => {
    const { port } = await site(OK);
    const network = fakeNetwork({ 'shop.com': [['2606:4700::1', PUBLIC]] }, { [`${PUBLIC}:80`]: port });
    const visits = visitor(network);
    expect((await visits.get(SHOP, KIB)).answer).toMatchObject({ status: 200 });
    await visits.get(SHOP, KIB);
    expect(network.dialled).toEqual(['2606:4700::1:80', `${PUBLIC}:80`, `${PUBLIC}:80`]);
  });

  test('tries both address families, with any number of dead addresses of one', async () => {
    const { port } = await site(OK);
    const dead = ['1', '2', '3', '4', '5'].map((end) => `2606:4700::${end}`);
    const network = fakeNetwork({ 'shop.com': [[...dead, PUBLIC]] }, { [`${PUBLIC}:80`]: port });
    expect((await visitor(network).get(SHOP, KIB)).answer).toMatchObject({ status: 200 });
  });

  test('to an unresolved name, or a closed port, is a failure with that reason', async () => {
    expect((await visitor(fakeNetwork({}, {})).get(SHOP, KIB)).answer).toBe('unresolvable');
    const network = fakeNetwork({ 'shop.com': [[PUBLIC]] }, {});
    expect((await visitor(network).get(SHOP, KIB)).answer).toBe('unreachable');
  });
});

describe('the limits of a visit', () => {
  test.each<[string, string, string, string]>([
    ['body', '', 'x'.repeat(16 * KIB), 'x'.repeat(KIB)],
    ['chunk extension', 'Transfer-Encoding: chunked\r\n\r\n5;', 'x'.repeat(16 * KIB), ''],
    [
      'row of tiny chunks',
      'Transfer-Encoding: chunked\r\n\r\n',
      '1;xxx\r\ny\r\n'.repeat(500),
      'y'.repeat(102),
    ],
  ])('an endless %s is read to the limit and closed', async (_, start, line, body) => {
    let closed = false;
    const answer = await get((_path, socket) => {
      socket.write(`HTTP/1.1 200 OK\r\n${start || '\r\n'}`);
      const more = () => {
        while (!socket.destroyed && socket.write(line));
      };
      socket.on('drain', more).once('close', () => {
        closed = true;
      });
      more();
      return undefined;
    });
    expect((answer as { body: string }).body).toBe(body);
    await until(() => closed);
  });

  test.each<[string, string]>([
    ['one endless header', 'HTTP/1.1 200 OK\r\nX: '],
    ['endless headers', 'HTTP/1.1 200 OK\r\n'],
    ['an endless line', ''],
  ])('%s is not an answer', async (_, start) => {
    const line = start.endsWith('X: ') || start === '' ? 'x'.repeat(4 * KIB) : `${'X: y\r\n'.repeat(700)}`;
    const answer = await get((_path, socket) => {
      socket.write(start);
      const more = () => {
        while (!socket.destroyed && socket.write(line));
      };
      socket.on('drain', more);
      more();
      return undefined;
    });
    expect(answer).toBe('malformed');
  });

  test.each<[string, Answers]>([
    ['sends nothing', () => undefined],
    ['stops in its head', (_, socket) => void socket.write('HTTP/1.1 200 OK\r\nX: ')],
    ['stops in its body', (_, socket) => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhe')],
    [
      'drips',
      (_, socket) => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        const timer = setInterval(() => socket.write('x'), 20);
        socket.once('close', () => clearInterval(timer));
      },
    ],
  ])('a server that %s costs one time-out and its connection is closed', async (_, answers) => {
    let closed = false;
    const startedAt = performance.now();
    const answer = await get(
      (path, socket, head) => {
        socket.once('close', () => {
          closed = true;
        });
        return answers(path, socket, head);
      },
      { requestMsMax: 200 },
    );
    expect(answer).toBe('timeout');
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    await until(() => closed);
  });

  test('a resolver that never answers costs one time-out', async () => {
    const network = { ...fakeNetwork({}, {}), lookup: () => new Promise<never>(() => {}) };
    expect((await visitor(network, { requestMsMax: 50 }).get(SHOP, KIB)).answer).toBe('timeout');
  });

  test('an address that is resolved too late is not contacted', async () => {
    const network = fakeNetwork({}, {});
    let resolveLate: (addresses: string[]) => void = () => {};
    const late = new Promise<string[]>((resolve) => {
      resolveLate = resolve;
    });
    const visits = visitor({ ...network, lookup: () => late }, { requestMsMax: 30 });
    await visits.get(SHOP, KIB);
    resolveLate([PUBLIC]);
    await late;
    await Bun.sleep(0);
    expect(network.dialled).toEqual([]);
  });

  test('all visits share one time limit, and none starts after it', async () => {
    const visits = await visitorOf(() => undefined, { totalMsMax: 150 });
    expect((await visits.get(SHOP, KIB)).answer).toBe('timeout');
    expect((await visits.get(SHOP, KIB)).answer).toBe('timeout');
    expect(visits.requests).toBe(1);
  });

  test('at most 25 requests are sent, including redirects and handshakes', async () => {
    const shop = await site((path) => (path === '/loop' ? wire(302, { Location: '/loop' }) : OK()));
    const network = fakeNetwork({ 'shop.com': [[PUBLIC]] }, { [`${PUBLIC}:80`]: shop.port });
    const visits = visitor(network);
    expect(await visits.follow(new URL('http://shop.com/loop'), KIB)).toHaveLength(4);
    await visits.acceptsLegacyTls(SHOP);
    for (let more = 0; more < 40; more++) await visits.get(SHOP, KIB);
    expect((await visits.get(SHOP, KIB)).answer).toBe('budget_used_up');
    expect([shop.connections(), visits.requests, REQUESTS_MAX]).toEqual([25, 25, 25]);
  });
});

describe('the destination of a visit', () => {
  test.each<[string[]]>([
    [['127.0.0.1']],
    [['10.0.0.7']],
    [['169.254.169.254']],
    [['::1']],
    [['::ffff:169.254.169.254']],
    [['64:ff9b::a9fe:a9fe']],
    [['fd00:ec2::254']],
    [[PUBLIC, '10.0.0.7']],
    [['2606:4700::1', PUBLIC, '::ffff:127.0.0.1']],
  ])('a name that resolves to %p is not contacted at all', async (addresses) => {
    const network = fakeNetwork({ 'shop.com': [addresses] }, {});
    const visits = visitor(network);
    expect((await visits.get(SHOP, KIB)).answer).toBe('forbidden_address');
    expect(await visits.acceptsLegacyTls(new URL('https://shop.com/'))).toBe('forbidden_address');
    expect(network.dialled).toEqual([]);
  });

  test.each([
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://[::1]/',
    'http://[::ffff:7f00:1]/',
  ])('an address instead of a name is checked as well: %s', async (url) => {
    const names = { '127.0.0.1': [['127.0.0.1']], '::1': [['::1']], '::ffff:7f00:1': [['::ffff:127.0.0.1']] };
    const network = fakeNetwork(names, {});
    expect((await visitor(network).get(new URL(url), KIB)).answer).toBe('forbidden_address');
    expect(network.dialled).toEqual([]);
  });

  test('DNS rebinding: a name is resolved once, and every connection uses the checked address', async () => {
    const shop = await site((path) => (path === '/' ? wire(301, { Location: '/home' }) : OK()));
    const inside = await site(OK);
    const network = fakeNetwork(
      { 'shop.com': [[PUBLIC], ['169.254.169.254'], ['127.0.0.1']] },
      { [`${PUBLIC}:80`]: shop.port, '169.254.169.254:80': inside.port, '127.0.0.1:80': inside.port },
    );
    const visits = visitor(network);
    const hops = await visits.follow(SHOP, KIB);
    await visits.get(SHOP, KIB);
    expect(hops.at(-1)?.answer).toMatchObject({ status: 200 });
    expect(network.lookups).toEqual(['shop.com']);
    expect(network.dialled).toEqual([`${PUBLIC}:80`, `${PUBLIC}:80`, `${PUBLIC}:80`]);
    expect(inside.connections()).toBe(0);
  });

  test('a redirect to a name of the site with a private address is checked like the first', async () => {
    const shop = await site(() => wire(302, { Location: 'http://meta.shop.com/latest/meta-data/' }));
    const network = fakeNetwork(
      { 'shop.com': [[PUBLIC]], 'meta.shop.com': [['169.254.169.254']] },
      { [`${PUBLIC}:80`]: shop.port },
    );
    const hops = await visitor(network).follow(SHOP, KIB);
    expect(hops.map(({ answer }) => answer)).toEqual([
      expect.objectContaining({ status: 302 }),
      'forbidden_address',
    ]);
    expect(network.dialled).toEqual([`${PUBLIC}:80`]);
  });

  test.each([
    'http://169.254.169.254/latest/meta-data/',
    'http://[fd00:ec2::254]/',
    'http://0xa9fea9fe/',
    'http://metadata.google.internal/computeMetadata/v1/',
    'http://other.com/',
    'http://notshop.com.evil.org/',
    'http://shop.com:6379/',
    'https://shop.com:8443/',
    'ftp://shop.com/',
    'file:///etc/passwd',
    'gopher://shop.com/',
    'javascript:alert(1)',
    `http://shop.com/${'a'.repeat(4_000)}`,
    'http://',
    '//',
  ])('a redirect to %p is not followed', async (location) => {
    const shop = await site(() => wire(302, { Location: location }));
    const network = fakeNetwork({ 'shop.com': [[PUBLIC]] }, { [`${PUBLIC}:80`]: shop.port });
    const hops = await visitor(network).follow(SHOP, KIB);
    expect(hops).toHaveLength(1);
    expect(network.lookups).toEqual(['shop.com']);
  });

  test('private addresses are visited where the operator allows them, metadata addresses are not', async () => {
    const { port } = await site(OK);
    const places = { '10.0.0.7:80': port, '127.0.0.1:80': port };
    for (const [address, expected] of [
      ['10.0.0.7', 200],
      ['127.0.0.1', 200],
      ['169.254.169.254', undefined],
      ['fd00:ec2::254', undefined],
    ] as const) {
      const network = fakeNetwork({ 'shop.com': [[address]] }, places);
      const { answer } = await visitor(network, { allowPrivate: true }).get(SHOP, KIB);
      expect((answer as { status?: number }).status).toBe(expected);
    }
  });
});

describe('TLS', () => {
  const overTls = async (tls: Certificate & TlsOptions, host = 'shop.com') => {
    const shop = await site(OK, tls);
    const network = fakeNetwork({ [host]: [[PUBLIC]] }, { [`${PUBLIC}:443`]: shop.port });
    return visitor(network).get(new URL(`https://${host}/`), KIB);
  };

  test('an untrusted certificate is examined and reported', async () => {
    const { answer, tls } = await overTls(certificate('shop.com'));
    expect(answer).toMatchObject({ status: 200, body: 'hello' });
    expect(tls).toMatchObject({
      protocol: 'TLSv1.3',
      matchesHost: true,
      selfSigned: true,
      chainProblem: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    });
    const days = ((tls?.validTo ?? 0) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(89);
    expect(days).toBeLessThan(91);
  });

  test('a certificate for another name, of an unknown issuer, expired', async () => {
    const issuer = certificate('issuer.org');
    const { tls } = await overTls({
      ...certificate('other.com', { issuer, days: -1 }),
      maxVersion: 'TLSv1.2',
    });
    expect(tls).toMatchObject({ protocol: 'TLSv1.2', matchesHost: false, selfSigned: false });
    expect(tls?.chainProblem).toMatch(/^UNABLE_TO_|^CERT_/);
    expect(tls?.validTo).toBeLessThan(Date.now());
  });

  test.each<[string, string, boolean]>([
    ['DNS:shop.com', 'shop.com', true],
    ['DNS:other.com,DNS:SHOP.com', 'shop.com', true],
    ['DNS:*.shop.com', 'www.shop.com', true],
    ['DNS:*.shop.com', 'shop.com', false],
    ['DNS:*.shop.com', 'a.www.shop.com', false],
    ['DNS:w*.shop.com', 'www.shop.com', false],
    ['DNS:xn--bcher-kva.shop.com', 'xn--bcher-kva.shop.com', true],
    ['IP:93.184.216.34', 'shop.com', false],
    ['email:shop.com', 'shop.com', false],
  ])('a certificate for %s names %s: %p', async (names, host, expected) => {
    const { tls } = await overTls(certificate('shop.com', { names }), host);
    expect(tls?.matchesHost).toBe(expected);
  });

  test.each([true, false])('an address is named by an address: %p', async (named) => {
    const names = named ? `IP:${PUBLIC}` : `DNS:${PUBLIC}`;
    const shop = await site(OK, certificate('shop.com', { names }));
    const network = fakeNetwork({ [PUBLIC]: [[PUBLIC]] }, { [`${PUBLIC}:443`]: shop.port });
    const { tls } = await visitor(network, { mayVisit: () => true }).get(new URL(`https://${PUBLIC}/`), KIB);
    expect(tls?.matchesHost).toBe(named);
  });

  test('a port without TLS is a failure with that reason', async () => {
    const shop = await site(OK);
    const network = fakeNetwork({ 'shop.com': [[PUBLIC]] }, { [`${PUBLIC}:443`]: shop.port });
    const { answer, tls } = await visitor(network).get(new URL('https://shop.com/'), KIB);
    expect([answer, tls]).toEqual(['tls_failed', null]);
  });

  test.each<['TLSv1' | 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3', boolean]>([
    ['TLSv1', true],
    ['TLSv1.1', true],
    ['TLSv1.2', false],
    ['TLSv1.3', false],
  ])('a server of %s accepts a legacy version: %p', async (version, expected) => {
    const shop = await site(OK, { ...certificate('shop.com'), minVersion: version, maxVersion: version });
    const network = fakeNetwork({ 'shop.com': [[PUBLIC]] }, { [`${PUBLIC}:443`]: shop.port });
    expect(await visitor(network).acceptsLegacyTls(new URL('https://shop.com/'))).toBe(expected);
  });

  test('a server without TLS accepts no legacy version', async () => {
    const accepts = async (answers: Answers) => (await visitorOf(answers)).acceptsLegacyTls(SHOP);
    expect(await accepts(OK)).toBe(false);
    expect(await accepts(() => '')).toBe(false);
    expect(await accepts(() => '\x15\x03\x01\x00\x02\x02\x28\x00\x00\x00\x00')).toBe(false);
  });
});
