import { afterEach, describe, expect, test } from 'bun:test';
import { judgeSurface } from '../../src/domain/surface/surface.ts';
import { isOfSite, surfaceTarget } from '../../src/domain/surface/target.ts';
import { createSiteSurvey, type SurveyOptions } from '../../src/outside/site-survey.ts';
import {
  type Answers,
  type Certificate,
  certificate,
  type FakeSite,
  fakeNetwork,
  fakeSite,
  wire,
} from '../support/fake-site.ts';

const PUBLIC = '93.184.216.34';
const CERTIFICATE = certificate('shop.com');

const sites: FakeSite[] = [];
afterEach(() => {
  for (const site of sites.splice(0)) site.close();
});

interface Setup {
  readonly https?: Answers;
  readonly http?: Answers;
  readonly tls?: Certificate & { minVersion?: 'TLSv1.1'; maxVersion?: 'TLSv1.1' };
  readonly siteUrl?: string;
  readonly options?: Partial<SurveyOptions>;
}

/** The findings on shop.com with these two sites. */
async function scan({ https, http, tls = CERTIFICATE, siteUrl = 'shop.com', options }: Setup) {
  const places: Record<string, number> = {};
  const started: Record<string, FakeSite> = {};
  for (const [port, answers, secured] of [
    ['443', https, tls],
    ['80', http, undefined],
  ] as const) {
    if (!answers) continue;
    const site = await fakeSite(answers, secured);
    sites.push(site);
    places[`${PUBLIC}:${port}`] = site.port;
    started[port] = site;
  }
  const network = fakeNetwork({ 'shop.com': [[PUBLIC]], 'www.shop.com': [[PUBLIC]] }, places);
  const survey = createSiteSurvey({
    network,
    allowPrivate: false,
    version: '1.2.3',
    now: Date.now,
    ...options,
  });
  const target = surfaceTarget(siteUrl, false);
  if (target === undefined) throw new Error('not a target');
  const observation = await survey(target);
  if (observation === 'cut_off') throw new Error('this host is cut off');
  const findings = judgeSurface(observation);
  const connections = sites.reduce((sum, site) => sum + site.connections(), 0);
  return {
    ids: findings.map(({ id }) => id),
    findings,
    network,
    connections,
    secure: started['443'],
    plain: started['80'],
  };
}

const GOOD = {
  'Strict-Transport-Security': 'max-age=31536000',
  'Content-Security-Policy': "default-src 'self'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'same-origin',
  'Permissions-Policy': 'camera=()',
};
const notFound = wire(404, {}, 'Not found');
const good: Answers = (path) => (path === '/' ? wire(200, GOOD, '<html>Welcome</html>') : notFound);
const toHttps: Answers = (path) => wire(301, { Location: `https://shop.com${path}` });

const EXPOSED: Readonly<Record<string, string>> = {
  '/': wire(
    200,
    { Server: 'Apache/2.4.1', 'X-Powered-By': 'PHP/8', 'Set-Cookie': 'PHPSESSID=sentinel' },
    '<meta name="generator" content="WordPress 6.5">',
  ),
  '/.git/HEAD': wire(200, {}, 'ref: refs/heads/sentinel\n'),
  '/.env': wire(200, {}, 'APP_KEY=sentinel\n'),
  '/wp-config.php.bak': wire(200, {}, "<?php define('DB_PASSWORD', 'sentinel');"),
  '/backup.sql': wire(200, {}, '-- MySQL dump of sentinel\n'),
  '/wp-content/debug.log': wire(200, {}, '[14-Jun-2026 09:00:00 UTC] PHP Warning: sentinel'),
  '/wp-content/uploads/': wire(200, {}, '<title>Index of /sentinel</title>'),
  '/readme.html': wire(200, {}, '<title>WordPress &#8250; ReadMe</title>'),
  '/xmlrpc.php': wire(405, {}, 'XML-RPC server accepts POST requests only.'),
  '/wp-json/wp/v2/users?per_page=1': wire(200, {}, '[{"id":1,"name":"sentinel","slug":"sentinel"}]'),
  '/?author=1': wire(301, { Location: '/author/sentinel/' }),
};
const exposed: Answers = (path) => EXPOSED[path] ?? notFound;

const SELF_SIGNED = 'certificate_self_signed';

describe('a surface scan', () => {
  test('of a secure site finds only the certificate that this test created', async () => {
    const { ids } = await scan({ https: good, http: toHttps });
    expect(ids).toEqual([SELF_SIGNED]);
  });

  test('of a careless site finds all problems, and repeats no content', async () => {
    const { ids, findings } = await scan({
      https: exposed,
      http: exposed,
      tls: { ...certificate('other.com', { days: 5 }), minVersion: 'TLSv1.1' },
    });
    expect(ids.toSorted()).toEqual(
      [
        ...['certificate_expires_soon', 'certificate_name_mismatch', SELF_SIGNED, 'tls_legacy_version'],
        ...[
          'environment_file_exposed',
          'config_backup_exposed',
          'database_dump_exposed',
          'debug_log_exposed',
        ],
        ...['git_repository_exposed', 'directory_listing', 'version_files', 'http_not_redirected'],
        ...['xmlrpc_enabled', 'user_enumeration_api', 'user_enumeration_author'],
        ...['hsts_missing', 'framing_allowed', 'csp_missing', 'content_type_options_missing'],
        ...['referrer_policy_missing', 'permissions_policy_missing'],
        ...['cookie_without_secure', 'session_cookie_without_httponly', 'cookie_without_samesite'],
        ...['server_version', 'product_headers', 'generator_version'],
      ].toSorted(),
    );
    expect(JSON.stringify(findings)).not.toContain('sentinel');
  });

  test('of a site with at most TLS 1.1 reports both old versions', async () => {
    const { ids } = await scan({
      https: good,
      http: good,
      tls: { ...CERTIFICATE, minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1' },
    });
    expect(ids).toEqual(expect.arrayContaining(['https_missing', 'tls_legacy_version']));
  });

  test('of a site without HTTPS checks the HTTP site', async () => {
    const { ids } = await scan({ http: exposed });
    expect(ids).toContain('https_missing');
    expect(ids).toContain('git_repository_exposed');
    expect(ids).not.toContain('hsts_missing');
  });

  const page = (body: string) => wire(200, { ...GOOD, 'Content-Type': 'text/html' }, body);
  test.each<[string, Answers]>([
    ['answers 200 to everything', () => page('<html><title>Shop</title>APP_KEY=1\nref: refs/</html>')],
    [
      'has one page for every path',
      () => page('<!doctype html><div id=root></div><script src=/a.js></script>'),
    ],
    [
      'repeats the requested path',
      (path) => wire(200, { ...GOOD, 'Content-Type': 'text/plain' }, path.slice(1)),
    ],
    ['repeats it in a page', (path) => page(`<h1>${path} was not found: Index of ${path}</h1>`)],
    [
      'redirects every request to its home page',
      (path) => (path === '/' ? page('<p>Hi') : wire(302, { Location: '/' })),
    ],
    [
      'redirects every request to its login',
      (path) =>
        path.startsWith('/in?') ? page('<form>') : wire(302, { Location: `/in?to=/author${path}x` }),
    ],
  ])('of a site that %s finds no exposed files', async (_, https) => {
    const { ids } = await scan({ https, http: toHttps });
    expect(ids).toEqual([SELF_SIGNED]);
  });

  test('of a site that refuses every visitor reports that nothing was checked', async () => {
    const waf: Answers = () => wire(403, { Server: 'waf/1.0', 'Set-Cookie': 'sid=1' }, 'APP_KEY=1');
    const { ids } = await scan({ https: waf, http: waf });
    expect(ids).toEqual([SELF_SIGNED, 'home_page_not_judged', 'scan_incomplete']);
  });

  test('follows the site to its other name and checks that', async () => {
    const { ids, secure } = await scan({
      https: (path, _, head) =>
        head.includes('Host: www.shop.com')
          ? exposed(path, _, head)
          : wire(301, { Location: 'https://www.shop.com/' }),
      http: toHttps,
    });
    expect(ids).toContain('git_repository_exposed');
    const probes = secure?.heads.filter((head) => head.startsWith('GET /.git/HEAD ')) ?? [];
    expect(probes).toEqual([expect.stringContaining('Host: www.shop.com\r\n')]);
  });

  test('checks the path of the site on its host', async () => {
    const below: Answers = (path, socket, head) =>
      path === '/blog/.git/HEAD' ? wire(200, {}, 'ref: refs/heads/main') : good(path, socket, head);
    const { findings, secure } = await scan({ https: below, siteUrl: 'https://shop.com/blog' });
    expect(findings.find(({ id }) => id === 'git_repository_exposed')?.evidence).toStartWith(
      'https://shop.com/blog/.git/HEAD (200): ',
    );
    expect(secure?.paths()).toContain('/blog/');
    expect(secure?.paths()).toContain('/blog/xmlrpc.php');
    expect(secure?.paths().every((path) => path.startsWith('/blog/'))).toBe(true);
  });

  test('sends only GET, identifies itself, and stays within 25 requests even through redirects', async () => {
    let hops = 0;
    const loop: Answers = (path) => {
      hops += 1;
      return path.startsWith('/hop') || path === '/' ? wire(302, { Location: `/hop${hops}` }) : notFound;
    };
    const { connections, secure, plain } = await scan({ https: loop, http: loop });
    expect(connections).toBe(25);
    for (const head of [...(secure?.heads ?? []), ...(plain?.heads ?? [])]) {
      if (!head.startsWith('GET ')) continue;
      expect(head).toContain("\r\nUser-Agent: Redoubt/1.2.3 (site check requested by the site's owner)\r\n");
      expect(head).not.toMatch(/cookie|authorization|referer|x-forwarded/i);
    }
  });

  test('sends at most four requests at a time', async () => {
    let open = 0;
    let most = 0;
    const counting: Answers = (path, socket) => {
      if (path === '/') return wire(200, GOOD);
      most = Math.max(most, ++open);
      setTimeout(() => {
        open -= 1;
        socket.end(notFound);
      }, 5);
      return undefined;
    };
    await scan({ http: counting });
    expect(most).toBe(4);
  });

  test('of a site with a private address has the same result as for a missing site', async () => {
    const inside = await scan({ options: { network: fakeNetwork({ 'shop.com': [['10.0.0.7']] }, {}) } });
    const dead = await scan({ options: { network: fakeNetwork({ 'shop.com': [[PUBLIC]] }, {}) } });
    const unknown = await scan({ options: { network: fakeNetwork({}, {}) } });
    expect(inside.ids).toEqual(['site_unreachable']);
    expect(inside.findings).toEqual(dead.findings);
    expect(inside.findings).toEqual(unknown.findings);
  });

  test('that runs out of time returns what it found, and that it is incomplete', async () => {
    const slow: Answers = (path, socket, head) => (path === '/' ? good(path, socket, head) : undefined);
    const startedAt = performance.now();
    const { ids, findings } = await scan({ https: slow, http: toHttps, options: { totalMsMax: 500 } });
    expect(performance.now() - startedAt).toBeLessThan(3_000);
    expect(ids).toEqual([SELF_SIGNED, 'scan_incomplete']);
    expect(findings.at(-1)?.evidence).toStartWith('0 of 15 paths');
  });
});

test.each<[string, boolean, unknown]>([
  ['shop.com', false, ['shop.com', 'https://shop.com', 'http://shop.com', '/']],
  ['www.Shop.com.', false, ['shop.com', 'https://www.shop.com', 'http://www.shop.com', '/']],
  ['http://shop.com/blog?x#y', false, ['shop.com', 'https://shop.com', 'http://shop.com', '/blog/']],
  ['https://shop.com/a/index.php', false, ['shop.com', 'https://shop.com', 'http://shop.com', '/a/']],
  [
    'https://shop.com//other.com:22/',
    false,
    ['shop.com', 'https://shop.com', 'http://shop.com', '/other.com:22/'],
  ],
  ['shop.com\\\\other.com\\', false, ['shop.com', 'https://shop.com', 'http://shop.com', '/other.com/']],
  ['shop.com/.///other.com/', false, ['shop.com', 'https://shop.com', 'http://shop.com', '/other.com/']],
  ['https://shop.com:443/', false, ['shop.com', 'https://shop.com', 'http://shop.com', '/']],
  ['https://shop.com:8443/', true, ['shop.com', 'https://shop.com:8443', null, '/']],
  ['http://localhost:8080', true, ['localhost', null, 'http://localhost:8080', '/']],
  ['localhost:8443', true, ['localhost', 'https://localhost:8443', null, '/']],
  ['https://shop.com:8443/', false, undefined],
  ['http://shop.com:443/', false, undefined],
  ['user@shop.com', false, undefined],
  ['ftp://shop.com', false, undefined],
  ['javascript:alert(1)', true, undefined],
  ['', true, undefined],
])('%p with ports %p is the target %p', (text, allowPorts, expected) => {
  const target = surfaceTarget(text, allowPorts);
  expect(target && [target.domain, target.httpsOrigin, target.httpOrigin, target.basePath]).toEqual(
    expected as never,
  );
});

test.each<[string, boolean]>([
  ['shop.com', true],
  ['WWW.shop.com', true],
  ['a.b.shop.com', true],
  ['notshop.com', false],
  ['shop.com.evil.org', false],
  ['com', false],
  ['169.254.169.254', false],
  ['[::1]', false],
  ['', false],
])('a redirect to %p stays on shop.com: %p', (host, expected) => {
  expect(isOfSite('shop.com', host)).toBe(expected);
});

describe('without an answer', () => {
  const OTHER = '93.184.216.35';
  const failing = (code: string) => Promise.reject(Object.assign(new Error('getaddrinfo'), { code }));

  /** The result of a scan of shop.com in a network without answers. */
  async function outcome(
    names: Record<string, readonly string[]> | ((name: string) => Promise<readonly string[]>),
    cutOff: readonly string[] = [],
    siteUrl = 'shop.com',
  ) {
    const network = fakeNetwork({}, {}, cutOff);
    const lookup =
      typeof names === 'function' ? names : async (name: string) => names[name] ?? failing('ENOTFOUND');
    const survey = createSiteSurvey({
      network: { ...network, lookup },
      allowPrivate: false,
      version: '1.2.3',
      now: Date.now,
      totalMsMax: 1_000,
    });
    const target = surfaceTarget(siteUrl, false);
    if (target === undefined) throw new Error('not a target');
    const observation = await survey(target);
    return observation === 'cut_off' ? observation : judgeSurface(observation).map(({ id }) => id);
  }

  test.each([
    ['no name can be resolved', () => failing('EAI_AGAIN')],
    ['the resolver refuses everything', () => failing('EAI_FAIL')],
    [
      'the resolver does not answer',
      (name: string) => (name === 'shop.com' ? new Promise<never>(() => {}) : failing('EAI_AGAIN')),
    ],
  ])('because %s, there is no result for the site', async (_, lookup) => {
    expect(await outcome(lookup)).toBe('cut_off');
  });

  test.each([
    ['the name does not exist', 'ENOTFOUND'],
    ['the name has no address', 'ENODATA'],
    ['only this name cannot be resolved', 'EAI_AGAIN'],
  ])('because %s, the site gets a finding', async (_, code) => {
    expect(await outcome((name) => failing(name === 'shop.com' ? code : 'ENOTFOUND'))).toEqual([
      'site_unreachable',
    ]);
  });

  test('although this host has a network, the site gets a finding', async () => {
    expect(await outcome({ 'shop.com': [PUBLIC] })).toEqual(['site_unreachable']);
    expect(await outcome({ 'shop.com': [PUBLIC, OTHER] }, [OTHER])).toEqual(['site_unreachable']);
    expect(await outcome({ [PUBLIC]: [PUBLIC] }, [], PUBLIC)).toEqual(['site_unreachable']);
  });

  test('because this host has no network, there is no result for the site', async () => {
    expect(await outcome({ 'shop.com': [PUBLIC, OTHER] }, [PUBLIC, OTHER])).toBe('cut_off');
    expect(await outcome({ [PUBLIC]: [PUBLIC] }, [PUBLIC], PUBLIC)).toBe('cut_off');
  });

  test('of a name with a private address, the network is not checked', async () => {
    expect(await outcome({ 'shop.com': ['10.0.0.1'] }, ['10.0.0.1'])).toEqual(['site_unreachable']);
  });
});
