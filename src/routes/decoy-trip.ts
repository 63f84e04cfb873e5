import { Type as t } from '@sinclair/typebox';
import { dailyBudget } from '../domain/license/daily-budget.ts';
import { stripLegacyCallerFields } from '../domain/privacy/gate.ts';
import { decoyTripPolicy } from '../domain/privacy/policies.ts';
import { notRefused } from '../domain/refusal.ts';
import { ACCESS_VECTORS, DECOY_CONFIDENCE, DECOY_KINDS, threatOfDecoy } from '../domain/threat/decoy.ts';
import { fingerprintOf } from '../domain/threat/fingerprint.ts';
import { bodySchema } from '../http/body.ts';
import { KIB } from '../http/context.ts';
import { show, timestamp, typed } from '../http/contract/answers.ts';
import { TAGS } from '../http/contract/contract.ts';
import {
  discardedCallerFields,
  hashToken,
  OVERRIDDEN,
  oneOf,
  PRIVACY_FLAGS_EXAMPLE,
  privacyFlags,
  threatName,
} from '../http/fields.ts';
import { privacyGate } from '../http/privacy-gate.ts';
import { bearerRoute, jsonBody } from '../http/route/index.ts';
import { iso } from '../lib/clock.ts';
import type { Parts } from './parts.ts';

const ROUTE = '/canary/trip';
const TRIPS_MAX = 1_000_000;

const Trip = bodySchema(
  'DecoyTrip',
  {
    ...privacyFlags,
    decoyKind: oneOf(DECOY_KINDS, 'type of the decoy'),
    accessVector: oneOf(ACCESS_VECTORS, 'access vector'),
    behaviorClass: threatName('behavior class, such as `credential_harvesting`'),
    tripCount: t.Integer({
      minimum: 1,
      maximum: TRIPS_MAX,
      description: 'number of accesses that this report covers',
    }),
    payloadHash: t.Optional(hashToken('opaque hash of the data sent to the decoy, computed by the reporter')),
    licenseIdHash: t.Optional(hashToken(OVERRIDDEN)),
    ...discardedCallerFields,
  },
  {
    ...PRIVACY_FLAGS_EXAMPLE,
    decoyKind: 'vault_entry',
    accessVector: 'api',
    behaviorClass: 'credential_harvesting',
    tripCount: 1,
  } as const,
);
const Receipt = typed('DecoyTripReceipt', {
  fingerprintKey: t.String({ description: 'opaque fingerprint of the threat; identifies no one' }),
  confidence: t.Number({ minimum: 0, maximum: 1, description: 'confidence that the access was intentional' }),
  receivedAt: timestamp('time of receipt'),
});
const EXAMPLE = {
  fingerprintKey: fingerprintOf(threatOfDecoy(Trip.examples[0])),
  confidence: DECOY_CONFIDENCE,
  receivedAt: '2026-11-22T09:30:00.000Z',
};

export const decoyTrip = bearerRoute({
  at: `POST ${ROUTE}`,
  body: jsonBody({
    schema: Trip,
    prepare: stripLegacyCallerFields,
    inspect: privacyGate(decoyTripPolicy, 'INVALID_CANARY_TRIP', Trip),
    capBytes: 32 * KIB,
    refusedAs: 'INVALID_CANARY_TRIP',
  }),
  operationId: 'reportDecoyTrip',
  summary: 'Report access to a decoy anonymously',
  description:
    'Counts as a threat report of the license, with the attack type `decoy_<decoyKind>`, the behavior class, and the payload hash or, if absent, the access vector. It needs the same corroboration as other reports.',
  tag: TAGS.signals,
  answer: show(Receipt, EXAMPLE, 'Returns the fingerprint. The trip is stored and counts as a report.'),
  codes: ['DAILY_CAP_EXCEEDED', 'STORE_UNAVAILABLE'],
  handle: async (
    { caller, body: { decoyKind, accessVector, behaviorClass, tripCount, payloadHash } },
    { writer, clock, identities, config }: Parts<'clock' | 'config' | 'identities' | 'writer'>,
  ) => {
    const { id: licenseId } = caller.license;
    const now = clock.now();
    const threat = threatOfDecoy({
      decoyKind,
      accessVector,
      behaviorClass,
      ...(payloadHash === undefined ? {} : { payloadHash }),
    });
    const fingerprint = fingerprintOf(threat);
    const licenseIdHash = identities.licenseIdHash(licenseId);
    notRefused(
      await writer.write('recordDecoyTrip', {
        signal: {
          licenseId,
          signal: ROUTE,
          replaces: false,
          budget: dailyBudget(caller.license, caller.standing, config),
          site: '',
          record: { licenseIdHash, decoyKind, accessVector, behaviorClass, tripCount, fingerprint },
          receivedAt: now,
          use: { licenseId, route: ROUTE, dailyCap: config.dailyCap, now },
        },
        threat: { fingerprint, attackType: threat.attackType, licenseId, now },
      }),
    );
    return { fingerprintKey: fingerprint, confidence: DECOY_CONFIDENCE, receivedAt: iso(now) };
  },
});
