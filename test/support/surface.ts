import type { SurfaceObservation } from '../../src/domain/surface/observation.ts';
import { PROBE_IDS } from '../../src/domain/surface/probes.ts';
import type { SiteResponse, TlsFacts, Visit } from '../../src/domain/surface/visit.ts';

export const AT = Date.UTC(2026, 5, 15, 12);
export const days = (count: number) => count * 86_400_000;

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

export const response = (status: number, headers: Headers = {}, body = ''): SiteResponse => ({
  status,
  headers: new Map(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toLowerCase(), typeof value === 'string' ? [value] : value] as const],
    ),
  ),
  body,
  isWhole: true,
});

/** Headers without findings. */
export const GOOD_HEADERS: Headers = {
  'Content-Type': 'text/html; charset=utf-8',
  'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
  'Content-Security-Policy': "default-src 'self'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'Permissions-Policy': 'camera=()',
  Server: 'nginx',
  'Set-Cookie': 'session=1; Secure; HttpOnly; SameSite=Lax; Path=/',
};

export const GOOD_TLS: TlsFacts = {
  protocol: 'TLSv1.3',
  validFrom: AT - days(30),
  validTo: AT + days(60),
  matchesHost: true,
  selfSigned: false,
  chainProblem: null,
};

export const visit = (url: string, answer: Visit['answer'], tls: TlsFacts | null = null): Visit => ({
  url: new URL(url),
  answer,
  tls,
});

/** The home page by HTTPS, with some headers replaced, or with none at all when undefined. */
export const homeWith = (headers: Headers, body = '<html><body>Welcome</body></html>') => ({
  https: [visit('https://shop.com/', response(200, { ...GOOD_HEADERS, ...headers }, body), GOOD_TLS)],
});

export const tlsWith = (facts: Partial<TlsFacts>) => ({
  https: [visit('https://shop.com/', response(200, GOOD_HEADERS), { ...GOOD_TLS, ...facts })],
});

const NOT_FOUND = response(404, { 'Content-Type': 'text/html' }, '<html>Not found</html>');

/** A site without findings, with the given changes. */
export const observation = (changed: Partial<SurfaceObservation> = {}): SurfaceObservation => ({
  at: AT,
  base: new URL('https://shop.com/'),
  ...homeWith({}),
  http: [
    visit('http://shop.com/', response(301, { Location: 'https://shop.com/' })),
    visit('https://shop.com/', response(200, GOOD_HEADERS), GOOD_TLS),
  ],
  legacyTls: false,
  control: NOT_FOUND,
  ...changed,
  probes: { ...Object.fromEntries(PROBE_IDS.map((id) => [id, NOT_FOUND])), ...changed.probes },
});
