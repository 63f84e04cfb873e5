/** @jsxImportSource hono/jsx */
import { hash } from 'node:crypto';
import { Fragment } from 'hono/jsx';
import { hasRole } from '../domain/admin/operator.ts';
import { OWN_NAME } from '../domain/brand/brand.ts';
import { LICENSE_STATES } from '../domain/license/license.ts';
import { getAt } from '../http/route/endpoint.ts';
import { volume, whole } from '../pages/html.tsx';
import { filtersOf, oneOfFilter } from '../pages/query.ts';
import { dateOf, Time } from '../pages/time.tsx';
import { type LiveParts, liveUpdates } from './live.ts';
import { Attention } from './overview-attention.tsx';
import { AlertsCard, ComponentsCard } from './overview-cards.tsx';
import { ChecksCard, ReasonsCard } from './overview-checks.tsx';
import { EventsCard, TypesCard } from './overview-events.tsx';
import { createOverviewReads, type OverviewFacts, type OverviewParts } from './overview-reads.ts';
import { SPANS } from './overview-spans.ts';
import { Tiles } from './overview-tiles.tsx';
import { PLACES } from './places.ts';
import { showPlace } from './show-page.tsx';
import { TEXTS } from './texts.ts';
import { page, type Visit } from './visit.ts';

const WORDS = TEXTS.overview;
const LIVE = '/console/overview/live';

/** Returns the words with a time; undefined if the time is unknown. */
const moment = (words: string, at: string | number | null | undefined, more = '') =>
  at === null || at === undefined ? undefined : (
    <span>
      {`${words} `}
      <Time at={typeof at === 'string' ? Date.parse(at) : at} />
      {more}
    </span>
  );

/** The state of the installation in one line. */
const Foot = ({ of: { status, backup, bytes, feedEntries, sites } }: { readonly of: OverviewFacts }) => {
  const { stored_today: stored, feed, vulnerabilities, critical_alerts: alerts } = status;
  return (
    <div class="foot">
      <span>{`${OWN_NAME} ${status.version}`}</span>
      {moment(WORDS.foot.up, status.started_at)}
      {backup === undefined ? (
        <span>{WORDS.foot.noBackup}</span>
      ) : (
        moment(WORDS.foot.backup, backup.at, backup.checkedAt === null ? '' : WORDS.foot.verified)
      )}
      {moment(WORDS.foot.data, vulnerabilities.imported_at)}
      {moment(WORDS.foot.feed(feedEntries ?? 0), feed.generated_at)}
      <span>{WORDS.foot.alerts(alerts)}</span>
      <span>{WORDS.foot.database(volume(bytes))}</span>
      <span>{WORDS.foot.stored(whole(stored.events), volume(stored.bytes))}</span>
      {moment(WORDS.foot.sites, sites?.countedAt)}
      <span>{WORDS.counted}</span>
    </div>
  );
};

/** The first page: items that need attention, and the state of the installation. */
export const overviewPage = (parts: OverviewParts & LiveParts) => {
  const { clock } = parts;
  const read = createOverviewReads(parts);

  const show = async ({ set, operator, request }: Visit) => {
    const seen = await read();
    const { status, alerts, types, risks } = seen;
    const filters = filtersOf(request, ['checks', 'events']);
    const spans = {
      checks: oneOfFilter(SPANS, filters.checks) ?? '24h',
      events: oneOfFilter(SPANS, filters.events) ?? '30d',
    };
    const now = clock.now();
    const names = hasRole(operator.role, 'support') ? seen.names : undefined;
    const all = LICENSE_STATES.reduce((sum, state) => sum + status.licenses[state], 0);
    return showPlace(
      { set, operator },
      PLACES.overview,
      <div data-live={LIVE} data-seen={digestOf(seen)}>
        <Attention facts={{ ...seen, names }} />
        <div class="grid">
          <Tiles {...seen} now={now} />
          <ChecksCard checks={seen.checks} spans={spans} now={now} />
          <ReasonsCard checks={seen.checks} span={spans.checks} now={now} />
          <EventsCard events={seen.events} spans={spans} now={now} />
          <TypesCard types={types} />
          <AlertsCard alerts={alerts} names={names} />
          <ComponentsCard
            risks={risks}
            isCounting={risks === undefined && status.vulnerabilities.state !== 'empty'}
          />
          <Foot of={seen} />
        </div>
      </div>,
      {
        sub: [
          dateOf(now),
          TEXTS.counts.licenses(all),
          ...(seen.sites === undefined ? [] : [TEXTS.counts.sites(seen.sites.all)]),
        ].join(' · '),
        ...(hasRole(operator.role, 'operator')
          ? {
              actions: (
                <Fragment>
                  <a class="button quiet" href={`${PLACES.licenses.path}/import`}>
                    {WORDS.import}
                  </a>
                  <a class="button" href={`${PLACES.licenses.path}/new`}>
                    {WORDS.issue}
                  </a>
                </Fragment>
              ),
            }
          : {}),
      },
    );
  };

  return [
    getAt('/console', page(parts, 'viewer', show)),
    getAt(
      LIVE,
      liveUpdates(parts, async () => digestOf(await read())),
    ),
  ];
};

/** Returns a digest that changes with the content of the page, except for relative times. */
function digestOf({ status, risks, names, checks, events, sites, bytes, ...rest }: OverviewFacts): string {
  const { read_at, feed, ...stable } = status;
  const { age_seconds, ...epoch } = feed;
  // Totals are enough: of thousands of rows, only the counts of the current hour grow.
  const sumOf = (rows: readonly { readonly count: number }[]) => [
    rows.length,
    rows.reduce((sum, { count }) => sum + count, 0),
  ];
  const sums = [checks, events].map(sumOf);
  const counted = [risks && { ...risks, countedAt: 0 }, sites && { ...sites, countedAt: 0 }];
  return hash(
    'sha256',
    JSON.stringify({ ...rest, ...stable, epoch, counted, names: [...names], sums }),
    'base64url',
  ).slice(0, 22);
}
