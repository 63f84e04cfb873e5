import { DAY_MS, SECOND_MS } from '../../lib/clock.ts';
import type { FindingRule } from '../finding.ts';
import { framesAnywhere, hasPolicy, unsafeScriptSources } from './csp.ts';
import { isPage, metaContents } from './html.ts';
import { homePage, type SurfaceObservation } from './observation.ts';
import { headerOf, type SiteResponse } from './visit.ts';

/** What Mozilla's Observatory asks for at least. */
const HSTS_DAYS_MIN = 180;

type HeaderRule = FindingRule<SurfaceObservation>;

/** A rule on the headers of any home page. */
const headerRule = (
  rule: Omit<HeaderRule, 'see'>,
  see: (page: SiteResponse, url: URL) => string | undefined,
): HeaderRule => ({
  ...rule,
  see(observation) {
    const home = homePage(observation);
    return home && see(home.answer, home.url);
  },
});

/** A rule on a home page that a browser shows: data and pictures run no scripts. */
const pageRule = (
  rule: Omit<HeaderRule, 'see'>,
  see: (page: SiteResponse) => string | undefined,
): HeaderRule => headerRule(rule, (page) => (isPage(page) ? see(page) : undefined));

const absent = (page: SiteResponse, name: string) =>
  headerOf(page, name.toLowerCase()) === undefined ? `The home page has no ${name} header.` : undefined;

/** Of several headers browsers heed the first (RFC 6797, section 8.1). */
function hstsSeconds(page: SiteResponse): number | undefined {
  const [value = ''] = page.headers.get('strict-transport-security') ?? [];
  const seconds = /(?:^|;)\s*max-age\s*=\s*"?([0-9]{1,12})/i.exec(value)?.[1];
  return seconds === undefined ? undefined : Number(seconds);
}

/** Browsers heed the policy for names by HTTPS only (RFC 6797, section 8.1.1). */
const hasHsts = ({ protocol, hostname }: URL) => protocol === 'https:' && !/^\[|^[0-9.]+$/.test(hostname);

function hstsMissing(page: SiteResponse): string | undefined {
  const seconds = hstsSeconds(page);
  if (seconds === undefined) {
    return (
      absent(page, 'Strict-Transport-Security') ??
      'The Strict-Transport-Security header has no max-age, so browsers ignore it.'
    );
  }
  return seconds === 0 ? 'Strict-Transport-Security has a max-age of 0, which turns it off.' : undefined;
}

function framingAllowed(page: SiteResponse): string | undefined {
  const anywhere = framesAnywhere(page);
  if (anywhere !== undefined) {
    return anywhere ? 'frame-ancestors in the Content-Security-Policy allows every site.' : undefined;
  }
  const options = (headerOf(page, 'x-frame-options') ?? '').toLowerCase().split(',');
  return options.some((option) => ['deny', 'sameorigin'].includes(option.trim()))
    ? undefined
    : 'The home page has neither frame-ancestors in a Content-Security-Policy nor a valid X-Frame-Options.';
}

function policyMissing(page: SiteResponse): string | undefined {
  if (hasPolicy(page)) return undefined;
  return page.headers.has('content-security-policy-report-only')
    ? 'The home page has only a Content-Security-Policy-Report-Only header, which blocks nothing.'
    : 'The home page has no Content-Security-Policy header.';
}

export const HEADER_RULES: readonly HeaderRule[] = [
  headerRule(
    {
      id: 'hsts_missing',
      severity: 'medium',
      title: 'No HTTP Strict Transport Security',
      recommendation:
        'On a visitor’s first request by http, an attacker on the network can prevent the switch to https. ' +
        'Send "Strict-Transport-Security: max-age=31536000; includeSubDomains" once every host supports https.',
    },
    (page, url) => (hasHsts(url) ? hstsMissing(page) : undefined),
  ),
  headerRule(
    {
      id: 'hsts_short',
      severity: 'low',
      title: 'HTTP Strict Transport Security expires too soon',
      recommendation:
        'After it expires, a returning visitor is as easy to intercept as on the first visit. Raise max-age ' +
        'to a year (31536000).',
    },
    (page, url) => {
      const seconds = hasHsts(url) ? hstsSeconds(page) : undefined;
      return seconds && seconds * SECOND_MS < HSTS_DAYS_MIN * DAY_MS
        ? `Strict-Transport-Security has a max-age of ${seconds} seconds.`
        : undefined;
    },
  ),
  pageRule(
    {
      id: 'framing_allowed',
      severity: 'medium',
      title: 'Other sites can embed this one in a frame',
      recommendation:
        'An attacker’s page can place the site under its own buttons and trick users into clicking on it ' +
        '(clickjacking). Send "Content-Security-Policy: frame-ancestors \'self\'" or "X-Frame-Options: SAMEORIGIN".',
    },
    framingAllowed,
  ),
  pageRule(
    {
      id: 'csp_missing',
      severity: 'low',
      title: 'No Content-Security-Policy',
      recommendation:
        'Nothing stops an injected script. Start with ' +
        'Content-Security-Policy-Report-Only, then allow only the script sources that the site requires.',
    },
    policyMissing,
  ),
  pageRule(
    {
      id: 'csp_weak',
      severity: 'low',
      title: 'The Content-Security-Policy allows injected scripts',
      recommendation:
        'A policy that allows any script protects from little. List the script sources in script-src, use ' +
        'nonces or hashes instead of unsafe-inline, and avoid unsafe-eval.',
    },
    (page) => {
      if (!hasPolicy(page)) return undefined;
      const unsafe = unsafeScriptSources(page);
      if (unsafe === undefined) return 'The policy has neither script-src nor default-src.';
      return unsafe.length > 0 ? `The policy allows scripts from ${unsafe.join(', ')}.` : undefined;
    },
  ),
  headerRule(
    {
      id: 'content_type_options_missing',
      severity: 'low',
      title: 'Browsers may guess content types',
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
      title: 'Full addresses are sent to other sites',
      recommendation:
        'Addresses can contain search terms, reset tokens and order numbers. Send "Referrer-Policy: ' +
        'strict-origin-when-cross-origin".',
    },
    (page) =>
      /(?:unsafe-url|no-referrer-when-downgrade)\s*$/i.test(headerOf(page, 'referrer-policy') ?? '')
        ? 'Referrer-Policy sends the full address to other sites.'
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
    (page) =>
      metaContents(page, 'name', 'referrer').length > 0 ? undefined : absent(page, 'Referrer-Policy'),
  ),
  pageRule(
    {
      id: 'permissions_policy_missing',
      severity: 'info',
      title: 'No Permissions-Policy',
      recommendation:
        'An injected script or an embedded page can request camera, microphone and location in the site’s name. ' +
        'Send "Permissions-Policy: camera=(), microphone=(), geolocation=()", without the ones that the site requires.',
    },
    (page) => absent(page, 'Permissions-Policy'),
  ),
];
