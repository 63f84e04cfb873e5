import { describe, expect, test } from 'bun:test';
import { SEVERITIES } from '../../../src/domain/severity.ts';
import type { SurfaceObservation } from '../../../src/domain/surface/observation.ts';
import { PROBE_IDS, type ProbeId } from '../../../src/domain/surface/probes.ts';
import { judgeSurface, SURFACE_RULES } from '../../../src/domain/surface/surface.ts';
import type { SiteResponse } from '../../../src/domain/surface/visit.ts';
import { processorMs } from '../../support/processor-ms.ts';
import {
  AT,
  days,
  GOOD_HEADERS,
  GOOD_TLS,
  homeWith,
  observation,
  response,
  tlsWith,
  visit,
} from '../../support/surface.ts';

type Change = Partial<SurfaceObservation>;

const text = (body: string) => response(200, { 'Content-Type': 'text/plain' }, body);
const html = (body: string) => response(200, { 'Content-Type': 'text/html' }, body);
const probe = (id: ProbeId, answer: SiteResponse): Change => ({ probes: { [id]: answer } });
const ok = response(200);

const CONFIG = "<?php\ndefine( 'DB_NAME', 'shop_sentinel' );\ndefine( 'DB_PASSWORD', 'secret_sentinel' );";
const USERS =
  '[{"id":1,"name":"Sentinel","slug":"user_sentinel","link":"https://shop.com/author/user_sentinel/"}]';
const LISTING =
  '<html><head><title>Index of /wp-content/uploads</title></head><body>file_sentinel.zip</body></html>';
/** Cookies that need no protection: a visitor's choice, a consent, a balancer's mark, and a deleted one. */
const NEEDLESS = [
  ...['pll_language=en', 'NEXT_LOCALE=de', 'cookieconsent_status=allow', 'cmplz_consent=1', 'theme=dark'],
  ...['currency=EUR', 'AWSALB=x; Path=/', '_ga=GA1.2.3', 'wordpress_test_cookie=WP%20Cookie%20check'],
  ...['PHPSESSID=deleted; Expires=Thu, 01-Jan-1970 00:00:01 GMT; Max-Age=0; path=/', 'sid=; Max-Age=-1'],
  'sid=; expires=Thu, 01 Jan 1970 00:00:00 GMT',
];
const REFUSED = [403, 405, 429, 503].map((status) =>
  response(status, { Server: 'waf/1.0', 'Set-Cookie': 'sid=1' }),
);
/** A site with one answer for every path. */
const everywhere = (answer: SiteResponse): Change => ({
  https: [visit('https://shop.com/', answer, GOOD_TLS)],
  control: answer,
  probes: Object.fromEntries(PROBE_IDS.map((id) => [id, answer])),
});

/** Only www has HTTPS, and HTTP redirects there. */
const ONLY_WWW: Change = {
  https: [visit('https://shop.com/', 'unreachable')],
  http: [
    visit('http://shop.com/', response(301, { Location: 'https://www.shop.com/' })),
    visit('https://www.shop.com/', response(200, GOOD_HEADERS), GOOD_TLS),
  ],
};

/** For each rule, a case that shows it and a similar one that does not. */
const CASES: Record<string, { shows: Change[]; not: Change[] }> = {
  site_unreachable: {
    shows: [
      { https: [visit('https://shop.com/', 'unreachable')], http: [visit('http://shop.com/', 'timeout')] },
      { https: [visit('https://shop.com/', 'forbidden_address')], http: [] },
    ],
    not: [{ https: [visit('https://shop.com/', 'unreachable')] }],
  },
  home_page_not_judged: {
    shows: [
      // 202 is a firewall's request for a proof of being a browser.
      ...[403, 503, 302, 202].map((status) => ({
        https: [visit('https://shop.com/', response(status), GOOD_TLS)],
      })),
      {
        https: [
          visit('https://shop.com/', response(301), GOOD_TLS),
          visit('https://in.shop.com/', 'forbidden_address'),
        ],
      },
    ],
    not: [{ https: [visit('https://shop.com/', 'timeout')], http: [visit('http://shop.com/', ok)] }],
  },
  scan_incomplete: {
    shows: [
      { probes: { readme: 'timeout' } },
      probe('readme', response(429)),
      probe('readme', response(503)),
      ...REFUSED.map(everywhere),
    ],
    not: [probe('readme', response(403)), everywhere(response(404))],
  },
  https_missing: {
    shows: (['tls_failed', 'unreachable', 'timeout', 'malformed'] as const).map((failure) => ({
      https: [visit('https://shop.com/', failure)],
      http: [visit('http://shop.com/', ok)],
    })),
    not: [{ https: [], http: [visit('http://shop.com:8080/', ok)] }, ONLY_WWW],
  },
  https_missing_at_address: {
    shows: [ONLY_WWW],
    not: [
      {
        https: [visit('https://shop.com/', 'unreachable')],
        http: [visit('http://shop.com/', response(301)), visit('https://www.shop.com/', 'timeout')],
      },
      // It answered at the second attempt.
      { https: [visit('https://shop.com/', 'timeout')] },
    ],
  },
  certificate_expired: {
    shows: [tlsWith({ validTo: AT - 1, chainProblem: 'CERT_HAS_EXPIRED' })],
    not: [tlsWith({ validTo: AT })],
  },
  certificate_not_yet_valid: {
    shows: [tlsWith({ validFrom: AT + 1, chainProblem: 'CERT_NOT_YET_VALID' })],
    not: [tlsWith({ validFrom: AT })],
  },
  certificate_name_mismatch: {
    shows: [
      tlsWith({ matchesHost: false }),
      {
        https: [
          visit('https://shop.com/', response(301), GOOD_TLS),
          visit('https://www.shop.com/', ok, { ...GOOD_TLS, matchesHost: false }),
        ],
      },
    ],
    not: [],
  },
  certificate_self_signed: {
    shows: [tlsWith({ selfSigned: true, chainProblem: 'DEPTH_ZERO_SELF_SIGNED_CERT' })],
    not: [tlsWith({ selfSigned: true })],
  },
  certificate_untrusted: {
    shows: [tlsWith({ chainProblem: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' })],
    not: [tlsWith({ chainProblem: 'CERT_HAS_EXPIRED', validTo: AT - 1 })],
  },
  certificate_expires_soon: {
    shows: [
      tlsWith({ validTo: AT + days(13) }),
      tlsWith({ validTo: AT }),
      tlsWith({ validFrom: AT - days(5), validTo: AT + days(1) }),
      tlsWith({ validFrom: AT, validTo: AT + days(5), chainProblem: 'DEPTH_ZERO_SELF_SIGNED_CERT' }),
    ],
    not: [
      tlsWith({ validTo: AT + days(14) }),
      tlsWith({ validTo: AT - 1 }),
      // Six days, as current authorities issue them, renewed half way.
      tlsWith({ validFrom: AT - days(3), validTo: AT + days(3) }),
    ],
  },
  tls_legacy_version: { shows: [{ legacyTls: true }], not: [{ legacyTls: null }] },
  http_not_redirected: {
    shows: [
      { http: [visit('http://shop.com/', ok)] },
      { http: [visit('http://shop.com/', response(302, { Location: 'http://other.com/' }))] },
      {
        https: [visit('https://shop.com/', response(302), GOOD_TLS), visit('http://shop.com/', ok)],
        http: [visit('http://shop.com/', ok)],
      },
    ],
    not: [
      { http: [visit('http://shop.com/', 'unreachable')] },
      { http: [visit('http://shop.com/', response(404))] },
      { http: [visit('http://shop.com/', response(301, { Location: 'HTTPS://other.com/' }))] },
      { http: [] },
    ],
  },
  environment_file_exposed: {
    shows: [
      probe(
        'environment_file',
        text('# Laravel\nAPP_KEY=base64:secret_sentinel\nDB_PASSWORD=secret_sentinel'),
      ),
      probe('environment_file', text('export SECRET=secret_sentinel')),
      probe('environment_file', html('\uFEFF\r\n\r\nSECRET = secret_sentinel')),
    ],
    not: [
      probe('environment_file', html('<html>\nAPP_KEY=x</html>')),
      probe('environment_file', text('Hello')),
      probe('environment_file', text('This page is not here.\nREQUEST=x')),
      probe('environment_file', response(200, { 'Content-Type': 'application/json' }, '{\n"a":\nAB_C=1}')),
      probe('environment_file', response(403, {}, 'APP_KEY=x')),
      probe('environment_file', ok),
    ],
  },
  config_backup_exposed: {
    shows: [
      ...(['config_bak', 'config_old', 'config_save', 'config_tilde'] as const).map((id) =>
        probe(id, text(CONFIG)),
      ),
      probe('config_bak', html(`\n${CONFIG}`)),
      probe('config_swap', text('b0VIM 8.2 secret_sentinel')),
    ],
    not: [
      probe('config_bak', html('<html>How to set DB_PASSWORD</html>')),
      probe('config_bak', response(404, {}, CONFIG)),
      probe('config_bak', text('<?php echo 1;')),
      probe('config_bak', html(`<!doctype html><h1>How to write one</h1><pre>${CONFIG}</pre>`)),
    ],
  },
  database_dump_exposed: {
    shows: [
      probe('database_dump', text('-- MySQL dump 10.13\n--\nsecret_sentinel')),
      probe('database_dump', text('/* x */\nCREATE TABLE `user_sentinel` (')),
    ],
    not: [probe('database_dump', html('<p>\n-- MySQL dump'))],
  },
  git_repository_exposed: {
    shows: [
      probe('git_head', text('ref: refs/heads/branch_sentinel\n')),
      probe('git_head', text(`${'0a'.repeat(20)}\n`)),
      probe('git_head', text(`${'0a'.repeat(32)}\n`)),
      probe('git_head', html('ref: refs/heads/branch_sentinel\n')),
    ],
    not: [
      probe('git_head', text('reference')),
      probe('git_head', text('0a'.repeat(21))),
      probe('git_head', response(403, {}, 'ref: refs/heads/main')),
      probe('git_head', html('ref: refs/heads/main<br>is what you would like to see')),
    ],
  },
  debug_log_exposed: {
    shows: [
      probe('debug_log', text('[14-Jun-2026 09:00:00 UTC] PHP Notice:  secret_sentinel in /var/www/x.php')),
    ],
    not: [
      probe('debug_log', text('[info] started')),
      probe('debug_log', html('<html>[14-Jun-2026 09:00:00</html>')),
    ],
  },
  directory_listing: {
    shows: [
      probe('uploads', html(LISTING)),
      probe('uploads', html('<title>Directory listing for /</title>')),
    ],
    not: [
      probe('uploads', html('<title>An index of things</title>')),
      probe('uploads', html('<title>Index of Happiness | Blog</title>')),
      probe('uploads', html('<title>Index of /wp-content/uploads and how to hide it</title>')),
      probe('uploads', response(403, {}, LISTING)),
    ],
  },
  home_directory_listing: {
    shows: [homeWith({}, LISTING)],
    not: [homeWith({}, '<title>Index of Economic Freedom</title>')],
  },
  version_files: {
    shows: [
      probe('readme', html('<title>WordPress &#8250; ReadMe</title>')),
      probe('license', text('WordPress - Web publishing software\n')),
    ],
    not: [probe('readme', html('<title>ReadMe</title>')), probe('license', text('MIT'))],
  },
  xmlrpc_enabled: {
    shows: [probe('xmlrpc', response(405, {}, 'XML-RPC server accepts POST requests only.'))],
    not: [
      probe('xmlrpc', response(405, {}, 'Method not allowed')),
      probe('xmlrpc', response(403, {}, 'XML-RPC server accepts POST requests only.')),
      probe('xmlrpc', html('<p>What "XML-RPC server accepts POST requests only." means</p>')),
    ],
  },
  user_enumeration_api: {
    shows: [probe('users_api', text(USERS)), probe('users_api', text(USERS.slice(0, 60)))],
    not: [
      probe('users_api', text('[]')),
      probe('users_api', response(401, {}, USERS)),
      probe('users_api', text('{"code":"rest_no_route"}')),
    ],
  },
  user_enumeration_author: {
    shows: [
      probe('author_archive', response(301, { Location: 'https://shop.com/author/user_sentinel/' })),
      probe('author_archive', html('<html><body class="archive author author-user_sentinel author-1">')),
    ],
    not: [
      probe('author_archive', response(301, { Location: 'https://shop.com/' })),
      probe('author_archive', response(302, { Location: '/login?next=/author/1' })),
      probe('author_archive', response(301, { Location: '/author/1/' })),
      probe('author_archive', html('<html><body class="home magazine author-1">')),
      probe('author_archive', html('<html><body class="home"><p class="author-1">')),
    ],
  },
  hsts_missing: {
    shows: [undefined, 'max-age=0', 'nonsense', ['max-age=0', 'max-age=31536000']].map((value) =>
      homeWith({ 'Strict-Transport-Security': value }),
    ),
    not: [
      { https: [], http: [visit('http://shop.com/', ok)] },
      ...['https://93.184.216.34/', 'https://[2606:4700::1111]/'].map((url) => ({
        https: [visit(url, ok, GOOD_TLS)],
      })),
    ],
  },
  hsts_short: {
    shows: [homeWith({ 'Strict-Transport-Security': 'max-age=15551999' })],
    not: [homeWith({ 'Strict-Transport-Security': 'includeSubDomains; MAX-AGE="15552000"' })],
  },
  framing_allowed: {
    shows: [
      homeWith({ 'Content-Security-Policy': "default-src 'self'" }),
      homeWith({ 'Content-Security-Policy': "default-src 'self'", 'X-Frame-Options': 'ALLOWALL' }),
      homeWith({ 'Content-Security-Policy': 'frame-ancestors *', 'X-Frame-Options': 'DENY' }),
      homeWith({
        'Content-Security-Policy': "default-src 'self'",
        'Content-Security-Policy-Report-Only': "frame-ancestors 'none'",
      }),
    ],
    not: [
      homeWith({ 'Content-Security-Policy': "default-src 'self'", 'X-Frame-Options': 'sameorigin' }),
      homeWith({ 'Content-Security-Policy': ["default-src 'self'", 'frame-ancestors https://a.com'] }),
      homeWith({ 'Content-Security-Policy': "frame-ancestors *, Frame-Ancestors 'self'" }),
      homeWith({ 'Content-Security-Policy': undefined, 'X-Frame-Options': ['SAMEORIGIN', 'SAMEORIGIN'] }),
      homeWith({ 'Content-Security-Policy': undefined, 'Content-Type': 'application/json' }),
    ],
  },
  csp_missing: {
    shows: [
      homeWith({ 'Content-Security-Policy': undefined }),
      homeWith({
        'Content-Security-Policy': undefined,
        'Content-Security-Policy-Report-Only': "default-src 'self'",
      }),
    ],
    not: [
      homeWith({ 'Content-Security-Policy': undefined, 'Content-Type': 'text/plain' }),
      homeWith(
        { 'Content-Security-Policy': undefined },
        `<meta http-equiv="Content-Security-Policy" content="default-src 'self'">`,
      ),
    ],
  },
  csp_weak: {
    shows: [
      homeWith({ 'Content-Security-Policy': "frame-ancestors 'self'; upgrade-insecure-requests" }),
      homeWith({ 'Content-Security-Policy': "script-src 'self' 'UNSAFE-INLINE'; frame-ancestors 'self'" }),
      homeWith({ 'Content-Security-Policy': 'default-src https: data:; frame-ancestors *' }),
    ],
    not: [
      homeWith({
        'Content-Security-Policy': "script-src 'nonce-abc' 'unsafe-inline'; frame-ancestors 'self'",
      }),
      homeWith({
        'Content-Security-Policy':
          "script-src 'nonce-abc' 'strict-dynamic' https: data: 'unsafe-inline'; frame-ancestors 'self'",
      }),
      homeWith({ 'Content-Security-Policy': "script-src 'self' blob:; frame-ancestors 'self'" }),
      homeWith({ 'Content-Security-Policy': ["script-src 'unsafe-inline' https:", "script-src 'self'"] }),
      homeWith(
        { 'Content-Security-Policy': "frame-ancestors 'self'" },
        `<meta content="script-src 'self'" http-equiv=Content-Security-Policy>`,
      ),
      homeWith({
        'Content-Security-Policy': "script-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'",
      }),
    ],
  },
  content_type_options_missing: {
    shows: [
      homeWith({ 'X-Content-Type-Options': undefined }),
      homeWith({ 'X-Content-Type-Options': 'sniff' }),
    ],
    not: [homeWith({ 'X-Content-Type-Options': 'NoSniff' })],
  },
  referrer_policy_unsafe: {
    shows: [
      homeWith({ 'Referrer-Policy': 'unsafe-url' }),
      homeWith({ 'Referrer-Policy': 'same-origin, unsafe-url' }),
    ],
    not: [homeWith({ 'Referrer-Policy': 'unsafe-url, same-origin' })],
  },
  referrer_policy_missing: {
    shows: [homeWith({ 'Referrer-Policy': undefined })],
    not: [homeWith({ 'Referrer-Policy': undefined }, '<meta name="referrer" content="same-origin">')],
  },
  permissions_policy_missing: {
    shows: [homeWith({ 'Permissions-Policy': undefined })],
    not: [homeWith({ 'Permissions-Policy': undefined, 'Content-Type': 'image/png' })],
  },
  cookie_without_secure: {
    shows: [homeWith({ 'Set-Cookie': ['a=1; SameSite=Lax', 'b=value_sentinel; SameSite=Lax; secured=1'] })],
    not: [
      homeWith({ 'Set-Cookie': 'a=1;SECURE ;samesite=lax' }),
      homeWith({ 'Set-Cookie': undefined }),
      homeWith({ 'Set-Cookie': NEEDLESS }),
      { https: [visit('https://shop.com/', response(403, { 'Set-Cookie': 'sid=1' }), GOOD_TLS)] },
    ],
  },
  session_cookie_without_httponly: {
    shows: [
      ...['PHPSESSID', 'wordpress_logged_in_1', 'authToken', 'connect.sid', '__Host-session', 'JSESSIONID'],
      ...[
        'ASP.NET_SessionId',
        'ASPSESSIONIDQQBRTCDA',
        'SSESS49960de5880e8c68',
        'laravel_session',
        '.ASPXAUTH',
      ],
      ...['next-auth.session-token', 'sb-access-token', 'sessionid', 'remember_web_59ba36addc'],
    ].map((name) => homeWith({ 'Set-Cookie': `${name}=value_sentinel; Secure; SameSite=Lax` })),
    not: [
      ...['XSRF-TOKEN', 'csrftoken', '_csrf_token', 'author', 'assessment', 'inside', 'language'],
      ...['tokenizer', 'cookies_accepted'],
    ].map((name) => homeWith({ 'Set-Cookie': `${name}=1; Secure; SameSite=Lax` })),
  },
  cookie_without_samesite: {
    shows: [homeWith({ 'Set-Cookie': 'basket=value_sentinel; Secure' })],
    not: [
      homeWith({ 'Set-Cookie': 'a=en; Secure; SameSite=None' }),
      homeWith({ 'Set-Cookie': [...NEEDLESS, 'XSRF-TOKEN=1; Secure'] }),
    ],
  },
  server_version: {
    shows: [homeWith({ Server: 'Apache/2.4.41 (Ubuntu)' })],
    not: [
      ...['cloudflare', 'nginx', 'Apache', 'cache-10.0.0.7'].map((value) => homeWith({ Server: value })),
      homeWith({ Server: undefined }),
      ...REFUSED.map(everywhere),
    ],
  },
  product_headers: {
    shows: [homeWith({ 'X-Powered-By': 'PHP/8.1.2' }), homeWith({ 'X-AspNet-Version': '4.0' })],
    not: [
      ...['PHP', 'ASP.NET', 'Express', 'Next.js', 'W3 Total Cache'].map((value) =>
        homeWith({ 'X-Powered-By': value }),
      ),
      homeWith({ 'X-Cache': 'HIT/1.1' }),
    ],
  },
  generator_version: {
    shows: [
      homeWith({}, '<meta name="generator" content="WordPress 6.5.2" />'),
      homeWith({}, "<META content='Joomla 4.1' NAME=generator>"),
    ],
    not: [
      homeWith(
        {},
        '<meta name="generator" content="WordPress"> <meta name="viewport" content="initial-scale=1.0">',
      ),
    ],
  },
};

const idsOf = (change: Change) => judgeSurface(observation(change)).map(({ id }) => id);

test('a secure site has no findings', () => {
  expect(judgeSurface(observation())).toEqual([]);
});

test('every rule has its cases here', () => {
  expect(Object.keys(CASES).sort()).toEqual(SURFACE_RULES.map(({ id }) => id).sort());
});

describe.each(Object.entries(CASES))('%s', (id, { shows, not }) => {
  test('is found in its case', () => {
    for (const change of shows) expect(idsOf(change)).toContain(id);
  });

  test('is not found in the similar one', () => {
    for (const change of not) expect(idsOf(change)).not.toContain(id);
  });

  test('describes the observation without repeating content, names or values', () => {
    for (const change of shows) {
      const found = judgeSurface(observation(change)).find((finding) => finding.id === id);
      expect(found?.evidence).toMatch(/^\S.+\.$/);
      expect(JSON.stringify(found)).not.toContain('sentinel');
    }
  });
});

test('a site with one answer for every path has no exposed files', () => {
  const bodies = [
    CONFIG,
    'APP_KEY=x',
    'ref: refs/heads/main',
    LISTING,
    USERS,
    'XML-RPC server accepts POST requests only',
  ];
  for (const body of bodies) {
    const answer = text(body);
    const change = { control: answer, probes: Object.fromEntries(PROBE_IDS.map((id) => [id, answer])) };
    expect(idsOf(change)).toEqual([]);
  }
});

test('headers and content of an error page are not judged', () => {
  expect(idsOf({ https: [visit('https://shop.com/', response(503, {}, LISTING), GOOD_TLS)] })).toEqual([
    'home_page_not_judged',
  ]);
});

test('a site that refuses every path gets only that finding', () => {
  for (const answer of REFUSED)
    expect(idsOf(everywhere(answer))).toEqual(['home_page_not_judged', 'scan_incomplete']);
});

test('a site with HTTPS under one name is judged by that name', () => {
  expect(idsOf(ONLY_WWW)).toEqual(['https_missing_at_address']);
});

test('evidence names the address of an exposed file', () => {
  const base = new URL('https://www.shop.com/blog/');
  const [found] = judgeSurface(observation({ base, ...probe('config_bak', text(CONFIG)) }));
  expect(found?.evidence).toStartWith('https://www.shop.com/blog/wp-config.php.bak (200): ');
});

test('the most severe findings come first', () => {
  const findings = judgeSurface(
    observation({
      ...homeWith({ 'Referrer-Policy': undefined, Server: 'a/1.2' }),
      ...probe('config_bak', text(CONFIG)),
    }),
  );
  const ranks = findings.map(({ severity }) => SEVERITIES.indexOf(severity));
  expect(ranks).toEqual([...ranks].sort((one, other) => other - one));
  expect(findings).toHaveLength(3);
});

test('each finding explains its relevance and the remedy', () => {
  for (const { recommendation, title } of SURFACE_RULES) {
    expect(title).not.toEndWith('.');
    expect(recommendation.split(/[.;:] /).length).toBeGreaterThanOrEqual(2);
  }
});

test('no page takes long to judge', () => {
  const pieces = [
    '<meta ',
    '<meta name=generator ',
    `<meta ${'a'.repeat(3_900)}>`,
    `<meta a${' '.repeat(3_900)}>`,
    '<title> ',
    '<body',
    '\n',
    ' ',
    'A',
    'AB\n',
    '<?php DB_',
    '[{"id":',
    ';',
    "'nonce-' ",
  ];
  for (const piece of pieces) {
    const body = piece.repeat(64 * 1024).slice(0, 64 * 1024);
    const value = body.replaceAll('\n', ' ').slice(0, 32 * 1024);
    const headers = { 'Content-Security-Policy': value, 'Referrer-Policy': value, 'Set-Cookie': value };
    const answer = response(200, { 'Strict-Transport-Security': value }, body);
    const probes = Object.fromEntries(PROBE_IDS.map((id) => [id, answer]));
    const startedAt = processorMs();
    judgeSurface(observation({ ...homeWith(headers, body), probes }));
    expect(processorMs() - startedAt).toBeLessThan(500);
  }
});
