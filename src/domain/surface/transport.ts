import { DAY_MS } from '../../lib/clock.ts';
import type { FindingRule } from '../finding.ts';
import { dayOf, type SurfaceObservation } from './observation.ts';
import { isResponse, redirectTarget, type TlsFacts, type VisitFailure } from './visit.ts';

/** Renewal by ACME happens 30 days ahead; half of that means that it has failed several times. */
const EXPIRES_SOON_DAYS = 14;
/** Of a life that is shorter than 42 days; certificates of six days are renewed half way. */
const EXPIRES_SOON_SHARE = 1 / 3;

type TransportRule = FindingRule<SurfaceObservation>;

/** Evidence from the first host along the redirects whose certificate shows it. */
const certificateRule = (
  rule: Omit<TransportRule, 'see'>,
  shows: (facts: TlsFacts, atMs: number) => string | undefined,
): TransportRule => ({
  ...rule,
  see({ https, http, at }) {
    for (const { url, tls } of [...https, ...http]) {
      const seen = tls ? shows(tls, at) : undefined;
      if (seen !== undefined) return `The certificate of ${url.hostname} ${seen}.`;
    }
    return undefined;
  },
});

/** Certificates issued for days are renewed automatically; handmade ones are not. */
function expiresSoonMs({ validFrom, validTo, chainProblem }: TlsFacts): number {
  const lifeMs = chainProblem === null ? validTo - validFrom : Number.POSITIVE_INFINITY;
  return Math.min(EXPIRES_SOON_DAYS * DAY_MS, lifeMs * EXPIRES_SOON_SHARE);
}

const HTTPS_FAILURES: Readonly<Partial<Record<VisitFailure, string>>> = {
  tls_failed: 'The HTTPS port is open, but no TLS 1.2 or 1.3 handshake succeeded.',
  timeout: 'There was no HTTPS response in time.',
  malformed: 'There was no HTTP response after the TLS handshake.',
};

/** How HTTPS failed at the site's address, while HTTP answers; undefined when it did not. */
function httpsFailure({ https, http }: SurfaceObservation): VisitFailure | undefined {
  const first = https[0]?.answer;
  return typeof first === 'string' && isResponse(http[0]?.answer) ? first : undefined;
}

/** Where HTTP leads to that does answer by HTTPS, such as the name with www. */
const securePlace = ({ http }: SurfaceObservation) =>
  http.find(({ url, answer }) => url.protocol === 'https:' && isResponse(answer))?.url;

export const TRANSPORT_RULES: readonly TransportRule[] = [
  {
    id: 'https_missing',
    severity: 'high',
    title: 'The site does not support HTTPS',
    recommendation:
      'Without TLS, others on the network can read and change everything that visitors send and see, including logins. ' +
      'Install a certificate, for example with ACME from Let’s Encrypt, and serve every page over HTTPS.',
    see(observation) {
      const failure = httpsFailure(observation);
      if (failure === undefined || securePlace(observation)) return undefined;
      return HTTPS_FAILURES[failure] ?? 'HTTP responds, HTTPS does not.';
    },
  },
  {
    id: 'https_missing_at_address',
    severity: 'low',
    title: 'One address of the site does not support HTTPS',
    recommendation:
      'Browsers try https first, and fall back to http or show an error. Serve this name over HTTPS too, with a ' +
      'certificate that names it, and redirect from there.',
    see(observation) {
      const place = httpsFailure(observation) && securePlace(observation)?.origin;
      const address = observation.https[0]?.url.origin;
      return place && place !== address
        ? `HTTP leads to ${place}, but ${address} does not respond.`
        : undefined;
    },
  },
  certificateRule(
    {
      id: 'certificate_expired',
      severity: 'high',
      title: 'The certificate has expired',
      recommendation:
        'Browsers show a warning instead of the site, and visitors who get used to dismissing it are easy to ' +
        'attack. Renew the certificate and automate its renewal.',
    },
    ({ validTo }, at) => (at > validTo ? `was valid until ${dayOf(validTo)}` : undefined),
  ),
  certificateRule(
    {
      id: 'certificate_not_yet_valid',
      severity: 'high',
      title: 'The certificate is not valid yet',
      recommendation:
        'Browsers show a warning instead of the site. Check the clock of the issuer, and install a ' +
        'certificate that is valid now.',
    },
    ({ validFrom }, at) => (at < validFrom ? `is valid from ${dayOf(validFrom)}` : undefined),
  ),
  certificateRule(
    {
      id: 'certificate_name_mismatch',
      severity: 'high',
      title: 'The certificate is for another name',
      recommendation:
        'Browsers cannot distinguish this site from an impostor and warn their users. Issue a certificate that contains ' +
        'every host of the site, with and without www, among its subject alternative names.',
    },
    ({ matchesHost }) => (matchesHost ? undefined : 'does not name this host'),
  ),
  certificateRule(
    {
      id: 'certificate_self_signed',
      severity: 'high',
      title: 'The certificate is self-signed',
      recommendation:
        'No authority confirms it, so anyone can create one that looks the same. Use a certificate of a public ' +
        'authority.',
    },
    ({ selfSigned, chainProblem }) =>
      selfSigned && chainProblem !== null ? 'names itself as its issuer' : undefined,
  ),
  certificateRule(
    {
      id: 'certificate_untrusted',
      severity: 'medium',
      title: 'The certificate’s chain does not lead to a trusted authority',
      recommendation:
        'Some clients will refuse the site, others will warn. Most often the intermediate certificate is not ' +
        'sent: configure the full chain, and use a public authority.',
    },
    ({ selfSigned, chainProblem, validFrom, validTo }, at) =>
      chainProblem !== null && !selfSigned && at >= validFrom && at <= validTo
        ? `failed verification with ${chainProblem}`
        : undefined,
  ),
  certificateRule(
    {
      id: 'certificate_expires_soon',
      severity: 'medium',
      title: `The certificate expires within ${EXPIRES_SOON_DAYS} days`,
      recommendation:
        'When it expires, browsers block the site. Renew it now, and find out why automatic renewal failed.',
    },
    (facts, at) =>
      at <= facts.validTo && facts.validTo - at < expiresSoonMs(facts)
        ? `is valid until ${dayOf(facts.validTo)}`
        : undefined,
  ),
  {
    id: 'tls_legacy_version',
    severity: 'medium',
    title: 'The server still supports TLS 1.0 or 1.1',
    recommendation:
      'Both are deprecated (RFC 8996): their hashes are broken, and payment standards forbid them. Allow TLS 1.2 ' +
      'and 1.3 only.',
    see: ({ legacyTls }) =>
      legacyTls ? 'The server accepted a handshake that offered at most TLS 1.1.' : undefined,
  },
  {
    id: 'http_not_redirected',
    severity: 'medium',
    title: 'HTTP is served without a redirect to HTTPS',
    recommendation:
      'Visitors who type the address without https can be intercepted. Redirect every ' +
      'http address to its https address with 301 or 308.',
    see({ http, https }) {
      const last = http.at(-1);
      if (!isResponse(https[0]?.answer) || !isResponse(last?.answer)) return undefined;
      if (last.url.protocol !== 'http:' || last.answer.status >= 400) return undefined;
      if (redirectTarget(last)?.protocol === 'https:') return undefined;
      return `http://${last.url.host}/ returned ${last.answer.status} and did not lead to https.`;
    },
  },
];
