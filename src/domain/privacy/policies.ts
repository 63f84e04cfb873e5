import {
  ATTACK_DETAIL,
  COMPONENT_DETAIL,
  compileTerms,
  DESKTOP,
  EVERYWHERE,
  FILE_DETAIL,
  KEY_DETAIL,
  SERVER_LOG,
  type TermGroup,
} from './key-terms.ts';
import type { PrivacyPolicy } from './policy.ts';

/** Literal false in every valid body; any other value is the schema's business. */
const PRIVACY_FLAGS = ['piiIncluded', 'contentIncluded', 'secretsIncluded'];

/** Identities that the server derives and overrides: old clients send them, and they are opaque hashes. */
const DERIVED_IDENTITIES = ['siteIdHash', 'licenseIdHash', 'appIdHash'];

/** Fields of notifications; see domain/notification. */
const NOTIFICATION_FIELDS = [
  ...['action', 'actor', 'alert', 'cause', 'change', 'changed', 'credentials', 'domain', 'enabled'],
  ...['expires_at', 'failure'],
  ...['grade', 'hold_from', 'last_occurred_at', 'last_seen_at', 'license', 'outcome', 'problem', 'reason'],
  ...['scan_type', 'show_grade', 'status', 'subject', 'trigger', 'worst'],
];
const NOTIFICATION_IDS = ['credential_id', 'request_id', 'scan_id', 'site_id'];

/** A posture signal's policy: what every route refuses, and the key terms that only this one does. */
export function posturePolicy(name: string, own: readonly TermGroup[] = []): PrivacyPolicy {
  return {
    name,
    terms: compileTerms([...own, ...EVERYWHERE]),
    measurements: 'allowed',
    fields: new Set(PRIVACY_FLAGS),
    hashFields: new Set(DERIVED_IDENTITIES),
    refusesContent: false,
  };
}

/** POST /digital-immunity/signal */
export const digitalImmunityPolicy: PrivacyPolicy = posturePolicy('digital immunity');

/** POST /saas/signal */
export const saasPolicy: PrivacyPolicy = posturePolicy('saas');

/** POST /server-guard/signal: also raw logs and file contents. */
export const serverGuardPolicy: PrivacyPolicy = posturePolicy('server guard', [SERVER_LOG]);

/** POST /pc-guard/signal: also what a desktop knows of its user. */
export const pcGuardPolicy: PrivacyPolicy = posturePolicy('pc guard', [DESKTOP]);

/** POST /cloud-immunity/signal: source code and environment values are in every route's list. */
export const cloudImmunityPolicy: PrivacyPolicy = posturePolicy('cloud immunity');

/** POST /keyhygiene/signal: no measurement about a secret, for the contract has none. */
export const keyHygienePolicy: PrivacyPolicy = {
  name: 'key hygiene',
  terms: compileTerms([KEY_DETAIL, ...EVERYWHERE]),
  measurements: 'refused',
  fields: new Set(PRIVACY_FLAGS),
  hashFields: new Set(DERIVED_IDENTITIES),
  refusesContent: false,
};

/** POST /restore/assess: `fileCounts` passes as the measurement that it is. */
export const restorePolicy: PrivacyPolicy = {
  name: 'restore',
  terms: compileTerms([FILE_DETAIL, ...EVERYWHERE]),
  measurements: 'allowed',
  fields: new Set(PRIVACY_FLAGS),
  hashFields: new Set(DERIVED_IDENTITIES),
  refusesContent: true,
};

/** POST /canary/trip, after stripLegacyCallerFields. */
export const decoyTripPolicy: PrivacyPolicy = attack('decoy trip');

/** POST /threat-report/report, after stripLegacyCallerFields. */
export const threatReportPolicy: PrivacyPolicy = attack('threat report');

/** POST /vulnerabilities/match and POST /sites/{siteId}/components; what the contract has is looked at by components.ts. */
export const componentsPolicy: PrivacyPolicy = {
  name: 'components',
  terms: compileTerms([COMPONENT_DETAIL, ...EVERYWHERE]),
  measurements: 'refused',
  fields: new Set(),
  hashFields: new Set(),
  refusesContent: true,
};

/** Outgoing data of notifications: our own names are no terms, and an opaque id is no secret. */
export const notificationPolicy: PrivacyPolicy = {
  name: 'notification',
  terms: compileTerms(EVERYWHERE),
  measurements: 'allowed',
  fields: new Set(NOTIFICATION_FIELDS),
  hashFields: new Set(NOTIFICATION_IDS),
  refusesContent: false,
};

function attack(name: string): PrivacyPolicy {
  return {
    name,
    terms: compileTerms([ATTACK_DETAIL, ...EVERYWHERE]),
    measurements: 'refused',
    fields: new Set(PRIVACY_FLAGS),
    hashFields: new Set(['payloadHash', ...DERIVED_IDENTITIES]),
    refusesContent: false,
  };
}
