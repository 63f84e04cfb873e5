import { Type as t } from '@sinclair/typebox';
import { saasPolicy } from '../domain/privacy/policies.ts';
import { refuse } from '../domain/refusal.ts';
import { HASH_TOKEN } from '../domain/threat/hash-token.ts';
import { KIB } from '../http/context.ts';
import { band, count, flag, ratio } from './kit/fields.ts';
import { postureSignal } from './kit/posture.ts';

/** The configuration and use of a connected SaaS application. */
export const saas = postureSignal({
  name: 'SaasSignal',
  path: '/saas/signal',
  summary: 'Report the posture of a connected SaaS application',
  description:
    'OAuth grants, dormant accounts, MFA coverage, external shares and administrators, per connector. A `licenseIdHash` must match the one derived from the key, returned by GET /me.',
  capBytes: 32 * KIB,
  privacy: saasPolicy,
  codes: {
    shape: 'INVALID_SAAS_SIGNAL_SCHEMA',
    privacy: 'INVALID_SAAS_SIGNAL_SCHEMA',
    binding: ['SAAS_BINDING_INVALID', 'SAAS_BINDING_MISMATCH'],
  },
  identity: 'licenseIdHash',
  persistence: 'stored',
  identityField: t.Unknown({
    description: 'opaque identity of the license; must equal license_id_hash from GET /me',
  }),
  bind(sent, { identity }) {
    if (sent === undefined || sent === identity) return undefined;
    return typeof sent === 'string' && HASH_TOKEN.test(sent)
      ? refuse('SAAS_BINDING_MISMATCH', 'licenseIdHash does not match this key. GET /me returns it.')
      : refuse('SAAS_BINDING_INVALID', 'licenseIdHash is malformed. GET /me returns it.');
  },
  acknowledges: {
    binding: t.Literal('verified', { description: 'the signal is bound to the license of the key' }),
  },
  vocabulary: {
    connectorKind: band('kind of application', [
      'identity_provider',
      'productivity_suite',
      'file_sharing',
      'source_control',
      'messaging',
      'crm',
      'finance',
      'ticketing',
      'commerce',
      'other',
    ]),
    accountCount: count('active accounts'),
    dormantAccountCount: count('accounts without a login for 90 days'),
    dormantAccountRatio: ratio('accounts without a login for 90 days'),
    guestAccountCount: count('accounts of people outside the organization'),
    adminAccountCount: count('accounts with administrator rights'),
    adminRatio: ratio('accounts with administrator rights'),
    mfaCoverageRatio: ratio('accounts with multi-factor authentication'),
    adminMfaCoverageRatio: ratio('administrator accounts with multi-factor authentication'),
    ssoEnforced: flag('whether login is possible only through the identity provider'),
    legacyAuthBlocked: flag('whether protocols without a second factor are blocked'),
    oauthGrantCount: count('third-party applications with a grant'),
    highRiskGrantCount: count('grants with access to all data or administrator rights'),
    unverifiedGrantCount: count('grants to applications of unverified publishers'),
    dormantGrantCount: count('grants not used for 90 days'),
    externalShareCount: count('items shared outside the organization'),
    publicLinkCount: count('items accessible to anyone with the link'),
    forwardingRuleCount: count('rules that forward messages outside the organization'),
    auditLogEnabled: flag('whether administrator actions are logged'),
    sessionLengthBand: band('maximum session length', [
      'up_to_12h',
      '13h_to_7d',
      '8d_to_30d',
      'over_30d',
      'unlimited',
    ]),
    offboardingDelayBand: band('time until access is removed after a person leaves', [
      'under_24h',
      '1d_to_7d',
      'over_7d',
      'unknown',
    ]),
  },
  example: {
    connectorKind: 'productivity_suite',
    accountCount: 48,
    dormantAccountCount: 5,
    adminRatio: 0.06,
    mfaCoverageRatio: 0.92,
    ssoEnforced: true,
    oauthGrantCount: 31,
    highRiskGrantCount: 2,
    externalShareCount: 120,
    publicLinkCount: 14,
    auditLogEnabled: true,
    sessionLengthBand: '13h_to_7d',
  },
});
