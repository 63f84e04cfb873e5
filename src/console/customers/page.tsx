/** @jsxImportSource hono/jsx */
import { licenseStanding } from '../../domain/license/license.ts';
import { planShown } from '../../domain/license/license-filter.ts';
import { licenseName } from '../../domain/license/license-name.ts';
import { getAt } from '../../http/route/endpoint.ts';
import { capitalized } from '../../lib/capitalized.ts';
import { counted } from '../../lib/counted.ts';
import { sitesAllowed } from '../../operator/license-domains.ts';
import { SeverityBadge } from '../../pages/badges.tsx';
import { Facts, whole } from '../../pages/html.tsx';
import { worded } from '../../pages/identifier-words.ts';
import { Table } from '../../pages/table.tsx';
import { Time } from '../../pages/time.tsx';
import { licenseAt } from '../../routes/admin/fields/act.ts';
import type { Parts } from '../../routes/parts.ts';
import { readLicensePages } from '../../storage/licenses/license-pages.ts';
import type { LicenseRecord } from '../../storage/licenses/licenses.ts';
import { readAudit } from '../../storage/operators/audit.ts';
import { Happenings, happeningOf } from '../license/activity.tsx';
import {
  createSiteJudge,
  type JudgedSite,
  type SiteJudgeParts,
  worstFirst,
} from '../license/judged-sites.ts';
import { SiteTable } from '../license/sites.tsx';
import { WORDS as OF_LICENSE } from '../license/words.ts';
import { LicenseLink } from '../license-link.tsx';
import { StateBadge } from '../licenses/table.tsx';
import { PLACES } from '../places.ts';
import { showPlace } from '../show-page.tsx';
import { SiteLink } from '../site-link.tsx';
import { type HasCustomers, page, type Visit, type VisitParts } from '../visit.ts';
import { reportPath } from './report.tsx';
import { WORDS } from './words.ts';

const LICENSES_SHOWN = 50;
const SITES_SHOWN = 50;
const SITES_OF_LICENSE = 20;
const ALERTS_SHOWN = 20;
const ENTRIES_SHOWN = 20;

function AlertsCard({ sites }: { readonly sites: readonly JudgedSite[] }) {
  const alerts = sites
    .flatMap(({ licenseId, domain, openAlerts }) =>
      openAlerts.map((alert) => ({ ...alert, licenseId, domain })),
    )
    .sort(
      (one, other) =>
        Number(other.severity === 'critical') - Number(one.severity === 'critical') ||
        other.lastOccurredAt - one.lastOccurredAt,
    );
  return (
    <section class="card c6">
      <header>
        <h2>{WORDS.alerts}</h2>
        <a href={PLACES.alerts.path}>{PLACES.alerts.words}</a>
      </header>
      <Table
        label={WORDS.alerts}
        columns={WORDS.alertColumns}
        rows={alerts
          .slice(0, ALERTS_SHOWN)
          .map(({ licenseId, domain, subject, severity, lastOccurredAt }) => [
            <SiteLink licenseId={licenseId} domain={domain} />,
            subject === '' ? WORDS.furtherAlerts : worded(subject),
            <SeverityBadge severity={severity} />,
            <Time at={lastOccurredAt} />,
          ])}
        none={<p class="quiet">{WORDS.noAlerts}</p>}
      />
    </section>
  );
}

export type CustomerParts = VisitParts & HasCustomers & SiteJudgeParts & Parts<'clock' | 'offer'>;

/** The page of a customer: all licenses with its name, mailbox or Stripe customer, their sites, alerts and activity. */
export const customerPage = (parts: CustomerParts) => {
  const { db, offer, clock, customers } = parts;
  const pages = readLicensePages(db);
  const sitesOf = createSiteJudge(parts);

  const row = (license: LicenseRecord, now: number) => {
    const standing = licenseStanding(license, offer.catalog, now);
    return [
      <LicenseLink id={license.id} />,
      <StateBadge state={standing.state} />,
      capitalized(planShown(license, standing)),
      OF_LICENSE.sitesOf(license.domains.length, sitesAllowed(license, offer.catalog, now)),
      standing.expiresAt === null ? WORDS.never : <Time at={standing.expiresAt} />,
    ];
  };

  const happeningsOf = async (licenses: readonly LicenseRecord[]) => {
    const entries = await Promise.all(
      licenses.map(({ id }) => readAudit(db, { subject: licenseName(id), limit: ENTRIES_SHOWN })),
    );
    return entries
      .flat()
      .sort((one, other) => other.id - one.id)
      .slice(0, ENTRIES_SHOWN)
      .map((entry) => {
        const happening = happeningOf(entry);
        return licenses.length < 2
          ? happening
          : { ...happening, sentence: `${entry.subject}: ${happening.sentence}` };
      });
  };

  const show = async (visit: Visit) => {
    const { id } = await licenseAt(parts, visit.params.licenseId ?? '');
    const customer = (await customers()).byLicense.get(id);
    const ids = customer?.licenses ?? [id];
    const licenses = await pages.ofIds(ids.slice(0, LICENSES_SHOWN));
    const now = clock.now();
    const sites: JudgedSite[] = [];
    for (const license of licenses)
      if (sites.length < SITES_SHOWN) sites.push(...(await sitesOf(license.id, now, SITES_OF_LICENSE)));
    const emails = [...new Set(licenses.flatMap(({ email }) => email ?? []))];
    return showPlace(
      visit,
      PLACES.customers,
      <div class="grid">
        <section class="card c8">
          <h2>{WORDS.licenses}</h2>
          <Table
            label={WORDS.licenses}
            columns={WORDS.licenseColumns}
            rows={licenses.map((license) => row(license, now))}
          />
          {ids.length > LICENSES_SHOWN ? <p class="quiet">{WORDS.moreThan(LICENSES_SHOWN)}</p> : null}
        </section>
        <section class="card c4">
          <h2>{WORDS.contact}</h2>
          {emails.length === 0 ? (
            <p class="quiet">{WORDS.noEmail}</p>
          ) : (
            <Facts of={emails.map((email) => [WORDS.email, email] as const)} />
          )}
        </section>
        <section class="card">
          <header>
            <h2>{OF_LICENSE.sites}</h2>
            <span class="quiet">{whole(sites.length)}</span>
          </header>
          <SiteTable sites={worstFirst(sites).slice(0, SITES_SHOWN)} />
        </section>
        <AlertsCard sites={sites} />
        <section class="card c6">
          <h2>{WORDS.activity}</h2>
          <Happenings label={WORDS.activity} of={await happeningsOf(licenses)} />
        </section>
      </div>,
      {
        title: customer?.name ?? licenseName(id),
        actions: (
          <a class="button quiet" href={reportPath(licenseName(id))}>
            {WORDS.report}
          </a>
        ),
        sub: `${counted(ids.length, 'license')}, ${counted(
          licenses.reduce((sum, { domains }) => sum + domains.length, 0),
          'registered site',
        )}`,
      },
    );
  };

  const path = `${PLACES.customers.path}/:licenseId`;
  return getAt(path, page(parts, 'support', show));
};
