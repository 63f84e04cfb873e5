/** @jsxImportSource hono/jsx */
import { Fragment } from 'hono/jsx';
import { OWN_NAME } from '../domain/brand/brand.ts';
import { licenseName } from '../domain/license/license-name.ts';
import { isRefusal } from '../domain/refusal.ts';
import { monthBefore, monthOf } from '../domain/report/month.ts';
import { getAt } from '../http/route/endpoint.ts';
import { Choice, FilterBar } from '../pages/form.tsx';
import { Problem } from '../pages/html.tsx';
import { addressOf, filtersOf } from '../pages/query.ts';
import { monthWords, PrintButton, Report } from '../pages/report.tsx';
import { WORDS } from '../pages/report-words.ts';
import type { MonthReport } from '../routes/fields/month-report.ts';
import { askUnless } from './ask.ts';
import { gated } from './gated.tsx';
import { PLACES } from './places.ts';
import { page } from './session.ts';
import { showPlace } from './show-page.tsx';
import { siteChoices } from './site-choices.ts';
import type { PortalParts, Visit } from './visit.ts';

const { path: PATH } = PLACES.reports;
const MONTHS_OFFERED = 6;

/** Returns the months to choose from, the current one first. */
function monthsUntil(now: number): (readonly [name: string, words: string])[] {
  let month = monthOf(now);
  return Array.from({ length: MONTHS_OFFERED }, () => {
    const { name } = month;
    month = monthBefore(month);
    return [name, monthWords(name)];
  });
}

/** The page with the monthly report on all sites or on one. */
export const reportPage = (parts: PortalParts) => {
  const show = async (visit: Visit) => {
    const asked = filtersOf(visit.request, ['month', 'site']);
    const sites = await siteChoices(parts, visit, asked.site);
    const codes = ['INVALID_QUERY', 'SITE_NOT_FOUND'] as const;
    const report = await askUnless<MonthReport>(codes, parts, visit, addressOf('/reports', asked));
    const isRefused = isRefusal(report);
    const site = sites.find(([id]) => id === asked.site)?.[1];
    const customer = visit.customer ?? licenseName(visit.caller.license.id);
    return showPlace(
      visit,
      PLACES.reports,
      <Fragment>
        <Problem text={isRefused ? WORDS.malformed : undefined} />
        <FilterBar action={PATH}>
          <Choice label={WORDS.month} name="month" value={asked.month} of={monthsUntil(parts.clock.now())} />
          <Choice label={WORDS.site} name="site" value={asked.site} of={sites} none={WORDS.allSites} />
        </FilterBar>
        {isRefused ? null : (
          <Report
            report={report}
            customer={site === undefined ? customer : `${customer}, ${site}`}
            from={{ name: visit.frame.brand?.name ?? OWN_NAME, logo: visit.frame.assets.logo?.path }}
          />
        )}
      </Fragment>,
      {
        ...(isRefused ? {} : { title: WORDS.of(monthWords(report.month)), actions: <PrintButton /> }),
        refused: isRefused ? report.refused : undefined,
      },
    );
  };

  return [getAt(PATH, page(parts, gated(parts, PLACES.reports, show)))];
};
