import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Plan } from '../domain/license/catalog.ts';
import { NO_LIMIT } from '../domain/license/daily-budget.ts';
import { newLicenseKey } from '../domain/license/license-key.ts';
import { fingerprintOf } from '../domain/threat/fingerprint.ts';
import type { Config, Environment } from '../settings/config.ts';
import { makeInstallation } from '../storage/installation/installation.ts';
import type { NewLicense } from '../storage/licenses/licenses.ts';
import { readSites } from '../storage/sites/sites.ts';
import type { TelemetryBatch } from '../storage/sites/telemetry.ts';
import type { ThreatReport } from '../storage/threats/threat-reports.ts';
import { CommandRefused, print } from '../terminal/output.ts';
import { type Store, withStore } from '../terminal/store.ts';
import { DEMO_COMPONENTS, demoInventory, importDemoFeeds } from './demo-vulnerabilities.ts';

const DEMO_DOMAIN = 'demo-shop.com';
const REPORTERS = ['alpha-agency.com', 'beta-hosting.net', 'gamma-store.org'];
const THREATS = [
  { attackType: 'sql_injection', behaviorClass: 'automated_scanner', payloadHash: 'demo-payload-1' },
  { attackType: 'webshell_upload', behaviorClass: 'targeted', payloadHash: 'demo-payload-2' },
  { attackType: 'login_bruteforce', behaviorClass: 'botnet', payloadHash: 'demo-payload-3' },
] as const;

/** What the first commands need. */
export interface Demo {
  readonly key: string;
  /** Of its site, which told of its components. */
  readonly siteId: string;
}

/** The environment of a demonstration: a database of its own unless one is named, and the feed switched on. */
export function demoEnvironment(environment: Environment): Environment {
  const named = environment.SERVICE_DATA_DIR;
  return {
    SERVICE_THREAT_FEED_ENABLED: '1',
    // Its licenses are new, and nobody wants to wait a day for them to count.
    SERVICE_FEED_MIN_AGE_HOURS: '0',
    // Its data are thrown away.
    SERVICE_BACKUP_WARN_HOURS: '0',
    ...environment,
    SERVICE_DATA_DIR: named || temporaryDirectory(),
  };
}

/** A directory that goes when the process ends. */
function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'redoubt-demo-'));
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/**
 * Makes a database in an empty directory and fills it with sample data. Not even in one of an earlier demonstration: its keys
 * are not kept, so that it would need more licenses each time.
 *
 * @throws CommandRefused when the directory is not empty, or another database is named
 */
export function makeDemo(config: Config): Promise<Demo> {
  if (entriesOf(config.dataDir).length > 0) {
    throw new CommandRefused(
      `serve --demo needs an empty directory, and ${config.dataDir} is none: unset SERVICE_DATA_DIR, or name another`,
    );
  }
  if (config.databaseUrl !== undefined)
    throw new CommandRefused('serve --demo has a database of its own: unset SERVICE_DATABASE_URL');
  makeInstallation(config.dataDir);
  return withStore(config, (store) => seedDemo(store, config.dataDir));
}

/** Nothing of a directory that is not there or cannot be read: whoever makes something in it tells that. */
function entriesOf(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

/** Fills a new database with four licenses, a site with events and components, three corroborated threats and three vulnerabilities. */
async function seedDemo(store: Store, directory: string): Promise<Demo> {
  const now = Date.now();
  const issue = async (plan: Plan, domain: string) => {
    const { key, stored } = newLicenseKey('live');
    const input: NewLicense = {
      ...stored,
      kind: 'paid',
      environment: 'live',
      plan,
      sitesOverride: null,
      modulesAllowed: [],
      modulesDenied: [],
      note: 'demonstration',
      expiresAt: null,
      domains: [domain],
      createdAt: now,
      issuedBy: { actor: 'system' },
    };
    const [licenseId] = (await store.change({ name: 'issueLicense', input })) as [number];
    return { key, licenseId };
  };

  const demo = await issue('pro', DEMO_DOMAIN);
  const batch: TelemetryBatch = {
    licenseId: demo.licenseId,
    domain: DEMO_DOMAIN,
    claim: null,
    unregisteredAllowed: null,
    siteUuid: null,
    pluginVersion: '1.0.0',
    stats: { blocked_today: 2 },
    events: ['sql_injection', 'login_failed'].map((type) => ({
      type,
      severity: 'high',
      message: 'demonstration',
      occurredAt: now,
      eventId: null,
      metadata: null,
    })),
    budget: NO_LIMIT,
    receivedAt: now,
  };
  await store.change({ name: 'recordTelemetry', input: batch });
  await importDemoFeeds(store, directory, now);
  const site = await readSites(store.db).findByDomain(demo.licenseId, DEMO_DOMAIN);
  if (site === undefined) throw new Error('the site of the demonstration is not there');
  const inventory = { licenseId: demo.licenseId, siteId: site.id, components: demoInventory(now), gone: [] };
  await store.change({ name: 'replaceInventory', input: { ...inventory, receivedAt: now } });
  for (const domain of REPORTERS) {
    const { licenseId } = await issue('starter', domain);
    for (const threat of THREATS) {
      const { attackType } = threat;
      const input: ThreatReport = { fingerprint: fingerprintOf(threat), attackType, licenseId, now };
      await store.change({ name: 'recordThreatReport', input });
    }
  }
  return { key: demo.key, siteId: site.publicId };
}

/** What to try first, ready to paste. */
export function printDemo(url: string, { key, siteId }: Demo): void {
  const ask = (path: string, ...options: string[]) =>
    [`  curl -sw '\\n' ${url}/api/v1${path}`, ...options].join(' ');
  const bearer = `-H 'Authorization: Bearer ${key}'`;
  const curls = [
    ask('/me', bearer),
    ask('/license/verify', `-d '{"api_key":"${key}","domain":"${DEMO_DOMAIN}"}'`),
    ask('/sites', bearer),
    ask(`/sites/${siteId}/vulnerabilities`, bearer),
    ask('/threat-feed', bearer),
    ask('/vulnerabilities/match', bearer, `-d '${JSON.stringify({ components: DEMO_COMPONENTS })}'`),
    ask('/brain/analyze', bearer, `-d '{"input_type":"code","content":"<?php eval($_POST[1]);"}'`),
  ];
  print(`
Redoubt is running at ${url} with sample data. The reference: ${url}/docs
The handbook: ${url}/docs/handbook

License key: ${key}

${curls.join('\n\n')}

Stop it with Ctrl+C.
`);
}
