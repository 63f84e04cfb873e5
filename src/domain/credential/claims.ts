import { iso, isoOrNull, SECOND_MS } from '../../lib/clock.ts';
import type { AssessmentPart, Grade } from '../assessment/assessment.ts';
import type { Plan } from '../license/catalog.ts';
import type { LicenseState } from '../license/license.ts';
import type { CredentialType } from './credential.ts';

/** A site and its assessment. */
export interface PostureSubject {
  readonly type: 'site_posture';
  /** Normalised. */
  readonly domain: string;
  readonly grade: Grade;
  /** 0-100. */
  readonly score: number;
  /** Milliseconds since the Unix epoch. */
  readonly assessedAt: number;
  readonly assessed: readonly AssessmentPart[];
  /** The time of the vulnerability data, in milliseconds since the Unix epoch; null = none. */
  readonly vulnerabilityDataAt: number | null;
  /** Of the assessment's entry in the evidence log: base64url. */
  readonly leafHash: string;
}

/** A license and its terms. */
export interface LicenseSubject {
  readonly type: 'license';
  readonly licenseIdHash: string;
  readonly plan: Plan;
  readonly status: LicenseState;
  /** Null = unlimited. */
  readonly sitesAllowed: number | null;
}

/** The content of a credential. */
export interface CredentialStatement {
  /** A UUID. */
  readonly publicId: string;
  /** The public address of this service, with or without a slash at its end. */
  readonly issuer: string;
  /** Milliseconds since the Unix epoch; truncated to seconds, the unit of a JWT. */
  readonly issuedAt: number;
  readonly expiresAt: number;
  /** The status list in which verifiers look up revocation, and its place there. */
  readonly listId: number;
  readonly listIndex: number;
  readonly subject: PostureSubject | LicenseSubject;
}

/** Where a verifier looks up revocation: the Token Status List's claim `status`. */
export interface StatusClaim {
  readonly status_list: { readonly idx: number; readonly uri: string };
}

/** The payload of a credential: the W3C's data model 2.0, with the equivalent JWT claims. */
export interface CredentialClaims {
  readonly '@context': readonly [string, { readonly '@vocab': string }];
  readonly id: string;
  readonly jti: string;
  readonly type: readonly ['VerifiableCredential', string];
  readonly issuer: string;
  readonly iss: string;
  readonly validFrom: string;
  readonly validUntil: string;
  /** Seconds since the Unix epoch. */
  readonly iat: number;
  readonly exp: number;
  readonly sub: string;
  readonly credentialSubject: { readonly id: string; readonly [claim: string]: unknown };
  readonly evidence?: readonly { readonly type: readonly ['EvidenceLogEntry']; readonly leafHash: string }[];
  readonly status: StatusClaim;
}

export const CREDENTIALS_CONTEXT = 'https://www.w3.org/ns/credentials/v2';

/** The names of types inside a credential. */
export const TYPE_NAMES: Readonly<Record<CredentialType, string>> = {
  site_posture: 'SitePostureCredential',
  license: 'LicenseCredential',
};

/** The issuer in credentials: the service's address without a trailing slash. */
export const issuerOf = (baseUrl: string): string => baseUrl.replace(/\/$/, '');

/** The address of a status list, which is its name as well. */
export const statusListUri = (issuer: string, listId: number): string =>
  `${issuerOf(issuer)}/status-lists/${listId}`;

/**
 * The complete claims of a credential, without its signature. They contain no name and nothing that two sites of a license
 * share.
 */
export function credentialClaims(statement: CredentialStatement): CredentialClaims {
  const { publicId, listId, listIndex, subject } = statement;
  const issuer = issuerOf(statement.issuer);
  const id = `urn:uuid:${publicId}`;
  const iat = secondsOf(statement.issuedAt);
  const exp = secondsOf(statement.expiresAt);
  const credentialSubject = subject.type === 'site_posture' ? ofSite(subject) : ofLicense(subject);
  return {
    '@context': [CREDENTIALS_CONTEXT, { '@vocab': `${issuer}/ns/posture-v1#` }],
    id,
    jti: id,
    type: ['VerifiableCredential', TYPE_NAMES[subject.type]],
    issuer,
    iss: issuer,
    validFrom: iso(iat * SECOND_MS),
    validUntil: iso(exp * SECOND_MS),
    iat,
    exp,
    sub: credentialSubject.id,
    credentialSubject,
    ...(subject.type === 'site_posture' && {
      evidence: [{ type: ['EvidenceLogEntry'], leafHash: subject.leafHash }],
    }),
    status: { status_list: { idx: listIndex, uri: statusListUri(issuer, listId) } },
  };
}

const ofSite = ({ domain, grade, score, assessedAt, assessed, vulnerabilityDataAt }: PostureSubject) => ({
  id: `https://${domain}/`,
  grade,
  score,
  assessedAt: iso(assessedAt),
  assessed: [...assessed],
  vulnerabilityDataAt: isoOrNull(vulnerabilityDataAt),
});

const ofLicense = ({ licenseIdHash, plan, status, sitesAllowed }: LicenseSubject) => ({
  id: `urn:redoubt:license:${licenseIdHash}`,
  plan,
  status,
  sitesAllowed,
});

const secondsOf = (atMs: number): number => Math.floor(atMs / SECOND_MS);
