/** @jsxImportSource hono/jsx */
import { reachesPlan } from '../domain/license/catalog.ts';
import { AttentionItem } from '../pages/attention.tsx';
import { SiteBadge } from '../pages/badges.tsx';
import { volume, whole } from '../pages/html.tsx';
import { Meter, ScoreBar, ScoreRing, toneOf } from '../pages/meter.tsx';
import { Table } from '../pages/table.tsx';
import { Time } from '../pages/time.tsx';
import { Usage } from '../pages/usage.tsx';
import { DayChart } from './day-chart.tsx';
import { type Analytics, type Contract, THINGS_SHOWN, type Thing } from './first-things.ts';
import { PLACES } from './places.ts';
import { domainOf, siteAddress } from './site-parts.tsx';
import { TEXTS } from './texts.ts';
import type { Visit } from './visit.ts';

const WORDS = TEXTS.overview;
const SITES_SHOWN = 10;

type Sites = NonNullable<Analytics['sites']>;

const worstFirst = (sites: Sites): Sites =>
  sites.toSorted((one, other) => one.securityScore - other.securityScore);

/** The lowest score of all sites, and the number of sites by score range. */
export function ScoreCard({ sites }: { readonly sites: Sites }) {
  const [worst] = worstFirst(sites);
  if (worst === undefined) return null;
  const countOf = (tone: string) =>
    sites.filter(({ securityScore }) => toneOf(securityScore) === tone).length;
  const [bad, medium, good] = [countOf('critical'), countOf('medium'), countOf('accent')];
  return (
    <section class="card">
      <header>
        <h2>{WORDS.score}</h2>
        <span class="quiet">{WORDS.lowest(sites.length)}</span>
      </header>
      <div class="scored">
        <ScoreRing score={worst.securityScore} />
        <div>
          <strong>{domainOf(worst.url)}</strong>
          <p class="quiet">{WORDS.below(bad)}</p>
          <p class="quiet">{WORDS.between(medium)}</p>
          <p class="quiet">{WORDS.above(good)}</p>
        </div>
      </div>
      <Meter
        label={WORDS.score}
        of={sites.length}
        parts={[
          { tone: 'critical', count: bad },
          { tone: 'medium', count: medium },
          { tone: 'accent', count: good },
        ]}
      />
    </section>
  );
}

const ThingItem = ({ of: { is, what, words, effect, button } }: { readonly of: Thing }) => (
  <AttentionItem is={is} button={button}>
    <strong>{what}</strong>
    {effect === undefined ? null : (
      <span class="badge good" title={WORDS.effect(...effect)}>
        {`${effect[0]} → ${effect[1]}`}
      </span>
    )}
    <br />
    <span class="quiet">{words}</span>
  </AttentionItem>
);

/** The to-do list of all sites. */
export const FirstCard = ({ things }: { readonly things: readonly Thing[] }) => (
  <section class="card attention c8" aria-label={WORDS.first}>
    <h2>{WORDS.first}</h2>
    <ul>
      {things.length === 0 ? <AttentionItem is="good">{WORDS.nothing}</AttentionItem> : null}
      {things.slice(0, THINGS_SHOWN).map((thing) => (
        <ThingItem of={thing} />
      ))}
      {things.length > THINGS_SHOWN ? (
        <li>
          <details class="behind">
            <summary>{WORDS.moreThings(things.length - THINGS_SHOWN)}</summary>
            <ul>
              {things.slice(THINGS_SHOWN).map((thing) => (
                <ThingItem of={thing} />
              ))}
            </ul>
          </details>
        </li>
      ) : null}
    </ul>
  </section>
);

export const EventsCard = ({ days }: { readonly days: NonNullable<Analytics['severityBuckets']> }) => (
  <section class="card">
    <header>
      <h2>{WORDS.eventsByDay}</h2>
      <span class="quiet">{WORDS.thirtyDays}</span>
    </header>
    <DayChart days={days} />
  </section>
);

/** The plan of a license, and the used part of its limits. */
export function PlanCard({ visit, contract }: { readonly visit: Visit; readonly contract: Contract }) {
  const { license, standing } = visit.caller;
  const { sites, daily_budget: today } = contract;
  // For a license that is not valid, the plan that it returns to.
  const { plan } = standing.valid ? standing : (license.granted ?? license);
  return (
    <section class="card">
      <header>
        <h2>{WORDS.yourPlan(TEXTS.plans.names[plan])}</h2>
        <span class="quiet">
          {standing.expiresAt === null ? (
            WORDS.neverEnds
          ) : (
            <span>
              {`${WORDS.ends} `}
              <Time at={standing.expiresAt} />
            </span>
          )}
        </span>
      </header>
      <Usage name={WORDS.sites} used={sites.used} limit={sites.allowed} shown={whole} />
      <Usage name={WORDS.eventsToday} used={today.events_used} limit={today.events} shown={whole} />
      <Usage name={WORDS.volumeToday} used={today.bytes_used} limit={today.bytes} shown={volume} />
      {license.environment === 'test' ? <p class="quiet">{WORDS.test}</p> : null}
    </section>
  );
}

export function SitesCard({ sites, visit }: { readonly sites: Sites; readonly visit: Visit }) {
  const mayLook = reachesPlan(visit.caller.standing.plan, PLACES.sites.plan);
  if (sites.length === 0) return null;
  return (
    <section class="card">
      <header>
        <h2>{WORDS.worstSites}</h2>
        {mayLook ? <a href={PLACES.sites.path}>{WORDS.allSites}</a> : null}
      </header>
      <Table
        label={WORDS.worstSites}
        columns={Object.values(WORDS.columns)}
        rows={worstFirst(sites)
          .slice(0, SITES_SHOWN)
          .map(({ siteId, url, securityScore, alertsOpen, status, lastSeenAt }) => [
            mayLook ? <a href={siteAddress(siteId)}>{domainOf(url)}</a> : domainOf(url),
            <ScoreBar score={securityScore} />,
            whole(alertsOpen),
            <SiteBadge status={status} />,
            <Time at={Date.parse(lastSeenAt)} />,
          ])}
      />
    </section>
  );
}
