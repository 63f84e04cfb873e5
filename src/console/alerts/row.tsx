/** @jsxImportSource hono/jsx */
import { Fragment } from 'hono/jsx';
import { acknowledge, unacknowledge } from '../../acts/alerts/acts.ts';
import { ActButton } from '../../acts/form.tsx';
import { licenseName } from '../../domain/license/license-name.ts';
import { ALERT_OPEN_DAYS } from '../../domain/site/alerts.ts';
import type { Form } from '../../http/form.ts';
import { DAY_MS, iso } from '../../lib/clock.ts';
import { markOf, type NamedAlert } from '../../operator/acknowledge-alert.ts';
import { SeverityBadge } from '../../pages/badges.tsx';
import { worded } from '../../pages/identifier-words.ts';
import { addressOf, type Filters } from '../../pages/query.ts';
import { Time } from '../../pages/time.tsx';
import type { OpenSiteAlert } from '../../storage/sites/open-alerts.ts';
import { customerPath } from '../customer-link.ts';
import { EVENTS_PATH } from '../events.tsx';
import { actorWords } from '../history-words.ts';
import { LicenseLink } from '../license-link.tsx';
import { PLACES } from '../places.ts';
import { SiteLink } from '../site-link.tsx';
import { SelectionBox, selectionName } from './selection.tsx';
import { WORDS } from './words.ts';

const { path: PATH } = PLACES.alerts;

const subjectOf = ({ subject }: Pick<NamedAlert, 'subject'>): string =>
  subject === '' ? WORDS.further : worded(subject);

/** Returns the name of an alert, such as `Malware on shop.example.com`. */
export const alertWords = (alert: Pick<NamedAlert, 'subject' | 'domain'>) =>
  `${subjectOf(alert)} on ${alert.domain}`;

interface Shown {
  readonly alert: OpenSiteAlert;
  readonly filters: Filters;
}

const ActForm = ({
  act,
  alert,
  filters,
}: Shown & { readonly act: typeof acknowledge | typeof unacknowledge }) => {
  const { domain, subject } = alert;
  const target = { license: licenseName(alert.licenseId), domain, subject, seen: markOf(alert) };
  return <ActButton act={act} path={PATH} query={filters} subject={alertWords(alert)} target={target} />;
};

/** The acknowledgement of an alert with actor and note, for operators who may acknowledge. */
const Acknowledgement = ({ alert, filters }: Shown) =>
  alert.acknowledgedAt === null ? (
    <ActForm act={acknowledge} alert={alert} filters={filters} />
  ) : (
    <Fragment>
      <Time at={alert.acknowledgedAt} />
      {` by ${actorWords(alert.acknowledgedBy ?? '')}`}
      {alert.acknowledgedNote === null ? null : `: ${alert.acknowledgedNote}`}
      <ActForm act={unacknowledge} alert={alert} filters={filters} />
    </Fragment>
  );

/** Returns the headings, in the order of a row's cells. */
export const columnsFor = (mayAct: boolean): string[] => {
  const { select, customer, site, license, ...others } = WORDS.columns;
  return mayAct
    ? [select, site, customer, ...Object.values(others)]
    : [site, license, ...Object.values(others)];
};

export function AlertRow(
  props: Shown & {
    readonly mayAct: boolean;
    /** Name of the customer; undefined if unknown, or if the operator may not see customers. */
    readonly customer: string | undefined;
    readonly now: number;
    /** The values of a refused form. */
    readonly typed: Form;
  },
) {
  const { alert, filters, mayAct, customer, now, typed } = props;
  const { domain, licenseId, severity, lastOccurredAt, acknowledgedAt } = alert;
  const evidence = {
    license: licenseName(licenseId),
    domain,
    type: alert.subject || undefined,
    since: iso(now - ALERT_OPEN_DAYS * DAY_MS),
  };
  return (
    <tr>
      {mayAct ? (
        <td>
          {acknowledgedAt === null ? (
            <SelectionBox
              alert={alert}
              label={alertWords(alert)}
              isSelected={typed[selectionName(alert)] !== undefined}
            />
          ) : null}
        </td>
      ) : null}
      <th scope="row">
        <SiteLink licenseId={licenseId} domain={domain} />
      </th>
      <td data-label={mayAct ? WORDS.columns.customer : WORDS.columns.license}>
        {customer === undefined ? (
          <LicenseLink id={licenseId} />
        ) : (
          <a href={customerPath(licenseName(licenseId))}>{customer}</a>
        )}
      </td>
      <td data-label={WORDS.columns.what}>
        <a href={addressOf(EVENTS_PATH, evidence)} title={WORDS.evidence(alertWords(alert))}>
          {subjectOf(alert)}
        </a>
      </td>
      <td data-label={WORDS.columns.severity}>
        <SeverityBadge severity={severity} />
      </td>
      <td data-label={WORDS.columns.last}>
        <Time at={lastOccurredAt} />
      </td>
      <td data-label={WORDS.columns.acknowledgement}>
        {mayAct ? <Acknowledgement alert={alert} filters={filters} /> : null}
        {!mayAct && acknowledgedAt !== null ? <Time at={acknowledgedAt} /> : null}
      </td>
    </tr>
  );
}
