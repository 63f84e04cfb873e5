/** @jsxImportSource hono/jsx */
import { hash } from 'node:crypto';
import type { Static } from '@sinclair/typebox';
import { Fragment } from 'hono/jsx';
import { isRefusal } from '../domain/refusal.ts';
import { SCAN_STATUSES, SCAN_TYPES } from '../domain/scan/scan.ts';
import type { Form } from '../http/form.ts';
import { getAt, postAt } from '../http/route/endpoint.ts';
import { Choice, FilterBar } from '../pages/form.tsx';
import { goTo, More, noteWait, Problem } from '../pages/html.tsx';
import { addressOf, type Filters, filtersOf } from '../pages/query.ts';
import { TableCard } from '../pages/table.tsx';
import { Time } from '../pages/time.tsx';
import type { ScanList, ScanState } from '../routes/scans.ts';
import { askList, askUnless } from './ask.ts';
import { gated } from './gated.tsx';
import { PLACES } from './places.ts';
import { StateBadge, showScan } from './scan.tsx';
import { ORDER_REFUSALS, OrderCard, type TriedOrder } from './scan-order.tsx';
import { acting, page } from './session.ts';
import { showPlace } from './show-page.tsx';
import { ownSite, siteChoices } from './site-choices.ts';
import { domainOf } from './site-parts.tsx';
import { TEXTS } from './texts.ts';
import type { PortalParts, Visit } from './visit.ts';

const { path: PATH } = PLACES.scans;
const WORDS = TEXTS.scans;
const FILTERS = ['site', 'status', 'scan_type'];

type Scan = Static<typeof ScanState>;
type Choices = Awaited<ReturnType<typeof siteChoices>>;

const FilterForm = ({ filters, sites }: { readonly filters: Filters; readonly sites: Choices }) => (
  <FilterBar action={PATH}>
    <Choice label={WORDS.site} name="site" value={filters.site} of={sites} none={TEXTS.none} />
    <Choice
      label={WORDS.type}
      name="scan_type"
      value={filters.scan_type}
      of={SCAN_TYPES.map((type) => [type, WORDS.types[type]])}
      none={TEXTS.none}
    />
    <Choice
      label={WORDS.state}
      name="status"
      value={filters.status}
      of={SCAN_STATUSES.map((status) => [status, WORDS.states[status]])}
      none={TEXTS.none}
    />
  </FilterBar>
);

const cellsOf = ({ scan_id, scan_type, site_url, status, trigger, queued_at, finished_at }: Scan) => [
  <a href={`${PATH}/${scan_id}`}>{WORDS.types[scan_type]}</a>,
  domainOf(site_url).replace(/\/$/, ''),
  <StateBadge state={status} />,
  <Time at={Date.parse(queued_at)} />,
  finished_at === null ? '' : <Time at={Date.parse(finished_at)} />,
  WORDS.triggers[trigger],
];

/** Pages that list, order and show scans. */
export const scanPages = (parts: PortalParts) => {
  const show = async (visit: Visit, tried?: TriedOrder) => {
    const asked = filtersOf(visit.request, [...FILTERS, 'cursor']);
    const { cursor: _, ...filters } = asked;
    const list = await askList<Static<typeof ScanList>>(parts, visit, addressOf('/scans', asked));
    const { scans, next_cursor: cursor } = isRefusal(list) ? { scans: [], next_cursor: null } : list;
    const chosen = tried?.site ?? filters.site;
    const sites = await siteChoices(parts, visit, chosen);
    const wrong = tried?.refusal ?? (isRefusal(list) ? list : undefined);
    const children = (
      <Fragment>
        <OrderCard sites={sites} chosen={chosen} tried={tried} />
        <Problem text={isRefusal(list) ? list.message : undefined} />
        <FilterForm filters={filters} sites={sites} />
        <TableCard
          label={WORDS.list}
          none={WORDS.none}
          columns={Object.values(WORDS.columns)}
          rows={scans.map(cellsOf)}
        />
        <More href={cursor === null ? undefined : addressOf(PATH, { ...filters, cursor })} />
      </Fragment>
    );
    return showPlace(visit, PLACES.scans, children, { refused: wrong?.refused });
  };

  /** Orders a scan. The form contains the ID of a site, which must belong to the tenant. */
  const begin = async (visit: Visit, { site = '', scan_type = '', once = '' }: Form) => {
    const own = await ownSite(parts, visit, site);
    if (isRefusal(own)) return own;
    const body = { site_url: own.url, scan_type };
    // The key includes the body, because a form can be changed and sent again after going back to it.
    const key = hash('sha256', JSON.stringify([once, body]), 'base64url');
    return askUnless<Scan>(ORDER_REFUSALS, parts, visit, '/scans', body, once === '' ? undefined : key);
  };

  const order = async (visit: Visit, form: Form) => {
    const { site = '', scan_type: type = '' } = form;
    const scan = await begin(visit, form);
    if (!isRefusal(scan)) return goTo(visit.set, `${PATH}/${scan.scan_id}`);
    noteWait(visit.set, scan);
    return show(visit, { site, type, refusal: scan });
  };

  const showOne = async (visit: Visit) => showScan(parts, visit);

  return [
    getAt(PATH, page(parts, gated(parts, PLACES.scans, show))),
    postAt(PATH, acting(parts, gated(parts, PLACES.scans, order))),
    getAt(`${PATH}/:scanId`, page(parts, gated(parts, PLACES.scans, showOne))),
  ];
};
