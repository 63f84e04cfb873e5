/** @jsxImportSource hono/jsx */
import { refuse } from '../../domain/refusal.ts';
import { normalizeSiteDomain } from '../../domain/site/site-domain.ts';
import { getAt } from '../../http/route/endpoint.ts';
import { SiteBadge } from '../../pages/badges.tsx';
import { licenseAt } from '../../routes/admin/fields/act.ts';
import type { Parts } from '../../routes/parts.ts';
import { PLACES } from '../places.ts';
import { showPlace } from '../show-page.tsx';
import { page, type Visit, type VisitParts } from '../visit.ts';
import {
  AboutCard,
  AlertsCard,
  EventsCard,
  ScansCard,
  ScoreCard,
  StatsCard,
  VulnerabilitiesCard,
} from './cards.tsx';
import { createSiteReader, type SiteParts } from './read-site.ts';

/** The page of a site: score, alerts, vulnerabilities, events and scans. */
export const sitePage = (parts: VisitParts & SiteParts & Parts<'clock'>) => {
  const { clock, config } = parts;
  const read = createSiteReader(parts);

  const show = async (visit: Visit) => {
    const { licenseId = '', domain = '' } = visit.params;
    const { id } = await licenseAt(parts, licenseId);
    const now = clock.now();
    const named = normalizeSiteDomain(domain, config.stagingDomains);
    const shown = named && (await read(id, named.name, now));
    if (shown === undefined) throw refuse('NOT_FOUND', 'There is no such site.');
    return showPlace(
      visit,
      PLACES.sites,
      <div class="grid">
        <AboutCard shown={shown} now={now} />
        <AlertsCard shown={shown} />
        <ScoreCard shown={shown} />
        <VulnerabilitiesCard shown={shown} />
        <EventsCard shown={shown} />
        <ScansCard shown={shown} />
        <StatsCard shown={shown} />
      </div>,
      { title: shown.site.domain, sub: <SiteBadge status={shown.site.status} /> },
    );
  };

  return [getAt(`${PLACES.sites.path}/:licenseId/:domain`, page(parts, 'viewer', show))];
};
