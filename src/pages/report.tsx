/** @jsxImportSource hono/jsx */
import { SEVERITIES } from '../domain/severity.ts';
import { HOUR_MS } from '../lib/clock.ts';
import type { MonthReport } from '../routes/fields/month-report.ts';
import { SeverityBadge } from './badges.tsx';
import { ColumnChart } from './column-chart.tsx';
import { whole } from './html.tsx';
import { worded } from './identifier-words.ts';
import { WORDS } from './report-words.ts';
import { Table } from './table.tsx';
import { Tile } from './tile.tsx';
import { dateOf } from './time.tsx';

const STACKED = SEVERITIES.toReversed();
const dayOf = (moment: string): string => dateOf(Date.parse(moment));
const domainOf = (url: string): string => url.replace(/^https:\/\//, '');
const titled = (identifier: string): string => (identifier === '' ? WORDS.further : worded(identifier));

/** Formats a month, such as `November 2026`. */
export const monthWords = (month: string): string =>
  new Date(`${month}-01T00:00:00Z`).toLocaleDateString('en-GB', {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  } as const);

/** Merges the reports of several licenses of a customer. */
export function mergedReports([first, ...others]: readonly [MonthReport, ...MonthReport[]]): MonthReport {
  const all = [first, ...others];
  const sum = (of: (report: MonthReport) => number) => all.reduce((total, report) => total + of(report), 0);
  return {
    ...first,
    days: first.days.map((day, index) => {
      const merged = { ...day };
      for (const { days } of others)
        for (const severity of SEVERITIES) merged[severity] += days[index]?.[severity] ?? 0;
      return merged;
    }),
    events: sum(({ events }) => events),
    events_month_before: sum((report) => report.events_month_before),
    sites: all.flatMap(({ sites }) => sites).sort((one, other) => one.security_score - other.security_score),
    more_sites: sum((report) => report.more_sites),
    alerts: all
      .flatMap(({ alerts }) => alerts)
      .sort((one, other) => (one.last_occurred_at < other.last_occurred_at ? 1 : -1)),
    more_alerts: sum((report) => report.more_alerts),
  };
}

/** Returns by how many vulnerabilities the first and the last assessment of the month differ, for sites with fewer. */
const fixedIn = (sites: MonthReport['sites']): number =>
  sites.reduce((sum, { first_assessment: first, last_assessment: last }) => {
    const [before, after] = [first?.vulnerabilities_open, last?.vulnerabilities_open];
    return typeof before === 'number' && typeof after === 'number' ? sum + Math.max(0, before - after) : sum;
  }, 0);

const Numbers = ({ report }: { readonly report: MonthReport }) => {
  const { sites, alerts } = report;
  const known = sites.filter((site) => site.vulnerabilities_open !== null);
  const open = known.reduce((sum, site) => sum + (site.vulnerabilities_open ?? 0), 0);
  return [
    <Tile
      title={WORDS.lowest}
      value={sites[0]?.security_score ?? '–'}
      sub={sites[0] && domainOf(sites[0].url)}
    />,
    <Tile
      title={WORDS.attacks}
      value={whole(report.events)}
      sub={WORDS.before(whole(report.events_month_before))}
    />,
    <Tile
      title={WORDS.alerts}
      value={whole(alerts.length + report.more_alerts)}
      sub={WORDS.stillOpen(alerts.filter(({ closed_at }) => closed_at === null).length)}
    />,
    <Tile
      title={WORDS.vulnerabilities}
      value={known.length === 0 ? WORDS.unknown : whole(open)}
      sub={WORDS.fixed(fixedIn(sites))}
    />,
  ];
};

const Sites = ({ report }: { readonly report: MonthReport }) => (
  <section class="card">
    <h2>{WORDS.sites}</h2>
    <Table
      label={WORDS.sites}
      columns={Object.values(WORDS.siteColumns)}
      rows={report.sites.map((site) => [
        domainOf(site.url),
        ...[whole(site.security_score), whole(site.events), whole(site.alerts_open)],
        site.vulnerabilities_open === null ? WORDS.unknown : whole(site.vulnerabilities_open),
        site.last_assessment === null
          ? WORDS.notAssessed
          : WORDS.grade(site.last_assessment.grade, dayOf(site.last_assessment.at)),
        WORDS.badges[site.badge],
      ])}
      none={<p class="quiet">{WORDS.noSites}</p>}
    />
    {report.more_sites > 0 ? <p class="quiet">{WORDS.moreSites(report.more_sites)}</p> : null}
  </section>
);

const openFor = ({ last_occurred_at, closed_at }: MonthReport['alerts'][number]): string =>
  closed_at === null
    ? WORDS.isOpen
    : WORDS.hours((Date.parse(closed_at) - Date.parse(last_occurred_at)) / HOUR_MS);

const Alerts = ({ report }: { readonly report: MonthReport }) => (
  <section class="card">
    <h2>{WORDS.alerts}</h2>
    <Table
      label={WORDS.alerts}
      columns={Object.values(WORDS.alertColumns)}
      rows={report.alerts.map((alert) => [
        domainOf(alert.url),
        titled(alert.subject),
        <SeverityBadge severity={alert.severity} />,
        dayOf(alert.last_occurred_at),
        openFor(alert),
      ])}
      none={<p class="quiet">{WORDS.noAlerts}</p>}
    />
    {report.more_alerts > 0 ? <p class="quiet">{WORDS.moreAlerts(report.more_alerts)}</p> : null}
  </section>
);

/** The printable report of a month: key figures, a chart, sites and alerts, without links or buttons. */
export const Report = ({
  report,
  customer,
  from,
}: {
  readonly report: MonthReport;
  readonly customer: string;
  /** The issuer, shown in print. */
  readonly from: { readonly name: string; readonly logo?: string | undefined };
}) => (
  <div class="grid report">
    <div class="paper">
      <strong>
        {from.logo === undefined ? null : <img src={from.logo} alt="" />}
        {from.name}
      </strong>
      <span>{customer}</span>
      <span>
        {WORDS.of(monthWords(report.month))}
        {report.complete ? '' : `, ${WORDS.soFar(dayOf(report.generated_at))}`}
      </span>
    </div>
    <Numbers report={report} />
    <section class="card">
      <h2>{WORDS.days}</h2>
      <ColumnChart
        title={WORDS.days}
        first={WORDS.day}
        series={STACKED.map((severity) => ({ name: severity, tone: severity }))}
        columns={report.days.map(({ date, ...counts }) => ({
          label: String(Number(date.slice(-2))),
          name: dayOf(date),
          counts: STACKED.map((severity) => counts[severity]),
        }))}
      />
    </section>
    <Sites report={report} />
    <Alerts report={report} />
    <p class="quiet">{WORDS.about}</p>
  </div>
);

/** Prints the page. Hidden without the script. */
export const PrintButton = () => (
  <button type="button" data-print hidden>
    {WORDS.print}
  </button>
);
