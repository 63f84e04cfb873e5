import { type Static, Type as t } from '@sinclair/typebox';
import { challengeFor, isProvable } from '../domain/domain-control/challenge.ts';
import {
  CHECK_METHODS,
  type CheckMethod,
  CONTROL_METHODS,
  CONTROL_PROBLEMS,
  CONTROL_STATES,
  type ControlProblem,
  controlState,
  type DomainControl,
  nextCheckAt,
} from '../domain/domain-control/control.ts';
import { notRefused, refuse } from '../domain/refusal.ts';
import { bodySchema } from '../http/body.ts';
import { type Caller, KIB } from '../http/context.ts';
import { nullable, show, timestamp, typed } from '../http/contract/answers.ts';
import { TAGS } from '../http/contract/contract.ts';
import { meanings, oneOf } from '../http/fields.ts';
import { bearerRoute, jsonBody, shared } from '../http/route/index.ts';
import { HOUR_MS, isoOrNull } from '../lib/clock.ts';
import { Seats } from '../lib/seats.ts';
import { BucketRoom, TokenBuckets } from '../lib/token-bucket.ts';
import type { CheckControl } from '../outside/control-check.ts';
import { domainNotRegistered } from '../storage/sites/domain-controls.ts';
import { cutOff, scansDisabled } from './fields/outside-looks.ts';
import { findSite, SITE_ID } from './fields/site-path.ts';
import type { Parts } from './parts.ts';

/** Concurrent checks. Each takes up to 15 seconds. */
const CONCURRENT_CHECKS_MAX = 16;
/** Limit per license, so that checks do not overload a site. */
const CHECKS_PER_HOUR = 10;
const BUSY_RETRY_SECONDS = 5;

const VerificationRequest = bodySchema(
  'VerificationRequest',
  {
    method: oneOf(CHECK_METHODS, 'location of the proof: a file on the site, or its DNS', 'CheckMethod'),
    check: t.Optional(
      t.Boolean({
        description: 'true: check for the proof now; false (default): only return the instructions',
      }),
    ),
  },
  { method: 'http', check: true },
);

export const Verification = typed('SiteVerification', {
  state: oneOf(
    CONTROL_STATES,
    'whether the license controls the domain; `lapsed`: no longer',
    'ControlState',
  ),
  method: nullable(
    oneOf(CONTROL_METHODS, undefined, 'ControlMethod'),
    'method of the last check; `operator`: attested by the operator; null if never checked',
  ),
  token: t.String({ description: 'token of this license and domain; never changes' }),
  http_url: t.String({ description: 'URL of the file that must contain the token on its own line' }),
  dns_name: t.String({
    description: 'name of the TXT record that must contain `dns_value`, as an alternative to the file',
  }),
  dns_value: t.String({ description: 'string of the TXT record' }),
  verified_at: nullable(timestamp('time of the last successful check')),
  checked_at: nullable(timestamp('time of the last check')),
  next_check_at: nullable(timestamp('time of the next automatic check')),
  problem: nullable(
    oneOf(CONTROL_PROBLEMS, undefined, 'ControlProblem'),
    meanings('Reason why this check, or the last one, found no proof; null if it did', {
      not_found: 'no such file or record.',
      wrong_token: 'the file or record does not contain the token.',
      unreachable: 'no HTTPS response with a valid certificate for the domain.',
      redirected: 'redirected to another host or to plain HTTP.',
      dns_failed: 'DNS lookup failed.',
    } satisfies Record<ControlProblem, string>),
  ),
});
const EXAMPLE = {
  state: 'verified',
  method: 'http',
  token: 'Zk3v0xM1q8mJx5mB1n6mQ0uN2yq3Jr4s5tU6vW7xY8z',
  http_url: 'https://shop.example/.well-known/redoubt-challenge.txt',
  dns_name: '_redoubt-challenge.shop.example',
  dns_value: 'token=Zk3v0xM1q8mJx5mB1n6mQ0uN2yq3Jr4s5tU6vW7xY8z expiry=never',
  verified_at: '2026-11-22T09:30:00.000Z',
  checked_at: '2026-11-22T09:30:00.000Z',
  next_check_at: '2026-11-23T09:30:00.000Z',
  problem: null,
};

const SHOWN = { tag: TAGS.tenant, parameters: [SITE_ID] };

interface SiteVerificationParts extends Parts<'clock' | 'config' | 'identities' | 'tenantData' | 'writer'> {
  readonly checkControl: CheckControl;
}

const siteVerificationOf = shared(
  ({ tenantData, identities, checkControl, writer, clock, config }: SiteVerificationParts) => {
    const seats = new Seats<number>(CONCURRENT_CHECKS_MAX);
    const checks = new TokenBuckets(CHECKS_PER_HOUR, new BucketRoom(clock.monotonic), HOUR_MS);
    const challengeOf = (licenseId: number, domain: string) =>
      challengeFor(domain, identities.controlToken(licenseId, domain));

    const answerOf = (licenseId: number, domain: string, control: DomainControl | undefined) => {
      const { token, httpUrl, dnsName, dnsValue } = challengeOf(licenseId, domain);
      return {
        state: controlState(control, clock.now()),
        method: control?.method ?? null,
        token,
        http_url: httpUrl,
        dns_name: dnsName,
        dns_value: dnsValue,
        verified_at: isoOrNull(control?.verifiedAt ?? null),
        checked_at: isoOrNull(control?.checkedAt ?? null),
        next_check_at: isoOrNull(control ? nextCheckAt(control) : null),
        problem: control?.problem ?? null,
      };
    };

    const read = async ({ id: licenseId, domains }: Caller['license'], publicId: string) => {
      const { domain } = await findSite(tenantData, licenseId, publicId);
      if (!domains.includes(domain)) throw domainNotRegistered();
      const control = await tenantData.domainControls.find(licenseId, domain);
      if (control?.method !== 'operator' && !isProvable(domain, config.scanAllowPrivate)) throw notProvable();
      return { domain, control };
    };

    /** Checks for the proof now, and stores the result. */
    const checkProof = async ({ license, author: by }: Caller, domain: string, method: CheckMethod) => {
      const licenseId = license.id;
      const release = seats.take(licenseId);
      if (release === undefined) throw busy(BUSY_RETRY_SECONDS);
      try {
        const { allowed, retryAfterSeconds } = checks.take(String(licenseId));
        if (!allowed) throw busy(retryAfterSeconds);
        const problem = await checkControl({ domain, challenge: challengeOf(licenseId, domain), method });
        if (problem === 'cut_off') throw cutOff('check');
        const result = { method, problem, checkedAt: clock.now() };
        const control = notRefused(
          await writer.write('recordControlCheck', { licenseId, domain, result, by }),
        );
        return { ...control, problem };
      } finally {
        release();
      }
    };

    const verify = async (caller: Caller, publicId: string, body: Static<typeof VerificationRequest>) => {
      const { license } = caller;
      const { domain, control } = await read(license, publicId);
      // An attestation by the operator replaces the check.
      if (body.check !== true || control?.method === 'operator') return answerOf(license.id, domain, control);
      if (!config.surfaceScans) throw scansDisabled();
      return answerOf(license.id, domain, await checkProof(caller, domain, body.method));
    };

    return { answerOf, read, verify };
  },
);

const SHOWN_VERIFICATION = show(
  Verification,
  EXAMPLE,
  'Returns the instructions and the verification status.',
);

/** Operations on the proof that a license controls the domain of a site. */
export const siteVerification = [
  bearerRoute({
    at: 'GET /sites/:siteId/verification',
    plan: 'starter',
    ...SHOWN,
    operationId: 'getSiteVerification',
    summary: 'Get the domain verification of a site',
    description:
      'Returns the result of the last check, without a new one. Requires the plan starter or higher.',
    answer: SHOWN_VERIFICATION,
    codes: ['SITE_NOT_FOUND', 'DOMAIN_MISMATCH', 'DOMAIN_NOT_VERIFIED'],
    handle: siteVerificationOf(async ({ answerOf, read }, { caller, params: { siteId } }) => {
      const { domain, control } = await read(caller.license, siteId);
      return answerOf(caller.license.id, domain, control);
    }),
  }),
  bearerRoute({
    at: 'POST /sites/:siteId/verification',
    plan: 'starter',
    body: jsonBody({ schema: VerificationRequest, capBytes: 8 * KIB }),
    ...SHOWN,
    operationId: 'verifySite',
    summary: 'Verify the domain of a site',
    description:
      'Required for surface scans, because registering a domain proves no control of it. Put the token into the ' +
      'file or DNS record named in the response, then repeat the request with `check`. A check without proof returns ' +
      '200 with `problem`. Checks are repeated daily; the verification lapses if they fail for 72 hours or cannot run ' +
      `for 30 days. Limit: ${CHECKS_PER_HOUR} checks per hour and license. A successful check by one method replaces the other ` +
      'method; a failed one does not affect it. Requires the plan starter or higher.',
    answer: SHOWN_VERIFICATION,
    codes: [
      'SITE_NOT_FOUND',
      'DOMAIN_MISMATCH',
      'DOMAIN_NOT_VERIFIED',
      'SURFACE_SCAN_DISABLED',
      'SCAN_UNAVAILABLE',
      'STORE_UNAVAILABLE',
    ],
    handle: siteVerificationOf(async ({ verify }, { caller, params: { siteId }, body }) =>
      verify(caller, siteId, body),
    ),
  }),
];

const notProvable = () =>
  refuse(
    'DOMAIN_NOT_VERIFIED',
    'IP addresses and public suffixes cannot be verified. Ask the operator of this service to vouch for the domain.',
  );
const busy = (retryAfterSeconds: number) =>
  refuse(
    'RATE_LIMITED',
    'A check is running, or too many were requested. Try again later.',
    retryAfterSeconds,
  );
