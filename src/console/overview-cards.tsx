/** @jsxImportSource hono/jsx */
import type { SiteRisks } from '../operator/site-risks.ts';
import { componentWords } from '../operator/vulnerability-words.ts';
import { whole } from '../pages/html.tsx';
import { Table } from '../pages/table.tsx';
import { Time } from '../pages/time.tsx';
import type { CriticalAlert } from '../storage/sites/critical-alerts.ts';
import { LicenseLink } from './license-link.tsx';
import { PLACES } from './places.ts';
import { SiteLink } from './site-link.tsx';
import { TEXTS } from './texts.ts';
import { componentPath } from './vulnerabilities/address.ts';

const WORDS = TEXTS.overview;
const COMPONENTS_SHOWN = 5;

/** The newest critical alerts that are open. */
export const AlertsCard = ({ alerts }: { readonly alerts: readonly CriticalAlert[] }) => (
  <section class="card c6">
    <header>
      <h2>{WORDS.alerts}</h2>
      <a href={PLACES.alerts.path}>{WORDS.allAlerts}</a>
    </header>
    <Table
      label={WORDS.alerts}
      columns={Object.values(WORDS.columns)}
      rows={alerts.map(({ domain, licenseId, subject, criticalAt }) => [
        <SiteLink licenseId={licenseId} domain={domain} />,
        <LicenseLink id={licenseId} />,
        subject,
        <Time at={criticalAt} />,
      ])}
      none={<p class="quiet">{WORDS.noAlerts}</p>}
    />
  </section>
);

/** The vulnerable components that most sites have. */
export const ComponentsCard = ({ risks }: { readonly risks: SiteRisks | undefined }) => (
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
        .map(({ ecosystem, component, sites, licenses, risk }) => [
          <a href={componentPath({ ecosystem, component })}>
            {componentWords(ecosystem, component, '').trim()}
          </a>,
          ...[sites, licenses, risk].map(whole),
        ])}
      none={<p class="quiet">{WORDS.noComponents}</p>}
    />
  </section>
);
