/** @jsxImportSource hono/jsx */
import { Fragment } from 'hono/jsx';
import { controlState } from '../../domain/domain-control/control.ts';
import { licenseName } from '../../domain/license/license-name.ts';
import { scanStatus } from '../../domain/scan/scan.ts';
import { componentWords, notAffectedWords, remedyWords } from '../../operator/vulnerability-words.ts';
import { SeverityBadge } from '../../pages/badges.tsx';
import { FactorTable } from '../../pages/factors.tsx';
import { Facts, whole } from '../../pages/html.tsx';
import { worded } from '../../pages/identifier-words.ts';
import { ScoreRing } from '../../pages/meter.tsx';
import { addressOf } from '../../pages/query.ts';
import { Stats } from '../../pages/stats.tsx';
import { Table } from '../../pages/table.tsx';
import { Time } from '../../pages/time.tsx';
import { WORDS as SHARED } from '../../pages/words.ts';
import { EVENTS_PATH } from '../events.tsx';
import { LicenseLink } from '../license-link.tsx';
import { PLACES } from '../places.ts';
import type { SiteShown } from './read-site.ts';
import { WORDS } from './words.ts';

const FINDINGS_SHOWN = 50;

interface OfSite {
  readonly shown: SiteShown;
}

/** The score of a site with its factors. */
export const ScoreCard = ({ shown: { site } }: OfSite) => (
  <section class="card">
    <h2>{SHARED.factors.title}</h2>
    <ScoreRing score={site.score.score} />
    <FactorTable factors={site.score.factors} />
  </section>
);

/** Times of reports, domain verification, assessment and trust state. */
export const AboutCard = ({ shown, now }: OfSite & { readonly now: number }) => {
  const { licenseId, site, control, assessment, trust } = shown;
  const state = controlState(control, now);
  const { facts } = WORDS;
  return (
    <section class="card c4">
      <h2>{WORDS.about}</h2>
      <Facts
        of={[
          [facts.license, <LicenseLink id={licenseId} />],
          [facts.seen, <Time at={site.lastSeenAt} />],
          [facts.first, <Time at={site.firstSeenAt} />],
          [facts.lastEvent, site.lastEventAt === null ? null : <Time at={site.lastEventAt} />],
          [facts.plugin, site.pluginVersion ?? WORDS.unknown],
          [
            facts.control,
            control !== undefined && state === 'verified' ? (
              <Fragment>
                {`${WORDS.provenSince(control.method)} `}
                <Time at={control.checkedAt} />
              </Fragment>
            ) : (
              WORDS.control[state]
            ),
          ],
          [
            facts.assessment,
            assessment === undefined ? (
              WORDS.notAssessed
            ) : (
              <Fragment>
                {`${WORDS.assessed(assessment.grade, assessment.score)}, `}
                <Time at={assessment.assessedAt} />
              </Fragment>
            ),
          ],
          [facts.trust, trust?.enabled ? WORDS.trustOn : WORDS.trustOff],
          [facts.uuid, site.siteUuid],
        ]}
      />
    </section>
  );
};

/** The open alerts, unacknowledged ones first. */
export const AlertsCard = ({ shown: { licenseId, site, alerts } }: OfSite) => (
  <section class="card c8">
    <header>
      <h2>{WORDS.alerts}</h2>
      {alerts.length === 0 ? null : (
        <a href={addressOf(PLACES.alerts.path, { license: licenseName(licenseId), domain: site.domain })}>
          {WORDS.toAlerts}
        </a>
      )}
    </header>
    <Table
      label={WORDS.alerts}
      columns={WORDS.alertColumns}
      rows={alerts.map(({ subject, severity, lastOccurredAt, acknowledgedAt }) => [
        subject === '' ? WORDS.further : worded(subject),
        <SeverityBadge severity={severity} />,
        <Time at={lastOccurredAt} />,
        acknowledgedAt === null ? '' : <Time at={acknowledgedAt} />,
      ])}
      none={<p class="quiet">{WORDS.noAlerts}</p>}
    />
    {site.moreAlerts ? <p class="quiet">{WORDS.moreAlerts}</p> : null}
  </section>
);

const Due = ({ at, isOverdue }: { readonly at: number | null; readonly isOverdue: boolean }) =>
  at === null ? (
    <Fragment>{WORDS.atUpgrade}</Fragment>
  ) : (
    <span class={isOverdue ? 'badge bad' : undefined}>
      <Time at={at} />
    </span>
  );

/** The vulnerabilities of the components, highest risk first, and last those that suppliers call not affected. */
export const VulnerabilitiesCard = ({ shown: { findings } }: OfSite) => (
  <section class="card">
    <h2>{WORDS.vulnerabilities}</h2>
    {typeof findings === 'string' ? (
      <p class="quiet">{findings === 'no_data' ? WORDS.noData : WORDS.noComponents}</p>
    ) : (
      <Fragment>
        <p class="quiet">
          {`${WORDS.componentsAt} `}
          <Time at={findings.inventoryAt} />
        </p>
        <Table
          label={WORDS.vulnerabilities}
          columns={WORDS.vulnerabilityColumns}
          rows={findings.findings
            .slice(0, FINDINGS_SHOWN)
            .map(({ finding: { component, name, known, risk, fixedVersions, notAffected }, times }) => [
              componentWords(component.ecosystem, name, component.version),
              known.id,
              ...(notAffected
                ? ['', '', '', notAffectedWords(notAffected)]
                : [
                    whole(risk.score),
                    risk.decision,
                    <Due at={times.dueAt} isOverdue={times.overdue} />,
                    remedyWords(fixedVersions),
                  ]),
            ])}
          none={<p>{WORDS.noVulnerabilities}</p>}
        />
        {findings.findings.length > FINDINGS_SHOWN ? (
          <p class="quiet">{WORDS.more(findings.findings.length - FINDINGS_SHOWN)}</p>
        ) : null}
      </Fragment>
    )}
  </section>
);

export const EventsCard = ({ shown: { licenseId, site, events } }: OfSite) => (
  <section class="card c6">
    <header>
      <h2>{WORDS.events}</h2>
      <a href={addressOf(EVENTS_PATH, { license: licenseName(licenseId), domain: site.domain })}>
        {WORDS.allEvents}
      </a>
    </header>
    <Table
      label={WORDS.events}
      columns={WORDS.eventColumns}
      head={1}
      rows={events.map(({ occurredAt, type, severity, message }) => [
        <Time at={occurredAt} />,
        worded(type),
        <SeverityBadge severity={severity} />,
        message ?? '',
      ])}
      none={<p class="quiet">{WORDS.noEvents}</p>}
    />
  </section>
);

export const ScansCard = ({ shown: { scans } }: OfSite) => (
  <section class="card c6">
    <h2>{WORDS.scans}</h2>
    <Table
      label={WORDS.scans}
      columns={WORDS.scanColumns}
      head={1}
      rows={scans.map((scan) => [
        <Time at={scan.queuedAt} />,
        worded(scan.type),
        scanStatus(scan),
        WORDS.triggers[scan.trigger],
      ])}
      none={<p class="quiet">{WORDS.noScans}</p>}
    />
  </section>
);

/** Statistics reported by the plugin. */
export const StatsCard = ({ shown: { site } }: OfSite) =>
  site.stats === null ? null : (
    <section class="card">
      <h2>{WORDS.stats}</h2>
      <Stats of={site.stats} />
    </section>
  );
