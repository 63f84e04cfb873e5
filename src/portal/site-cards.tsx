/** @jsxImportSource hono/jsx */
import type { Static } from '@sinclair/typebox';
import { SEVERITIES } from '../domain/severity.ts';
import { SeverityBadge, SiteBadge } from '../pages/badges.tsx';
import { FactorTable } from '../pages/factors.tsx';
import { Facts, whole } from '../pages/html.tsx';
import { ScoreRing } from '../pages/meter.tsx';
import { addressOf } from '../pages/query.ts';
import { Stats } from '../pages/stats.tsx';
import { TableCard } from '../pages/table.tsx';
import { WORDS as SHARED } from '../pages/words.ts';
import type { Details } from '../routes/fields/site-fields.ts';
import { DayChart } from './day-chart.tsx';
import { PLACES } from './places.ts';
import { alertName, siteAddress, When } from './site-parts.tsx';
import { TEXTS } from './texts.ts';

const WORDS = TEXTS.site;
const VULNERABILITIES = TEXTS.vulnerabilities;

export type SiteShown = Static<typeof Details>;
interface OfSite {
  readonly site: SiteShown;
}

/** Status, times and versions of a site's reports. */
export const ReportCard = ({ site }: OfSite) => (
  <section class="card">
    <h2>{WORDS.report}</h2>
    <Facts
      of={[
        [TEXTS.sites.columns.status, <SiteBadge status={site.status} />],
        [WORDS.seen, <When at={site.last_seen_at} />],
        [WORDS.first, <When at={site.first_seen_at} />],
        [WORDS.lastEvent, <When at={site.last_event_at} />],
        [TEXTS.sites.columns.version, site.plugin_version ?? TEXTS.sites.unknown],
        [WORDS.uuid, site.site_uuid],
      ]}
    />
  </section>
);

/** The number of events by severity, with links to events and scans. */
export const EventsCard = ({ site: { id, events } }: OfSite) => (
  <section class="card">
    <h2>{WORDS.events}</h2>
    <Facts
      of={[
        [WORDS.total, whole(events.total)],
        ...SEVERITIES.toReversed().map(
          (severity) => [WORDS.severities[severity], whole(events[severity])] as const,
        ),
      ]}
    />
    <p>
      <a href={addressOf(PLACES.events.path, { site: id })}>{WORDS.toEvents}</a>
    </p>
    <p>
      <a href={addressOf(PLACES.scans.path, { site: id })}>{WORDS.toScans}</a>
    </p>
  </section>
);

/** The number of vulnerabilities of a site. */
export const VulnerabilitiesCard = ({ site: { id, vulnerabilities } }: OfSite) => (
  <section class="card">
    <h2>{VULNERABILITIES.card}</h2>
    {vulnerabilities === null ? (
      <p class="quiet">{VULNERABILITIES.noData}</p>
    ) : (
      <Facts
        of={[
          [VULNERABILITIES.findings, whole(vulnerabilities.findings)],
          [VULNERABILITIES.overdue, whole(vulnerabilities.overdue)],
          [VULNERABILITIES.highest, vulnerabilities.highest_risk],
          [VULNERABILITIES.inventory, <When at={vulnerabilities.inventory_at} />],
        ]}
      />
    )}
    <p>
      <a href={`${siteAddress(id)}/vulnerabilities`}>{VULNERABILITIES.all}</a>
    </p>
  </section>
);

/** The score of a site with its factors. */
export const ScoreCard = ({ site }: OfSite) => (
  <section class="card wide">
    <h2>{SHARED.factors.title}</h2>
    <div class="scored">
      <ScoreRing score={site.security_score} />
      <div>
        <p class="figure">{WORDS.outOf(site.security_score)}</p>
        <p class="quiet">{WORDS.scoreAbout}</p>
      </div>
    </div>
    <FactorTable
      factors={site.score_factors.map(({ factor, points_max, ...rest }) => ({
        ...rest,
        id: factor,
        pointsMax: points_max,
      }))}
    />
  </section>
);

/** The open alerts of a site. */
export const AlertsCard = ({ site: { alerts, more_alerts } }: OfSite) => (
  <TableCard
    label={WORDS.alerts}
    none={WORDS.noAlerts}
    columns={WORDS.alertColumns}
    rows={alerts.map(({ subject, severity, last_occurred_at }) => [
      alertName(subject),
      <SeverityBadge severity={severity} />,
      <When at={last_occurred_at} />,
    ])}
  >
    {more_alerts ? <p>{WORDS.moreAlerts}</p> : null}
  </TableCard>
);

export const DaysCard = ({ site }: OfSite) => (
  <section class="card wide">
    <h2>{WORDS.days}</h2>
    <DayChart days={site.severity_buckets} />
  </section>
);

/** Scores derived from signals. */
export const PostureCard = ({ site }: OfSite) => (
  <TableCard
    label={WORDS.posture}
    none={WORDS.noPosture}
    columns={WORDS.postureColumns}
    rows={site.posture_scores.map(({ signal, score, meaning, updated_at }) => [
      signal.replaceAll('_', ' '),
      score,
      WORDS.meanings[meaning],
      <When at={updated_at} />,
    ])}
  />
);

/** The statistics reported by the plugin. */
export const StatsCard = ({ site: { stats } }: OfSite) => (
  <section class="card wide">
    <h2>{WORDS.stats}</h2>
    {stats === null ? <p class="quiet">{WORDS.noStats}</p> : <Stats of={stats} />}
  </section>
);
