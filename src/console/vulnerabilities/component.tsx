/** @jsxImportSource hono/jsx */
import { Fragment } from 'hono/jsx';
import { hasRole } from '../../domain/admin/operator.ts';
import { parseLicenseName } from '../../domain/license/license-name.ts';
import { isRefusal, refuse } from '../../domain/refusal.ts';
import { getAt, postAt } from '../../http/route/endpoint.ts';
import { iso } from '../../lib/clock.ts';
import {
  type ComponentSites,
  createComponentSites,
  exportComponentSites,
  findingsOfComponent,
  type NamedComponent,
} from '../../operator/component-sites.ts';
import type { CustomerList } from '../../operator/customers.ts';
import type { UrgentFinding } from '../../operator/urgent-findings.ts';
import { componentWords, remedyWords } from '../../operator/vulnerability-words.ts';
import { CopyableText } from '../../pages/copy.tsx';
import { filtersOf } from '../../pages/query.ts';
import { Table } from '../../pages/table.tsx';
import { dateOf, Time } from '../../pages/time.tsx';
import type { ActingParts } from '../../routes/admin/fields/act.ts';
import { requireMirror } from '../../routes/fields/mirror-required.ts';
import type { Parts } from '../../routes/parts.ts';
import { createActs } from '../act.ts';
import { customerPath } from '../customer-link.ts';
import { licensePath } from '../license-link.tsx';
import { PLACES } from '../places.ts';
import { showPlace } from '../show-page.tsx';
import { SiteLink } from '../site-link.tsx';
import { TEXTS } from '../texts.ts';
import {
  acting,
  answerFile,
  type HasCustomers,
  type HasDownloads,
  page,
  type Visit,
  type VisitParts,
} from '../visit.ts';
import { COMPONENT_PATH } from './address.ts';
import { ownersOf, WORDS } from './words.ts';

const { component: TEXT } = WORDS;
const CSV_COLUMNS =
  'license_id customer email domain ecosystem component version vulnerability due_at overdue exploited fixed_version'.split(
    ' ',
  );
const NAME_CHARACTERS_MAX = 253;

/** @throws Refusal if the component is missing */
function namedIn({ ecosystem = '', component = '' }: Readonly<Record<string, string>>): NamedComponent {
  if (ecosystem === '' || component === '' || component.length > NAME_CHARACTERS_MAX)
    throw refuse('INVALID_QUERY', TEXT.notNamed);
  return { ecosystem, component };
}

/** Returns the e-mail address of a license's customer. */
const emailOf = (customers: CustomerList, license: string): string | null =>
  customers.byLicense.get(parseLicenseName(license) ?? 0)?.email ?? null;

function Mail(props: {
  readonly named: NamedComponent;
  readonly first: UrgentFinding;
  readonly emails: readonly string[];
  readonly now: number;
}) {
  const { named, first, emails, now } = props;
  const [fixed] = first.fixedVersions;
  const due = first.dueAt > now ? dateOf(first.dueAt) : undefined;
  return (
    <section class="card">
      <h2>{TEXT.mail}</h2>
      <CopyableText
        text={TEXT.mailText(componentWords(named.ecosystem, named.component, '').trim(), fixed, due)}
      />
      <h3>{TEXT.recipients}</h3>
      {emails.length === 0 ? (
        <p class="quiet">{TEXT.noRecipients}</p>
      ) : (
        <CopyableText text={emails.join(', ')} />
      )}
    </section>
  );
}

const Csv = ({ named }: { readonly named: NamedComponent }) => (
  <form method="post" action={`${COMPONENT_PATH}/csv`}>
    <input type="hidden" name="ecosystem" value={named.ecosystem} />
    <input type="hidden" name="component" value={named.component} />
    <button type="submit" class="quiet">
      {TEXTS.csv}
    </button>
  </form>
);

function SitesTable(props: { readonly found: ComponentSites; readonly maySee: boolean }) {
  const { found, maySee } = props;
  const { customer, ...columns } = TEXT.columns;
  return (
    <Fragment>
      <Table
        label={WORDS.affected}
        columns={[...(maySee ? [customer] : []), ...Object.values(columns)]}
        rows={found.findings.map(({ license, domain, version, vulnerability, dueAt, ...finding }) => [
          ...(maySee
            ? [finding.customer === null ? '' : <a href={customerPath(license)}>{finding.customer}</a>]
            : []),
          <a href={licensePath(license)}>{license}</a>,
          <SiteLink licenseId={parseLicenseName(license) ?? 0} domain={domain} />,
          version,
          <span class="badges">
            {`${vulnerability} `}
            {finding.exploited ? <span class="badge bad">{WORDS.exploited}</span> : null}
          </span>,
          <span class={finding.overdue ? 'badge bad' : undefined}>
            <Time at={dueAt} />
          </span>,
          `${finding.forensics ? `${WORDS.forensics}, ` : ''}${remedyWords(finding.fixedVersions)}`,
        ])}
        none={<p class="quiet">{TEXT.none}</p>}
      />
      {found.findingCount > found.findings.length ? (
        <p class="quiet">{TEXT.shown(found.findings.length, found.findingCount)}</p>
      ) : null}
    </Fragment>
  );
}

const csvRow = (customers: CustomerList) => (finding: UrgentFinding) => [
  ...[finding.license, finding.customer, emailOf(customers, finding.license), finding.domain],
  ...[finding.ecosystem, finding.component, finding.version, finding.vulnerability],
  ...[iso(finding.dueAt), String(finding.overdue), String(finding.exploited)],
  finding.fixedVersions[0] ?? '',
];

export type ComponentParts = VisitParts &
  ActingParts &
  HasCustomers &
  HasDownloads &
  Parts<'clock' | 'db' | 'identities' | 'mirror'>;

/** The page with the sites and customers that have to update a component, and a mail to them. */
export const componentPages = (parts: ComponentParts) => {
  const { clock, mirror, customers } = parts;
  const sitesOf = createComponentSites(parts);
  const act = createActs(parts);

  const show = async (visit: Visit) => {
    const named = namedIn(filtersOf(visit.request, ['ecosystem', 'component']));
    const found = await sitesOf(named);
    const maySee = hasRole(visit.operator.role, 'support');
    const known = maySee ? await customers() : undefined;
    const [first] = found?.findings ?? [];
    const emails = new Set(
      known && found ? [...found.licenses].flatMap((license) => emailOf(known, license) ?? []) : [],
    );
    return showPlace(
      visit,
      PLACES.vulnerabilities,
      found === undefined ? (
        <p class="notice warn">{TEXT.noData}</p>
      ) : (
        <Fragment>
          <section class="card">
            <p class="quiet">{TEXT.about}</p>
            <SitesTable found={found} maySee={maySee} />
          </section>
          {known && first ? (
            <Mail named={named} first={first} emails={[...emails]} now={clock.now()} />
          ) : null}
        </Fragment>
      ),
      {
        title: componentWords(named.ecosystem, named.component, '').trim(),
        sub: found && WORDS.sitesOf(found.sites, ownersOf(found.licenses, known)),
        actions: known && first ? <Csv named={named} /> : null,
      },
    );
  };

  const download = acting(parts, 'support', async (visit, form) => {
    const named = namedIn(form);
    const current = requireMirror(await mirror.current());
    const done = await act(visit, {
      form,
      role: 'support',
      plan: (by) => exportComponentSites(named, by),
    });
    if (isRefusal(done)) throw done;
    const toCells = csvRow(await customers());
    async function* rows() {
      for await (const some of findingsOfComponent(parts, current, named)) yield some.map(toCells);
    }
    return answerFile(parts, visit, { name: 'sites', header: CSV_COLUMNS, rows: rows() });
  });

  return [getAt(COMPONENT_PATH, page(parts, 'viewer', show)), postAt(`${COMPONENT_PATH}/csv`, download)];
};
