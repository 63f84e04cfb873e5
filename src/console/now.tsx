/** @jsxImportSource hono/jsx */
import { hash } from 'node:crypto';
import { Elysia } from 'elysia';
import { Fragment } from 'hono/jsx';
import { LICENSE_STATES } from '../domain/license/license.ts';
import { Facts, volume, whole } from '../pages/html.tsx';
import { Table } from '../pages/table.tsx';
import { Time } from '../pages/time.tsx';
import type { ServiceStatusNow } from '../routes/admin/service-status.ts';
import { type CriticalAlert, readNewestCriticalAlerts } from '../storage/sites/critical-alerts.ts';
import { type Hours, VerificationChart } from './chart.tsx';
import { LicenseLink } from './license-link.tsx';
import { telling } from './live.ts';
import { PLACES } from './places.ts';
import { showPage } from './show-page.tsx';
import { ADVICE, TEXTS } from './texts.ts';
import { type ConsoleParts, page, type Visit } from './visit.ts';

const ALERTS_SHOWN = 10;
const WORDS = TEXTS.now;

const sentence = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;

/** What needs attention, each with what to do about it. */
function Needs({ status }: { readonly status: ServiceStatusNow }) {
  const { failing, held_licenses: held } = status.payments;
  const { critical_alerts_unacknowledged: unacknowledged } = status;
  const problems = status.problems.map((what) => ({ what, is: 'bad' as const }));
  const warnings = [
    ...(unacknowledged > 0 ? [WORDS.criticalOpen(unacknowledged)] : []),
    ...status.warnings,
    ...(status.vulnerabilities.state === 'stale' ? [WORDS.staleVulnerabilities] : []),
    ...(failing > 0 ? [WORDS.failingPayments(failing)] : []),
    ...(held > 0 ? [WORDS.heldLicenses(held)] : []),
  ].map((what) => ({ what, is: 'warn' as const }));
  const needs = [...problems, ...warnings];
  if (needs.length === 0)
    return (
      <p class="notice good" role="status">
        {WORDS.allWell}
      </p>
    );
  return (
    <section class="card attention" aria-label={WORDS.needs(needs.length)}>
      <ul>
        {needs.map(({ what, is }) => (
          <li>
            <span class={`dot ${is}`}></span>
            <span>
              <strong>{sentence(what)}</strong>
              {` ${ADVICE.find(([piece]) => what.includes(piece))?.[1] ?? ''}`}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Verifications({ hours }: { readonly hours: Hours }) {
  const all = hours.reduce((sum, { counts }) => sum + (counts.valid ?? 0) + (counts.invalid ?? 0), 0);
  return (
    <section class="card wide">
      <h2>{WORDS.verify}</h2>
      <p class="figure">{whole(all)}</p>
      <VerificationChart hours={hours} />
      <p class="quiet">{WORDS.sinceStart}</p>
    </section>
  );
}

function Alerts({ count, alerts }: { readonly count: number; readonly alerts: readonly CriticalAlert[] }) {
  return (
    <section class="card wide">
      <h2>{WORDS.alerts}</h2>
      <p class="figure">{whole(count)}</p>
      <p>
        <a href={PLACES.alerts.path}>{WORDS.allAlerts}</a>
      </p>
      {alerts.length === 0 ? (
        <p class="quiet">{WORDS.noAlerts}</p>
      ) : (
        <Table label={WORDS.alerts} columns={Object.values(WORDS.columns)}>
          {alerts.map(({ domain, licenseId, subject, criticalAt }) => (
            <tr>
              <td>{domain}</td>
              <td>
                <LicenseLink id={licenseId} />
              </td>
              <td>{subject}</td>
              <td>
                <Time at={criticalAt} />
              </td>
            </tr>
          ))}
        </Table>
      )}
    </section>
  );
}

function Licenses({ counts }: { readonly counts: ServiceStatusNow['licenses'] }) {
  const all = LICENSE_STATES.reduce((sum, state) => sum + counts[state], 0);
  return (
    <section class="card">
      <h2>{WORDS.licenses}</h2>
      <p class="figure">{whole(all)}</p>
      {all === 0 ? (
        <p>
          <a href={`${PLACES.licenses.path}/new`}>{WORDS.noLicenses}</a>
        </p>
      ) : (
        <Facts of={LICENSE_STATES.map((state) => [state, whole(counts[state])])} />
      )}
    </section>
  );
}

function Rest({ status }: { readonly status: ServiceStatusNow }) {
  const { stored_today: stored, feed } = status;
  return (
    <Fragment>
      <section class="card">
        <h2>{WORDS.today}</h2>
        <p class="figure">{whole(stored.events)}</p>
        <p class="quiet">{`${WORDS.events}, ${volume(stored.bytes)}`}</p>
      </section>
      <section class="card">
        <h2>{WORDS.feed}</h2>
        <p class="figure">{feed.epoch ?? '–'}</p>
        <p class="quiet">
          {feed.generated_at === null ? WORDS.noFeed : `${WORDS.epoch}, `}
          {feed.generated_at === null ? null : <Time at={Date.parse(feed.generated_at)} />}
        </p>
      </section>
      <section class="card">
        <h2>{WORDS.service}</h2>
        <Facts
          of={[
            [WORDS.version, status.version],
            [WORDS.started, <Time at={Date.parse(status.started_at)} />],
            [WORDS.read, <Time at={Date.parse(status.read_at)} />],
          ]}
        />
      </section>
    </Fragment>
  );
}

const LIVE = '/console/now/live';

/** Whether anything is wrong, and what to do about it. */
export const nowPage = (parts: ConsoleParts) => {
  const { db, clock, requestMetrics, serviceStatus } = parts;
  const newestAlerts = readNewestCriticalAlerts(db);

  const read = async () => ({
    status: await serviceStatus(),
    alerts: await newestAlerts(ALERTS_SHOWN, clock.now()),
    hours: requestMetrics.verificationsByHour(),
  });

  const show = async ({ set, operator }: Visit) => {
    const now = await read();
    return showPage(set, {
      title: WORDS.title,
      operator,
      at: PLACES.now,
      children: (
        <div data-live={LIVE} data-seen={digestOf(now)}>
          <Needs status={now.status} />
          <div class="cards">
            <Verifications hours={now.hours} />
            <Alerts count={now.status.critical_alerts} alerts={now.alerts} />
            <Licenses counts={now.status.licenses} />
            <Rest status={now.status} />
          </div>
        </div>
      ),
    });
  };

  return new Elysia()
    .get('/console', page(parts, 'viewer', show) as () => Promise<Response>)
    .get(LIVE, telling(parts, async () => digestOf(await read())) as () => Promise<Response>);
};

/** Differs whenever the page would say something else, but for how old it is. */
function digestOf({ status, ...rest }: { readonly status: ServiceStatusNow }): string {
  const { read_at, feed, ...lasting } = status;
  const { age_seconds, ...epoch } = feed;
  return hash('sha256', JSON.stringify({ ...rest, ...lasting, epoch }), 'base64url').slice(0, 22);
}
