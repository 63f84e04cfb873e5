import { newBearerSecret } from '../../domain/admin/bearer-secret.ts';
import { type AssessmentParts, assess } from '../../domain/assessment/assessment.ts';
import type { Finding } from '../../domain/finding.ts';
import { NO_LIMIT } from '../../domain/license/daily-budget.ts';
import { newLicenseKey } from '../../domain/license/license-key.ts';
import { isRefusal } from '../../domain/refusal.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../lib/clock.ts';
import { Fault } from '../../lib/fault.ts';
import { newOpaqueId } from '../../lib/opaque-id.ts';
import type { Job } from '../../storage/engine/jobs/jobs.ts';
import type { LicenseChange } from '../../storage/licenses/licenses.ts';
import type { Scan } from '../../storage/scans/scans.ts';
import { readSites, type Site } from '../../storage/sites/sites.ts';
import type { Store } from '../../terminal/store.ts';
import { demoInventory, importDemoFeeds } from '../demo-vulnerabilities.ts';
import { demoChecks } from './checks.ts';
import { CUSTOMERS, type DemoCustomer, type DemoSite, type Story } from './customers.ts';
import { countsOf } from './event-counts.ts';
import { blockedOn, DEMO_DAYS, incidentsOf, randomFrom } from './events.ts';
import { demoFleetDays } from './fleet-days.ts';
import { refusedIn } from './refused.ts';
import { demoReports } from './threats.ts';

const BY = { actor: 'system' } as const;
const OPERATOR = 'demo';
const LINK_MS = DAY_MS;
const NEWEST_PLUGIN = '2.4.1';
const OLDER_PLUGIN = '2.1.0';
const PAYMENT_GRACE_MS = 5 * DAY_MS;
/** Sites of the first customer whose domain is proven and which are assessed; the first shows its badge. */
const ASSESSED = ['oak-bookshop', 'city-museum', 'stone-bakery', 'river-hotel', 'yoga-loft'];

/** What the first commands need. */
export interface Demo {
  readonly key: string;
  readonly domain: string;
  /** Of its site with vulnerable components. */
  readonly siteId: string;
  /** Of the link at which the operator `demo` chooses a password. */
  readonly linkSecret: string;
}

interface IssuedLicense {
  readonly customer: DemoCustomer;
  readonly key: string;
  readonly licenseId: number;
}

const changeOf = ({ state }: DemoCustomer, now: number): LicenseChange | undefined => {
  if (state === 'failed-payment') return { paymentHoldFrom: now + PAYMENT_GRACE_MS };
  if (state === 'dispute') return { holds: ['dispute'] };
  return state === 'revoked' ? { revokedAt: now - 40 * DAY_MS } : undefined;
};

async function issueLicenses(store: Store, now: number): Promise<IssuedLicense[]> {
  const made = CUSTOMERS.map((customer) => ({ customer, ...newLicenseKey('live') }));
  const jobs = made.map(({ customer, stored }): Job => {
    const { name, email, plan, age, endsIn, state } = customer;
    const input = {
      ...stored,
      kind: state === 'trial' || state === 'pending' ? ('trial' as const) : ('paid' as const),
      ...{ environment: 'live' as const, plan, customer: name, email, note: null },
      ...{ sitesOverride: null, modulesAllowed: [], modulesDenied: [] },
      expiresAt: endsIn === undefined ? null : now + endsIn * DAY_MS,
      ...(state === 'pending' ? { pendingUntil: now + 20 * MINUTE_MS } : {}),
      domains: customer.sites.map(({ domain }) => domain),
      ...{ createdAt: now - age * DAY_MS, issuedBy: BY },
    };
    return { name: 'issueLicense', input };
  });
  const ids = (await store.change(...jobs)) as number[];
  const issued = made.map(({ customer, key }, index) => ({ customer, key, licenseId: ids[index] ?? 0 }));
  const changes = issued.flatMap(({ customer, licenseId }): Job[] => {
    const change = changeOf(customer, now);
    return change ? [{ name: 'changeLicense', input: { id: licenseId, change } }] : [];
  });
  await store.change(...changes);
  return issued;
}

const LAST_HEARD_MS: Readonly<Record<Story, number>> = {
  ...{ quiet: 2 * MINUTE_MS, attacked: MINUTE_MS, infected: MINUTE_MS, outdated: 3 * MINUTE_MS },
  ...{ stale: 5 * HOUR_MS, silent: 4 * DAY_MS },
};

/** A site's telemetry of thirty days, a request for each day and one for what happened last. */
function telemetryOf(licenseId: number, { domain, story }: DemoSite, index: number, now: number): Job[] {
  const random = randomFrom(index + 1);
  const seenAt = now - LAST_HEARD_MS[story];
  const pluginVersion = story === 'outdated' ? OLDER_PLUGIN : NEWEST_PLUGIN;
  const common = {
    licenseId,
    domain,
    claim: null,
    unregisteredAllowed: null,
    siteUuid: null,
    budget: NO_LIMIT,
  };
  const days = Array.from({ length: DEMO_DAYS }, (_, at) => DEMO_DAYS - 1 - at);
  const byDay = days.map((daysAgo) => {
    const events = blockedOn(daysAgo, story, random, seenAt);
    const receivedAt = Math.min(seenAt, now - (now % DAY_MS) - (daysAgo - 1) * DAY_MS);
    return { ...common, pluginVersion, stats: null, events, receivedAt };
  });
  const last = {
    ...{ ...common, pluginVersion, events: incidentsOf(story, index, now), receivedAt: seenAt },
    stats: { blocked_today: byDay.at(-1)?.events.length ?? 0 },
  };
  return [...byDay, last].map((input) => ({ name: 'recordTelemetry', input }));
}

const FINDING: Finding = {
  ...{ id: 'csp_missing', severity: 'medium', title: 'No Content-Security-Policy' },
  evidence: 'The home page sends no Content-Security-Policy header.',
  recommendation: 'Send one that allows only the scripts that the site needs.',
};

function assessmentOf(index: number, at: number) {
  const parts: AssessmentParts = {
    telemetry: { score: 100 - index * 9, at, complete: true },
    surface: { score: 100 - index * 7, at, complete: true },
    vulnerabilities: { score: 100 - index * 8, at, complete: true, dataAt: at, open: index, overdue: 0 },
  };
  const assessment = assess(parts);
  if (assessment === undefined) throw new Fault('a site of the demonstration could not be assessed');
  return { ...assessment, vulnerabilities: [], mirror: null };
}

/** Proves domains of a license, and assesses their sites once a week. */
async function assessSites(store: Store, licenseId: number, now: number): Promise<void> {
  const domains = ASSESSED.map((name) => `${name}.example.com`);
  await store.change(
    ...domains.map(
      (domain): Job => ({ name: 'vouchForDomain', input: { licenseId, domain, now: now - 20 * DAY_MS } }),
    ),
  );
  for (const at of [now - 8 * DAY_MS, now - DAY_MS]) {
    const wanted = domains.map((domain): Job => {
      const input = { licenseId, domain, siteUrl: `https://${domain}/`, type: 'assessment' as const };
      const rest = {
        publicId: newOpaqueId(),
        trigger: 'schedule' as const,
        request: null,
        dailyCap: 100,
        now: at,
      };
      return { name: 'queueScan', input: { ...input, ...rest } };
    });
    const queued: unknown[] = [];
    // One at a time, as a license has few that wait.
    for (const [index, job] of wanted.entries()) {
      const [scan] = (await store.change(job)) as [Scan];
      queued.push(scan);
      await store.change(
        { name: 'startScan', input: { id: scan.id, now: at } },
        {
          name: 'finishScan',
          input: {
            ...{ id: scan.id, failure: null, findings: index === 0 ? [] : [FINDING] },
            ...{ assessment: assessmentOf(index, at), now: at + 20_000 },
          },
        },
      );
    }
  }
  const [domain = ''] = domains;
  const wanted = { licenseId, domain, enabled: true, showGrade: true, rotate: false, dailyCap: 100, now };
  await store.change({ name: 'setTrust', input: wanted });
}

/** Reports what sites run: every third one has components with known vulnerabilities. */
async function reportComponents(store: Store, issued: readonly IssuedLicense[], now: number): Promise<Site> {
  const sites = readSites(store.db);
  const found = await Promise.all(
    issued.flatMap(({ licenseId, customer }) =>
      customer.sites.map(async ({ domain }) => ({
        licenseId,
        site: await sites.findByDomain(licenseId, domain),
      })),
    ),
  );
  const reported = found.flatMap(({ licenseId, site }, index) =>
    site && index % 3 === 0 ? { licenseId, site, since: now - (index % 7) * DAY_MS } : [],
  );
  await store.change(
    ...reported.map(
      ({ licenseId, site, since }): Job => ({
        name: 'replaceInventory',
        input: { licenseId, siteId: site.id, components: demoInventory(since), gone: [], receivedAt: now },
      }),
    ),
  );
  const [first] = reported;
  if (first === undefined) throw new Fault('no site of the demonstration was stored');
  return first.site;
}

/** Fills a new database with the customers of a fictional agency and a month of their telemetry. */
export async function seedDemo(store: Store, directory: string, now = Date.now()): Promise<Demo> {
  const issued = await issueLicenses(store, now);
  const reporting = issued.filter(
    ({ customer }) => customer.state !== 'pending' && customer.state !== 'revoked',
  );
  let index = 0;
  const telemetry = reporting.flatMap(({ licenseId, customer }) =>
    customer.sites.flatMap((site) => telemetryOf(licenseId, site, index++, now)),
  );
  const refusals = issued.flatMap(({ licenseId, customer }) => refusedIn(customer, licenseId, now));
  await store.change(...telemetry, ...demoChecks(now), ...countsOf(telemetry, now), ...demoFleetDays(now), {
    name: 'addRefusedDomains',
    input: { refusals },
  });
  await importDemoFeeds(store, directory, now);
  const site = await reportComponents(store, reporting, now);
  const vouching = reporting.filter(
    ({ customer }) => customer.state === undefined && (customer.endsIn ?? 1) > 0,
  );
  const reports = demoReports(
    vouching.map(({ licenseId }) => licenseId),
    now,
  );
  await store.change(...reports.map((input): Job => ({ name: 'recordThreatReport', input })));
  const [first] = issued;
  if (first === undefined) throw new Fault('the demonstration has no customer');
  await assessSites(store, first.licenseId, now);
  const { secret, secretHash } = newBearerSecret();
  const link = { linkHash: secretHash, linkExpiresAt: now + LINK_MS };
  const added = await store.change({
    name: 'addOperator',
    input: { name: OPERATOR, role: 'owner', createdAt: now, ...link },
  });
  if (added.some(isRefusal)) throw new Fault('the operator of the demonstration could not be added');
  return { key: first.key, domain: site.domain, siteId: site.publicId, linkSecret: secret };
}
