import { DAY_MS, SECOND_MS } from '../../lib/clock.ts';
import type { FindingRule } from '../finding.ts';
import { cspDirectives, unsafeScriptSources } from './csp.ts';
import { headerOf, homePage, type SiteResponse, type SurfaceObservation } from './observation.ts';

/** What Mozilla's Observatory asks for at least. */
const HSTS_DAYS_MIN = 180;

type HeaderRule = FindingRule<SurfaceObservation>;

/** Rules on the headers of the home page; `overHttps` says whether it was read by HTTPS. */
const pageRule = (
  rule: Omit<HeaderRule, 'see'>,
  see: (page: SiteResponse, overHttps: boolean) => string | undefined,
): HeaderRule => ({
  ...rule,
  see(observation) {
    const home = homePage(observation);
    return home && see(home.answer, home.url.protocol === 'https:');
  },
});

const absent = (page: SiteResponse, name: string, shown: string) =>
  headerOf(page, name) === undefined ? `The home page has no ${shown} header.` : undefined;

function hstsSeconds(page: SiteResponse): number | undefined {
  const value = headerOf(page, 'strict-transport-security');
  return value === undefined ? undefined : Number(/max-age\s*=\s*"?([0-9]{1,12})/i.exec(value)?.[1] ?? 0);
}

const hasMetaCsp = ({ body }: SiteResponse) => /http-equiv=["']?content-security-policy/i.test(body);

export const HEADER_RULES: readonly HeaderRule[] = [
  pageRule(
    {
      id: 'hsts_missing',
      severity: 'medium',
      title: 'No HTTP Strict Transport Security',
      recommendation:
        'On a visitor’s first request by http, an attacker on the way can keep them from ever reaching https. ' +
        'Send "Strict-Transport-Security: max-age=31536000; includeSubDomains" once every host works by https.',
    },
    (page, overHttps) =>
      overHttps ? absent(page, 'strict-transport-security', 'Strict-Transport-Security') : undefined,
  ),
  pageRule(
    {
      id: 'hsts_short',
      severity: 'low',
      title: 'HTTP Strict Transport Security is forgotten too soon',
      recommendation:
        'A visitor who returns after it ran out is as open to interception as on the first visit. Raise max-age ' +
        'to a year (31536000).',
    },
    (page, overHttps) => {
      const seconds = hstsSeconds(page);
      const isShort = overHttps && seconds !== undefined && seconds * SECOND_MS < HSTS_DAYS_MIN * DAY_MS;
      return isShort ? `Strict-Transport-Security has a max-age of ${seconds} seconds.` : undefined;
    },
  ),
  pageRule(
    {
      id: 'framing_allowed',
      severity: 'medium',
      title: 'Other sites may show this one in a frame',
      recommendation:
        'A page of an attacker can lay the site under its own buttons and have users click what they do not see ' +
        '(clickjacking). Send "Content-Security-Policy: frame-ancestors \'self\'" or "X-Frame-Options: SAMEORIGIN".',
    },
    (page) => {
      const byPolicy = cspDirectives(page).has('frame-ancestors');
      const byHeader = /^(?:deny|sameorigin)\b/i.test(headerOf(page, 'x-frame-options') ?? '');
      return byPolicy || byHeader
        ? undefined
        : 'The home page has neither frame-ancestors in a Content-Security-Policy nor a valid X-Frame-Options.';
    },
  ),
  pageRule(
    {
      id: 'csp_missing',
      severity: 'low',
      title: 'No Content-Security-Policy',
      recommendation:
        'When somebody manages to inject a script, nothing stops it. Begin with ' +
        'Content-Security-Policy-Report-Only, then allow only the sources of scripts that the site needs.',
    },
    (page) =>
      hasMetaCsp(page) ? undefined : absent(page, 'content-security-policy', 'Content-Security-Policy'),
  ),
  pageRule(
    {
      id: 'csp_weak',
      severity: 'low',
      title: 'The Content-Security-Policy does not stop injected scripts',
      recommendation:
        'A policy that lets any script run protects from little. Name the sources of scripts in script-src, and ' +
        'use nonces or hashes in place of unsafe-inline.',
    },
    (page) => {
      if (headerOf(page, 'content-security-policy') === undefined) return undefined;
      const unsafe = unsafeScriptSources(page);
      if (unsafe === undefined) return 'The policy has neither script-src nor default-src.';
      return unsafe.length > 0 ? `The policy allows scripts from ${unsafe.join(', ')}.` : undefined;
    },
  ),
  pageRule(
    {
      id: 'content_type_options_missing',
      severity: 'low',
      title: 'Browsers may guess the type of content',
      recommendation:
        'An uploaded file that looks like a script can then run as one. Send "X-Content-Type-Options: nosniff".',
    },
    (page) =>
      /\bnosniff\b/i.test(headerOf(page, 'x-content-type-options') ?? '')
        ? undefined
        : 'The home page has no X-Content-Type-Options header with the value nosniff.',
  ),
  pageRule(
    {
      id: 'referrer_policy_unsafe',
      severity: 'low',
      title: 'Full addresses are told to other sites',
      recommendation:
        'Addresses can hold search terms, reset tokens and order numbers. Send "Referrer-Policy: ' +
        'strict-origin-when-cross-origin".',
    },
    (page) =>
      /(?:unsafe-url|no-referrer-when-downgrade)\s*$/i.test(headerOf(page, 'referrer-policy') ?? '')
        ? 'Referrer-Policy lets the full address leave the site.'
        : undefined,
  ),
  pageRule(
    {
      id: 'referrer_policy_missing',
      severity: 'info',
      title: 'No Referrer-Policy',
      recommendation:
        'Current browsers send only the origin to other sites, older ones the full address. Send ' +
        '"Referrer-Policy: strict-origin-when-cross-origin" to be sure.',
    },
    (page) => absent(page, 'referrer-policy', 'Referrer-Policy'),
  ),
  pageRule(
    {
      id: 'permissions_policy_missing',
      severity: 'info',
      title: 'No Permissions-Policy',
      recommendation:
        'An injected script or an embedded page may ask for camera, microphone and location in the site’s name. ' +
        'Send "Permissions-Policy: camera=(), microphone=(), geolocation=()" less what the site needs.',
    },
    (page) => absent(page, 'permissions-policy', 'Permissions-Policy'),
  ),
];
