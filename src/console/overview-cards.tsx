/** @jsxImportSource hono/jsx */
import { licenseName } from '../domain/license/license-name.ts';
import type { SiteRisks } from '../operator/site-risks.ts';
import { whole } from '../pages/html.tsx';
import { worded } from '../pages/identifier-words.ts';
import { Table } from '../pages/table.tsx';
import { Time } from '../pages/time.tsx';
import type { CriticalAlert } from '../storage/sites/critical-alerts.ts';
import { customerPath } from './customer-link.ts';
import { LicenseLink } from './license-link.tsx';
import { PLACES } from './places.ts';
import { SiteLink } from './site-link.tsx';
import { TEXTS } from './texts.ts';
import { ComponentLink } from './vulnerabilities/component-link.tsx';

const WORDS = TEXTS.overview;
const COMPONENTS_SHOWN = 5;

/** The newest open critical alerts, with customers for operators who may see them. */
export const AlertsCard = ({
  alerts,
  names,
}: {
  readonly alerts: readonly CriticalAlert[];
  /** Customers by license; undefined if the operator may not see customers. */
  readonly names: ReadonlyMap<number, string> | undefined;
}) => (
  <section class="card c6">
    <header>
      <h2>{WORDS.alerts}</h2>
      <a href={PLACES.alerts.path}>{WORDS.allAlerts}</a>
    </header>
    <Table
      label={WORDS.alerts}
      columns={[
        WORDS.columns.site,
        WORDS.columns.what,
        names ? WORDS.columns.customer : WORDS.columns.license,
        WORDS.columns.when,
      ]}
      rows={alerts.map(({ domain, licenseId, subject, criticalAt }) => [
        <SiteLink licenseId={licenseId} domain={domain} />,
        worded(subject),
        names?.has(licenseId) ? (
          <a href={customerPath(licenseName(licenseId))}>{names.get(licenseId)}</a>
        ) : (
          <LicenseLink id={licenseId} />
        ),
        <Time at={criticalAt} />,
      ])}
      none={<p class="quiet">{WORDS.noAlerts}</p>}
    />
  </section>
);

/** The most urgent vulnerable components. */
export const ComponentsCard = ({
  risks,
  isCounting,
}: {
  readonly risks: SiteRisks | undefined;
  /** Whether the data is missing only because it is being counted. */
  readonly isCounting: boolean;
}) => (
  <section class="card c6">
    <header>
      <h2>{WORDS.updateFirst}</h2>
      <a href={PLACES.vulnerabilities.path}>{WORDS.allVulnerabilities}</a>
    </header>
    <Table
      label={WORDS.updateFirst}
      columns={Object.values(WORDS.componentColumns)}
      rows={(risks?.affected ?? [])
        .slice(0, COMPONENTS_SHOWN)
        .map((each) => [
          <ComponentLink
            of={each}
            words={each.ecosystem === 'wordpress-plugin' ? each.component : undefined}
          />,
          ...[whole(each.sites), whole(each.licenses)],
          each.fixedVersion === undefined ? WORDS.noFix : <code>{each.fixedVersion}</code>,
          <Time at={each.dueAt} />,
        ])}
      none={<p class="quiet">{isCounting ? WORDS.counting : WORDS.noComponents}</p>}
    />
  </section>
);
