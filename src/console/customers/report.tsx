/** @jsxImportSource hono/jsx */
import { Fragment } from 'hono/jsx';
import { licenseName } from '../../domain/license/license-name.ts';
import { monthBefore, monthNamed, monthOf } from '../../domain/report/month.ts';
import { getAt } from '../../http/route/endpoint.ts';
import { addressOf, filtersOf } from '../../pages/query.ts';
import { mergedReports, monthWords, PrintButton, Report } from '../../pages/report.tsx';
import { WORDS } from '../../pages/report-words.ts';
import { licenseAt } from '../../routes/admin/fields/act.ts';
import { createMonthReport, type MonthReport, type ReportParts } from '../../routes/fields/month-report.ts';
import type { Parts } from '../../routes/parts.ts';
import { customerPath } from '../customer-link.ts';
import { PLACES } from '../places.ts';
import { showPlace } from '../show-page.tsx';
import { type HasCustomers, page, type Visit, type VisitParts } from '../visit.ts';

const LICENSES_MAX = 50;
const MONTHS_OFFERED = 6;

/** Returns the path of a customer's report, by the name of one of its licenses. */
export const reportPath = (license: string): string => `${customerPath(license)}/report`;

/** The monthly report as in the portal, but on all licenses of a customer. */
export const customerReportPage = (
  parts: VisitParts & HasCustomers & ReportParts & Parts<'brand' | 'db' | 'offer'>,
) => {
  const { brand, clock, customers } = parts;
  const write = createMonthReport(parts);

  const show = async (visit: Visit) => {
    const { id } = await licenseAt(parts, visit.params.licenseId ?? '');
    const customer = (await customers()).byLicense.get(id);
    const now = clock.now();
    const month = monthNamed(filtersOf(visit.request, ['month']).month ?? '') ?? monthOf(now);
    const reportOf = (licenseId: number) =>
      write({ licenseId, month, siteId: undefined, gone: visit.request.signal });
    const reports: [MonthReport, ...MonthReport[]] = [await reportOf(id)];
    for (const other of customer?.licenses.slice(0, LICENSES_MAX) ?? [])
      if (other !== id) reports.push(await reportOf(other));
    const name = customer?.name ?? licenseName(id);
    let offered = monthOf(now);
    const months = Array.from({ length: MONTHS_OFFERED }, () => {
      const { name: each } = offered;
      offered = monthBefore(offered);
      return each;
    });
    return showPlace(
      visit,
      PLACES.customers,
      <Fragment>
        <p class="segments">
          {months.map((each) => (
            <a
              href={addressOf(reportPath(licenseName(id)), { month: each })}
              aria-current={each === month.name ? 'true' : undefined}
            >
              {monthWords(each)}
            </a>
          ))}
        </p>
        <Report report={mergedReports(reports)} customer={name} from={{ name: brand.name }} />
      </Fragment>,
      {
        title: WORDS.of(monthWords(month.name)),
        sub: <a href={customerPath(licenseName(id))}>{name}</a>,
        actions: <PrintButton />,
      },
    );
  };

  return getAt(reportPath(':licenseId'), page(parts, 'support', show));
};
