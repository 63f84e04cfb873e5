/** @jsxImportSource hono/jsx */
import type { Child } from 'hono/jsx';
import { hasRole } from '../domain/admin/operator.ts';
import { NOTE_CHARACTERS_MAX } from '../domain/license/customer.ts';
import type { Customer } from '../domain/license/customers.ts';
import { licenseName } from '../domain/license/license-name.ts';
import { normalizeSiteDomain } from '../domain/site/site-domain.ts';
import type { AffectedComponent } from '../domain/vulnerability/record.ts';
import type { Form } from '../http/form.ts';
import { getAt, postAt } from '../http/route/endpoint.ts';
import { trimInvisible } from '../lib/trim-invisible.ts';
import type { NamedComponent } from '../operator/component-sites.ts';
import { type FoundLicenses, findLicenses } from '../operator/find-licenses.ts';
import { shownLicense } from '../operator/shown-license.ts';
import type { SiteRisksDesk } from '../operator/site-risks.ts';
import { componentWords } from '../operator/vulnerability-words.ts';
import { goTo } from '../pages/html.tsx';
import type { Parts } from '../routes/parts.ts';
import { type OperatorsSite, readAllSites } from '../storage/sites/all-sites.ts';
import { customerPath } from './customer-link.ts';
import { licensePath } from './license-link.tsx';
import { LicenseTable } from './licenses/table.tsx';
import { PLACES } from './places.ts';
import { SEARCH_PATH, showPage } from './show-page.tsx';
import { SiteLink, sitePath } from './site-link.tsx';
import { TEXTS } from './texts.ts';
import { acting, type HasCustomers, page, type Visit, type VisitParts } from './visit.ts';
import { componentPath } from './vulnerabilities/address.ts';

const WORDS = TEXTS.search;
const LICENSES_MAX = 50;
const OTHERS_MAX = 20;

/** The matches of a search. */
interface Found {
  readonly licenses: FoundLicenses;
  readonly customers: readonly Customer[];
  readonly sites: readonly OperatorsSite[];
  readonly components: readonly NamedComponent[];
  /** The vulnerability with the searched ID. */
  readonly vulnerability: { readonly id: string; readonly affected: readonly NamedComponent[] } | undefined;
}

const NOTHING: Found = {
  licenses: { found: [], hasMore: false },
  customers: [],
  sites: [],
  components: [],
  vulnerability: undefined,
};

const ownerPath = ({ licenses: [first = 0] }: Customer): string => customerPath(licenseName(first));

const addressesOf = ({ licenses, customers, sites, components, vulnerability }: Found): string[] => [
  ...licenses.found.map(({ license }) => licensePath(licenseName(license.id))),
  ...customers.map(ownerPath),
  ...sites.map(({ licenseId, domain }) => sitePath(licenseName(licenseId), domain)),
  ...[...components, ...(vulnerability?.affected ?? [])].map(componentPath),
];

const Components = ({ title, of }: { readonly title: string; readonly of: readonly NamedComponent[] }) =>
  of.length === 0 ? null : (
    <section class="card">
      <h2>{title}</h2>
      <ul class="rows">
        {of.map((component) => (
          <li>
            <a href={componentPath(component)}>
              {componentWords(component.ecosystem, component.component, '').trim()}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );

const named = ({ ecosystem, name }: AffectedComponent): NamedComponent => ({ ecosystem, component: name });

interface SearchParts extends VisitParts, HasCustomers, Parts<'clock' | 'db' | 'mirror' | 'offer'> {
  readonly siteRisks: SiteRisksDesk['latest'];
}

/** The search for licenses, customers, sites, vulnerable components and vulnerabilities. */
export const searchPages = (parts: SearchParts) => {
  const { db, clock, config, mirror, offer, customers, siteRisks } = parts;
  const sites = readAllSites(db);

  const sitesAt = async (text: string) => {
    const domain = normalizeSiteDomain(text, config.stagingDomains)?.name;
    const from = { lastSeenAt: Number.MIN_SAFE_INTEGER, id: 0 };
    return domain === undefined
      ? []
      : sites.of({
          licenseId: undefined,
          version: undefined,
          domain,
          from,
          limit: OTHERS_MAX,
          seenBefore: Number.MAX_SAFE_INTEGER,
        });
  };

  const componentsNamed = async (text: string) => {
    const risks = await siteRisks();
    if (risks === undefined || risks === 'failed') return [];
    return risks.affected.filter(({ component }) => component.toLowerCase().includes(text.toLowerCase()));
  };

  const vulnerabilityNamed = (text: string): Promise<Found['vulnerability']> =>
    mirror.ask(async ({ data }) => {
      const number = data.find(text.toUpperCase()) ?? data.find(text);
      if (number === undefined) return undefined;
      const affected = data.affectedBy(number, OTHERS_MAX).map(named);
      return { id: data.get(number).id, affected };
    });

  const search = async (text: string, maySee: boolean): Promise<Found> => {
    if (text === '' || text.length > NOTE_CHARACTERS_MAX) return NOTHING;
    const known = maySee ? (await customers()).all : [];
    return {
      licenses: await findLicenses(db, text, LICENSES_MAX, clock.now(), maySee),
      customers: known
        .filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()))
        .slice(0, OTHERS_MAX),
      sites: await sitesAt(text),
      components: await componentsNamed(text),
      vulnerability: await vulnerabilityNamed(text),
    };
  };

  const show = ({ set, operator }: Visit, children: Child) =>
    showPage(set, { title: WORDS.title, operator, children });

  const showFound = (visit: Visit, found: Found, maySee: boolean) => {
    const { licenses, sites: ofSites, components, vulnerability } = found;
    return show(
      visit,
      <div class="stack">
        {addressesOf(found).length === 0 ? (
          <p class="notice warn" role="status">
            {vulnerability === undefined ? WORDS.notFound : WORDS.unaffected(vulnerability.id)}
          </p>
        ) : null}
        {found.customers.length === 0 ? null : (
          <section class="card">
            <h2>{PLACES.customers.words}</h2>
            <ul class="rows">
              {found.customers.map((customer) => (
                <li>
                  <a href={ownerPath(customer)}>{customer.name}</a>
                </li>
              ))}
            </ul>
          </section>
        )}
        {licenses.found.length === 0 ? null : (
          <section class="card">
            <h2>{PLACES.licenses.words}</h2>
            <LicenseTable
              rows={licenses.found.map(({ license, matched }) => ({
                license: shownLicense(license, offer.catalog, clock.now()),
                matched,
              }))}
              withCustomers={maySee}
            />
            {licenses.hasMore ? <p class="quiet">{WORDS.hasMore(LICENSES_MAX)}</p> : null}
          </section>
        )}
        {ofSites.length === 0 ? null : (
          <section class="card">
            <h2>{PLACES.sites.words}</h2>
            <ul class="rows">
              {ofSites.map(({ licenseId, domain }) => (
                <li>
                  <SiteLink licenseId={licenseId} domain={domain} />
                  <span class="quiet">{licenseName(licenseId)}</span>
                </li>
              ))}
            </ul>
          </section>
        )}
        <Components title={WORDS.components} of={components} />
        {vulnerability && <Components title={WORDS.affects(vulnerability.id)} of={vulnerability.affected} />}
      </div>,
    );
  };

  /** Uses POST, because the text may be a key, which must not be in a URL. A single match is opened directly. */
  const find = async (visit: Visit, { text = '' }: Form) => {
    const maySee = hasRole(visit.operator.role, 'support');
    const found = await search(trimInvisible(text), maySee);
    const [only, ...others] = addressesOf(found);
    return only !== undefined && others.length === 0
      ? goTo(visit.set, only)
      : showFound(visit, found, maySee);
  };

  return [
    getAt(
      SEARCH_PATH,
      page(parts, 'viewer', (visit) => show(visit, <p>{WORDS.about}</p>)),
    ),
    postAt(SEARCH_PATH, acting(parts, 'viewer', find)),
  ];
};
