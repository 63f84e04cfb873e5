/** @jsxImportSource hono/jsx */
import { Fragment } from 'hono/jsx';
import { getAt } from '../http/route/endpoint.ts';
import { SeverityBadge } from '../pages/badges.tsx';
import { Table } from '../pages/table.tsx';
import { Time } from '../pages/time.tsx';
import { ask } from './ask.ts';
import type { Analytics } from './first-things.ts';
import { gated } from './gated.tsx';
import { PLACES } from './places.ts';
import { page } from './session.ts';
import { showPlace } from './show-page.tsx';
import { alertName, domainOf, siteAddress } from './site-parts.tsx';
import { TEXTS } from './texts.ts';
import type { PortalParts, Visit } from './visit.ts';

const WORDS = TEXTS.alerts;
const SHOWN_MAX = 200;

/** The open alerts of all sites: critical ones first, then the newest. */
export const alertsPage = (parts: PortalParts) => {
  const show = async (visit: Visit) => {
    const sections = ['sites', 'siteDetails'];
    const { sites = [], siteDetails = [] } = await ask<Analytics>(parts, visit, '/analytics/metrics', {
      sections,
    });
    const urls = new Map(sites.map(({ siteId, url }) => [siteId, url]));
    const alerts = siteDetails
      .flatMap(({ siteId, openAlerts }) => openAlerts.map((alert) => ({ siteId, ...alert })))
      .toSorted(
        (one, other) =>
          Number(other.severity === 'critical') - Number(one.severity === 'critical') ||
          Date.parse(other.lastOccurredAt) - Date.parse(one.lastOccurredAt),
      );
    return showPlace(
      visit,
      PLACES.alerts,
      <Fragment>
        <p class="quiet">{WORDS.about}</p>
        <section class="card">
          <Table
            label={WORDS.title}
            columns={Object.values(WORDS.columns)}
            head={1}
            rows={alerts
              .slice(0, SHOWN_MAX)
              .map(({ siteId, subject, severity, lastOccurredAt }) => [
                <SeverityBadge severity={severity} />,
                alertName(subject),
                <a href={siteAddress(siteId)}>{domainOf(urls.get(siteId) ?? '')}</a>,
                <Time at={Date.parse(lastOccurredAt)} />,
                <a href={`${PLACES.events.path}?site=${siteId}`}>{WORDS.events}</a>,
              ])}
            none={<p class="quiet">{WORDS.none}</p>}
          />
          {alerts.length > SHOWN_MAX ? <p class="quiet">{WORDS.more(alerts.length - SHOWN_MAX)}</p> : null}
        </section>
      </Fragment>,
      { sub: TEXTS.counts.alerts(alerts.length) },
    );
  };
  return [getAt(PLACES.alerts.path, page(parts, gated(parts, PLACES.alerts, show)))];
};
