import { afterEach, beforeEach, expect, test } from 'bun:test';
import { storeOf } from '../../src/cli/store.ts';
import type { Severity } from '../../src/domain/severity.ts';
import { databasePath } from '../../src/storage/data-directory.ts';
import { connect, type Database, prepareDatabase } from '../../src/storage/database.ts';
import { readPosture } from '../../src/storage/posture.ts';
import { temporaryDirectory } from '../support/service.ts';

const NOW = Date.UTC(2026, 5, 15);
const DAY = 86_400_000;

let db: Database;
beforeEach(() => {
  const path = databasePath(temporaryDirectory());
  prepareDatabase(path);
  db = connect(path);
  const license = db.$client.prepare(`
    insert into licenses (key_hash, key_prefix, key_last4, kind, environment, plan, modules_allowed, modules_denied, holds, created_at)
      values (?, '', '', 'paid', 'live', 'pro', '[]', '[]', '[]', 0)
  `);
  for (const key of ['one', 'two']) license.run(key);
});
afterEach(() => db.$client.close());

const heartbeat = (
  licenseId: number,
  domain: string,
  { at = NOW, version = null as string | null, severities = [] as Severity[] },
) =>
  storeOf(db).change({
    name: 'recordTelemetry',
    input: {
      licenseId,
      domain,
      claim: null,
      siteUuid: null,
      pluginVersion: version,
      stats: null,
      events: severities.map((severity, index) => ({
        type: `x${index}`,
        severity,
        message: null,
        occurredAt: at,
        eventId: null,
        metadata: null,
      })),
      receivedAt: at,
    },
  });

const NOTHING = {
  now: NOW,
  lastSeenAt: null,
  pluginVersion: null,
  newestPluginVersion: null,
  openAlerts: { critical: 0, high: 0 },
  measures: [],
};

test('nothing is known of a site that never reported, nor of the same site of another license', () => {
  heartbeat(2, 'shop.com', { version: '9.0', severities: ['critical'] });
  expect(readPosture(db)(1, 'shop.com', NOW)).toEqual(NOTHING);
});

test('a site is known by its last report, beside the newest version of the same tenant', () => {
  heartbeat(1, 'shop.com', { at: NOW - DAY, version: '1.9' });
  heartbeat(1, 'other.com', { version: '1.10', severities: ['high'] });
  heartbeat(2, 'third.com', { version: '9.0' });
  expect(readPosture(db)(1, 'shop.com', NOW)).toEqual({
    ...NOTHING,
    lastSeenAt: NOW - DAY,
    pluginVersion: '1.9',
    newestPluginVersion: '1.10',
  });
});

test('open alerts are those of the site, as its tenant sees them', () => {
  heartbeat(1, 'shop.com', { at: NOW - 7 * DAY, severities: ['critical', 'low'] });
  heartbeat(1, 'shop.com', { at: NOW - 7 * DAY + 1, severities: ['high', 'high', 'info'] });
  heartbeat(1, 'other.com', { severities: ['critical'] });
  expect(readPosture(db)(1, 'shop.com', NOW).openAlerts).toEqual({ critical: 0, high: 2 });
});
