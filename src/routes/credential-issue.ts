import { randomInt, randomUUID } from 'node:crypto';
import { type Static, Type as t } from '@sinclair/typebox';
import { assessedParts, isCitable } from '../domain/credential/basis.ts';
import { type CredentialStatement, credentialClaims } from '../domain/credential/claims.ts';
import { signCredential } from '../domain/credential/signing.ts';
import { STATUS_LIST_SIZE } from '../domain/credential/status-list.ts';
import { isRefusal, notRefused, refuse } from '../domain/refusal.ts';
import { bodySchema } from '../http/body.ts';
import { type Caller, KIB } from '../http/context.ts';
import { show, typed } from '../http/contract/answers.ts';
import { TAGS } from '../http/contract/contract.ts';
import { bearerRoute, created, jsonBody } from '../http/route/index.ts';
import { DAY_MS, SECOND_MS, utcDay } from '../lib/clock.ts';
import { TurnsByKey } from '../lib/turns.ts';
import type { Credential, CredentialBasis } from '../storage/credentials/credentials.ts';
import { isIssuer } from '../tasks/credential-keys.ts';
import {
  CredentialTypeName,
  credentialFields,
  credentialOf,
  EXAMPLE_CREDENTIAL,
  validDays,
} from './fields/credential-fields.ts';
import { requireControl } from './fields/scan-target.ts';
import { findSite } from './fields/site-path.ts';
import type { Parts } from './parts.ts';

/** Each tried index is free with a probability of at least one half, so all are taken once in 2^64 requests. */
const PLACES_TRIED_MAX = 64;
/** Retries are needed only if the index was taken or the key revoked in the meantime. */
const ATTEMPTS_MAX = 4;
const RETRY_SECONDS = 1;

const validity = {
  valid_days: t.Optional(validDays('validity in days; default set by the operator')),
};
const SiteIdField = t.String({ description: 'site ID, as in GET /sites' });
const WantedCredential = bodySchema(
  'WantedCredential',
  { type: CredentialTypeName, site_id: t.Optional(SiteIdField), ...validity },
  { type: 'license', valid_days: 30 },
);
type WantedCredential = Static<typeof WantedCredential>;

/** The schema for the contract, which shows the valid combinations. */
const WantedByType = t.Union(
  [
    typed('WantedLicenseCredential', {
      type: t.Literal('license', { description: 'asserts the state of the license' }),
      ...validity,
    }),
    typed('WantedSiteCredential', {
      type: t.Literal('site_posture', { description: 'asserts the assessment of the site' }),
      site_id: SiteIdField,
      ...validity,
    }),
  ],
  { title: 'WantedCredential', examples: WantedCredential.examples },
);

const IssuedCredential = typed('IssuedCredential', credentialFields);
const EXAMPLE = {
  ...EXAMPLE_CREDENTIAL,
  type: 'license',
  site_id: null,
  expires_at: '2026-12-22T09:30:00.000Z',
};

/** The subject of a credential, and the assessment or day on which it is based. */
interface Ground extends Pick<CredentialBasis, 'domain' | 'basis'> {
  readonly subject: CredentialStatement['subject'];
  /** The end of the subject's validity, in milliseconds since the Unix epoch; null = never. */
  readonly endsAt: number | null;
}

type CredentialIssueParts = Parts<
  'clock' | 'config' | 'credentialKeys' | 'identities' | 'statusLists' | 'tenantData' | 'writer'
>;

export const credentialIssue = bearerRoute({
  at: 'POST /credentials',
  plan: 'pro',
  body: jsonBody({ schema: WantedCredential, shown: WantedByType, capBytes: 8 * KIB }),
  tag: TAGS.tenant,
  operationId: 'issueCredential',
  summary: 'Issue a signed credential',
  description:
    'Credentials can be verified by anyone, also offline. `site_posture` asserts the assessment of a site and requires `site_id`, proof of control of the domain, and an assessment within the last 24 hours; `license` asserts the state of the license. Repeated requests for the same assessment, or for the license on the same UTC day, return the same credential until it is revoked. License credentials end with the license; test licenses have none. Requires the plan pro or higher.',
  answer: show(IssuedCredential, EXAMPLE, 'Returns the credential, new or existing.'),
  codes: [
    'CREDENTIALS_DISABLED',
    'SITE_NOT_FOUND',
    'DOMAIN_NOT_VERIFIED',
    'ASSESSMENT_REQUIRED',
    'DAILY_CAP_EXCEEDED',
    'STORE_UNAVAILABLE',
  ],
  handle: created((parts: CredentialIssueParts) => {
    const { tenantData, identities, credentialKeys, statusLists, writer, clock, config } = parts;
    /** Serializes issuing per license, so that concurrent equal requests sign and get one credential. */
    const turns = new TurnsByKey<number>();

    const groundOfSite = async (licenseId: number, siteId: string): Promise<Ground> => {
      const { domain } = await findSite(tenantData, licenseId, siteId);
      await requireControl(parts, licenseId, domain);
      const assessment = await tenantData.assessments.newest(licenseId, domain);
      if (assessment === undefined || !isCitable(assessment, clock.now())) throw assessmentRequired();
      const { id, grade, score, assessedAt, leafHash, parts: judged } = assessment;
      const subject = {
        type: 'site_posture' as const,
        domain,
        grade,
        score,
        assessedAt,
        leafHash,
        assessed: assessedParts(judged),
        vulnerabilityDataAt: judged.vulnerabilities?.dataAt ?? null,
      };
      return { domain, basis: String(id), subject, endsAt: null };
    };

    const groundOfLicense = ({ license, standing }: Caller): Ground => {
      if (license.environment === 'test') throw licenseForTests();
      const { plan, state: status, sitesAllowed, expiresAt: endsAt } = standing;
      const licenseIdHash = identities.licenseIdHash(license.id);
      const subject = { type: 'license' as const, licenseIdHash, plan, status, sitesAllowed };
      return { domain: null, basis: utcDay(clock.now()), subject, endsAt };
    };

    const groundOf = async (caller: Caller, { type, site_id }: WantedCredential): Promise<Ground> => {
      if (type === 'license') {
        if (site_id !== undefined) throw siteNotAsked();
        return groundOfLicense(caller);
      }
      if (site_id === undefined) throw siteMissing();
      return groundOfSite(caller.license.id, site_id);
    };

    /** Returns a random free index of a status list. Random, so that neither order nor neighbors disclose anything. */
    const freeIndex = async (issuer: string) => {
      const listId =
        (await statusLists.open(issuer)) ??
        (await writer.write('openStatusList', { issuer, now: clock.now() }));
      if (isRefusal(listId)) throw listId;
      for (let tried = 0; tried < PLACES_TRIED_MAX; tried++) {
        const place = { listId, listIndex: randomInt(STATUS_LIST_SIZE) };
        if (await statusLists.isFree(place)) return place;
      }
      throw placesContended();
    };

    /** Signs and stores a credential. Returns undefined if the index was taken or the key revoked in the meantime. */
    const attempt = async (wanted: CredentialBasis, { subject, endsAt }: Ground, validDays: number) => {
      const key = await credentialKeys.active();
      if (key === undefined) throw noKey();
      const now = clock.now();
      // JWT times are whole seconds.
      const issuedAt = wholeSeconds(now);
      const statement = {
        publicId: randomUUID(),
        issuer: wanted.issuer,
        issuedAt,
        expiresAt: Math.min(issuedAt + validDays * DAY_MS, wholeSeconds(endsAt ?? Infinity)),
        ...(await freeIndex(wanted.issuer)),
      };
      const token = await signCredential(credentialClaims({ ...statement, subject }), key);
      const signed = { ...wanted, ...statement, kid: key.kid, token, dailyCap: config.dailyCap, now };
      return notRefused(await writer.write('issueCredential', signed));
    };

    const issue = async (caller: Caller, body: WantedCredential): Promise<Credential> => {
      const issuer = config.baseUrl;
      if (!isIssuer(issuer)) throw credentialsDisabled();
      const ground = await groundOf(caller, body);
      const { domain, basis } = ground;
      const wanted = { licenseId: caller.license.id, type: body.type, domain, basis, issuer };
      const before = await tenantData.credentials.same(wanted);
      if (before !== undefined) return before;
      for (let attempts = 0; attempts < ATTEMPTS_MAX; attempts++) {
        const issued = await attempt(wanted, ground, body.valid_days ?? config.credentialDays);
        if (issued !== undefined) return issued;
      }
      throw placesContended();
    };

    return async ({ caller, body }) => {
      const issued = await turns.take(caller.license.id, () => issue(caller, body));
      return credentialOf(issued, clock.now());
    };
  }),
});

const wholeSeconds = (ms: number): number => Math.floor(ms / SECOND_MS) * SECOND_MS;

const noKey = () =>
  refuse(
    'CREDENTIALS_DISABLED',
    'Credentials cannot be signed at the moment. The operator finds the reason in the log of this service.',
  );
const licenseForTests = () =>
  refuse('CREDENTIALS_DISABLED', 'Credentials are not issued for test licenses. Use a live license.');
const credentialsDisabled = () =>
  refuse(
    'CREDENTIALS_DISABLED',
    'Credentials contain the public address of this service. Its operator has to set SERVICE_BASE_URL to that https address.',
  );
const assessmentRequired = () =>
  refuse(
    'ASSESSMENT_REQUIRED',
    'This site was not assessed within the last 24 hours. Send POST /scans with scan_type assessment.',
  );
const siteMissing = () => refuse('INVALID_PAYLOAD', 'site_id: is required for the type site_posture');
const siteNotAsked = () => refuse('INVALID_PAYLOAD', 'site_id: must be absent for the type license');
const placesContended = () =>
  refuse(
    'STORE_UNAVAILABLE',
    'The credential could not be stored at the moment; try again later.',
    RETRY_SECONDS,
  );
