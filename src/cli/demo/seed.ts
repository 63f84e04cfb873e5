import { newBearerSecret } from '../../domain/admin/bearer-secret.ts';
import { NO_LIMIT } from '../../domain/license/daily-budget.ts';
import { newLicenseKey } from '../../domain/license/license-key.ts';
import { isRefusal } from '../../domain/refusal.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../lib/clock.ts';
import { Fault } from '../../lib/fault.ts';
import { acknowledgeAlert } from '../../operator/acknowledge-alert.ts';
import type { Job } from '../../storage/engine/jobs/jobs.ts';
import type { LicenseChange } from '../../storage/licenses/licenses.ts';
import { readSites, type Site } from '../../storage/sites/sites.ts';
import type { Store } from '../../terminal/store.ts';
import { demoInventory, importDemoFeeds } from '../demo-vulnerabilities.ts';
import { demoChecks } from './checks.ts';
import { CUSTOMERS, type DemoCustomer, type DemoSite, type Story } from './customers.ts';
import { countsOf } from './event-counts.ts';
import { blockedOn, DEMO_DAYS, incidentsOf, randomFrom } from './events.ts';
import { demoFleetDays } from './fleet-days.ts';
import { refusedIn } from './refused.ts';
import { scanSites } from './scans.ts';
import { demoThreats } from './threats.ts';

const BY = { actor: 'system' } as const;
const OPERATOR = 'demo';
const LINK_MS = DAY_MS;
const NEWEST_PLUGIN = '2.4.1';
const OLDER_PLUGIN = '2.1.0';
const PAYMENT_GRACE_MS = 5 * DAY_MS;

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
      environment: 'live' as const,
      plan,
      customer: name,
      email,
      note: null,
      sitesOverride: null,
      modulesAllowed: [],
      modulesDenied: [],
      expiresAt: endsIn === undefined ? null : now + endsIn * DAY_MS,
      ...(state === 'pending' ? { pendingUntil: now + 20 * MINUTE_MS } : {}),
      domains: customer.sites.map(({ domain }) => domain),
      createdAt: now - age * DAY_MS,
      issuedBy: BY,
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
  quiet: 2 * MINUTE_MS,
  attacked: MINUTE_MS,
  overrun: MINUTE_MS,
  infected: MINUTE_MS,
  outdated: 3 * MINUTE_MS,
  stale: 5 * HOUR_MS,
  silent: 4 * DAY_MS,
};

/** A site's telemetry of thirty days, a request for each day and one for what happened last. */
function telemetryOf(licenseId: number, { domain, story }: DemoSite, index: number, now: number) {
  const random = randomFrom(index + 1);
  const seenAt = now - LAST_HEARD_MS[story];
  const pluginVersion = story === 'outdated' || story === 'overrun' ? OLDER_PLUGIN : NEWEST_PLUGIN;
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
    ...common,
    pluginVersion,
    events: incidentsOf(story, index, now),
    receivedAt: seenAt,
    stats: { blocked_today: byDay.at(-1)?.events.length ?? 0 },
  };
  return [...byDay, last].map((input) => ({ name: 'recordTelemetry' as const, input }));
}

/** Reports what sites run; returns the first one with an exploited component. */
async function reportComponents(store: Store, issued: readonly IssuedLicense[], now: number): Promise<Site> {
  const sites = readSites(store.db);
  const found = await Promise.all(
    issued.flatMap(({ licenseId, customer }) =>
      customer.sites.map(async ({ domain, components }) => ({
        licenseId,
        components,
        site: await sites.findByDomain(licenseId, domain),
      })),
    ),
  );
  const reports = found.flatMap(({ licenseId, components, site }, index): Job[] => {
    const inventory = demoInventory(components, now - (index % 7) * DAY_MS);
    const input = { licenseId, components: inventory, gone: [], receivedAt: now };
    if (site === undefined) return [];
    const report: Job = { name: 'replaceInventory', input: { ...input, siteId: site.id } };
    const important = { licenseId, siteId: site.id, importance: 'high', exposure: null, now } as const;
    return components === 'urgent' ? [report, { name: 'setImportance', input: important }] : [report];
  });
  await store.change(...reports);
  const site = found.find(({ components }) => components === 'exploited')?.site;
  if (site === undefined) throw new Fault('no site of the demonstration has an exploited component');
  return site;
}

/** Notes that an operator works on the alerts of one site. */
async function acknowledge(store: Store, { licenseId, customer }: IssuedLicense, now: number): Promise<void> {
  const [, , { domain } = { domain: '' }] = customer.sites;
  for (const subject of ['webshell', 'admin_created'])
    await store.act(() =>
      acknowledgeAlert(
        store.db,
        { licenseId, domain, subject },
        { note: 'ticket 1041' },
        {
          actor: 'operator:demo',
          now,
        },
      ),
    );
}

/** A payment that the processor reported as failed, and that could not be settled yet. */
const failedPayment = (now: number): Job[] => {
  const event = {
    id: 'evt_demo',
    type: 'invoice.payment_failed',
    kind: 'invoice',
    subjectId: 'in_demo',
  } as const;
  return [
    { name: 'storePaymentEvents', input: { events: [event], now: now - 2 * HOUR_MS } },
    { name: 'putOffPaymentEvents', input: { eventIds: [event.id], dueAt: now + 5 * MINUTE_MS } },
  ];
};

/** Fills a new database with the customers of a fictional agency and a month of their telemetry. */
export async function seedDemo(store: Store, directory: string, now = Date.now()): Promise<Demo> {
  const issued = await issueLicenses(store, now);
  const reporting = issued.filter(
    ({ customer }) => customer.state !== 'pending' && customer.state !== 'revoked',
  );
  let index = 0;
  const telemetry = reporting
    .flatMap(({ licenseId, customer }) =>
      customer.sites.flatMap((site) => telemetryOf(licenseId, site, index++, now)),
    )
    .toSorted((one, other) => one.input.receivedAt - other.input.receivedAt);
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
  await store.change(
    ...demoThreats(
      vouching.map(({ licenseId }) => licenseId),
      now,
    ),
    ...failedPayment(now),
  );
  const [first] = issued;
  if (first === undefined) throw new Fault('the demonstration has no customer');
  await scanSites(store, first.licenseId, now);
  await acknowledge(store, first, now);
  const { secret, secretHash } = newBearerSecret();
  const link = { linkHash: secretHash, linkExpiresAt: now + LINK_MS };
  const added = await store.change({
    name: 'addOperator',
    input: { name: OPERATOR, role: 'owner', createdAt: now, ...link },
  });
  if (added.some(isRefusal)) throw new Fault('the operator of the demonstration could not be added');
  return { key: first.key, domain: site.domain, siteId: site.publicId, linkSecret: secret };
}
