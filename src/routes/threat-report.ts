import { Type as t } from '@sinclair/typebox';
import { stripLegacyCallerFields } from '../domain/privacy/gate.ts';
import { threatReportPolicy } from '../domain/privacy/policies.ts';
import { isRefusal, refuse } from '../domain/refusal.ts';
import { ATTACK_TYPES, attackTypeOf } from '../domain/threat/attack-type.ts';
import { fingerprintOf } from '../domain/threat/fingerprint.ts';
import { bodySchema } from '../http/body.ts';
import { KIB } from '../http/context.ts';
import { show, typed } from '../http/contract/answers.ts';
import { TAGS } from '../http/contract/contract.ts';
import { discardedCallerFields, hashToken, threatName } from '../http/fields.ts';
import { privacyGate } from '../http/privacy-gate.ts';
import { bearerRoute, jsonBody } from '../http/route/index.ts';
import type { Parts } from './parts.ts';

export const THREAT_REPORT = '/threat-report/report';
const STORE_RETRY_SECONDS = 5;

const EXAMPLE = {
  attackType: 'sql_injection',
  behaviorClass: 'automated_scanner',
  payloadHash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  siteIdHash: 'c2l0ZS1oYXNo',
  licenseIdHash: 'bGljZW5zZS1oYXNo',
};

const Report = bodySchema(
  'ThreatReport',
  {
    attackType: threatName('attack type, such as `sql_injection`'),
    behaviorClass: threatName('behavior class, such as `automated_scanner`'),
    payloadHash: hashToken('opaque hash of the payload, computed by the reporter'),
    siteIdHash: hashToken('only validated; the reporter is the authenticated license'),
    licenseIdHash: hashToken('only validated; the reporter is the authenticated license'),
    ...discardedCallerFields,
  },
  EXAMPLE,
);

const Receipt = typed('ThreatReportReceipt', {
  fingerprintKey: t.String({ description: 'opaque fingerprint of the threat' }),
});

export const threatReport = bearerRoute({
  at: `POST ${THREAT_REPORT}`,
  limit: 'threat-report',
  body: jsonBody({
    schema: Report,
    prepare: stripLegacyCallerFields,
    inspect: privacyGate(threatReportPolicy, 'THREATREPORT_INVALID_REPORT', Report),
    capBytes: 8 * KIB,
    refusedAs: 'THREATREPORT_INVALID_REPORT',
  }),
  operationId: 'reportThreat',
  summary: 'Report an observed threat anonymously',
  description:
    'The fingerprint is base64url(SHA-256("redoubt-fp-v1\\n" + attackType + "\\n" + behaviorClass + ' +
    '"\\n" + payloadHash)) of the values sent. Each customer counts once per threat, regardless of the number of ' +
    'reports. The stored and published attack type is the vocabulary entry that the sent name equals or contains, ' +
    'such as `sql_injection` for `sqli-blind`, otherwise `other`; the sent name is not stored. Vocabulary: ' +
    `${ATTACK_TYPES.map((type) => `\`${type}\``).join(', ')}.`,
  tag: TAGS.threats,
  answer: show(
    Receipt,
    { fingerprintKey: fingerprintOf(EXAMPLE) },
    'Returns the fingerprint. The report is stored and counts.',
  ),
  codes: ['DAILY_CAP_EXCEEDED', 'THREATREPORT_STORE_UNAVAILABLE'],
  handle: async (
    { caller, body: { attackType, behaviorClass, payloadHash } },
    { writer, clock, config }: Parts<'clock' | 'config' | 'writer'>,
  ) => {
    const { id: licenseId } = caller.license;
    const now = clock.now();
    const fingerprint = fingerprintOf({ attackType, behaviorClass, payloadHash });
    const refusal = await writer.write('recordThreatReport', {
      fingerprint,
      attackType: attackTypeOf(attackType),
      licenseId,
      now,
      use: { licenseId, route: THREAT_REPORT, dailyCap: config.dailyCap, now },
    });
    if (isRefusal(refusal)) {
      if (refusal.refused !== 'STORE_UNAVAILABLE') throw refusal;
      throw refuse('THREATREPORT_STORE_UNAVAILABLE', 'The report could not be stored.', STORE_RETRY_SECONDS);
    }
    return { fingerprintKey: fingerprint };
  },
});
