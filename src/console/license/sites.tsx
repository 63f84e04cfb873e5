/** @jsxImportSource hono/jsx */
import { roleFor } from '../../acts/act.ts';
import { ActButton } from '../../acts/form.tsx';
import type { LicenseAct } from '../../acts/licenses/acts.ts';
import { block, unbind, unblock } from '../../acts/licenses/domains.ts';
import { hasRole, type Role } from '../../domain/admin/operator.ts';
import { licenseName } from '../../domain/license/license-name.ts';
import { capitalized } from '../../lib/capitalized.ts';
import { SiteBadge } from '../../pages/badges.tsx';
import { whole } from '../../pages/html.tsx';
import { addressOf } from '../../pages/query.ts';
import { Table, TableCard } from '../../pages/table.tsx';
import { Time } from '../../pages/time.tsx';
import type { LicenseRecord } from '../../storage/licenses/licenses.ts';
import { licensePath } from '../license-link.tsx';
import { PLACES } from '../places.ts';
import { SiteLink } from '../site-link.tsx';
import type { JudgedSite } from './judged-sites.ts';
import type { RefusedNow } from './refused.ts';
import { REFUSED_WORDS, WORDS } from './words.ts';

const DOMAINS_SHOWN = 50;

/** A table of sites of one or more licenses. */
export const SiteTable = ({ sites }: { readonly sites: readonly JudgedSite[] }) => (
  <Table
    label={WORDS.sites}
    columns={WORDS.siteColumns}
    rows={sites.map((site) => [
      <SiteLink licenseId={site.licenseId} domain={site.domain} />,
      <SiteBadge status={site.status} />,
      whole(site.score.score),
      whole(site.openAlerts.length),
      site.pluginVersion ?? '–',
      <Time at={site.lastSeenAt} />,
    ])}
    none={<p class="quiet">{WORDS.noSites}</p>}
  />
);

function DomainsCard({ license, role }: { readonly license: LicenseRecord; readonly role: Role }) {
  const { domains, blockedDomains: blocked } = license;
  const mayDo = (act: LicenseAct) => license.revokedAt === null && hasRole(role, roleFor(act));
  const acts = [unbind, block].filter(mayDo);
  const path = licensePath(licenseName(license.id));
  const hidden = Math.max(0, domains.length - DOMAINS_SHOWN) + Math.max(0, blocked.length - DOMAINS_SHOWN);
  return (
    <section class="card">
      <h2>{WORDS.domains}</h2>
      {domains.length + blocked.length === 0 ? <p class="quiet">{WORDS.noDomains}</p> : null}
      <ul class="rows">
        {domains.slice(0, DOMAINS_SHOWN).map((domain) => (
          <li>
            <span>{domain}</span>
            {acts.length > 0 ? (
              <span class="acts">
                {acts.map((act) => (
                  <ActButton act={act} path={path} subject={domain} target={{ domain }} />
                ))}
              </span>
            ) : null}
          </li>
        ))}
        {blocked.slice(0, DOMAINS_SHOWN).map((domain) => (
          <li>
            <span>{`${domain} (${WORDS.blocked})`}</span>
            {mayDo(unblock) ? (
              <ActButton act={unblock} path={path} subject={domain} target={{ domain }} />
            ) : null}
          </li>
        ))}
      </ul>
      {hidden > 0 ? <p class="quiet">{WORDS.moreDomains(hidden)}</p> : null}
    </section>
  );
}

/** The tab with sites, registered, blocked and refused domains. */
export const SitesTab = (props: {
  readonly license: LicenseRecord;
  readonly sites: readonly JudgedSite[];
  readonly refused: readonly RefusedNow[];
  readonly role: Role;
}) => {
  const { license, sites, refused, role } = props;
  return (
    <div class="stack">
      <section class="card">
        <header>
          <h2>{WORDS.sites}</h2>
          <a href={addressOf(PLACES.sites.path, { license: licenseName(license.id) })}>{WORDS.moreSites}</a>
        </header>
        <SiteTable sites={sites} />
      </section>
      <TableCard
        label={WORDS.refused}
        none={WORDS.noRefused}
        columns={WORDS.refusedColumns}
        rows={refused.map(({ domain, reason, count, lastAt, isRefused }) => [
          domain,
          capitalized(REFUSED_WORDS[reason]),
          whole(count),
          <Time at={lastAt} />,
          <span class={`badge ${isRefused ? 'bad' : 'good'}`}>
            {isRefused ? WORDS.refusedNow : WORDS.acceptedNow}
          </span>,
        ])}
      >
        <p class="quiet">{WORDS.refusedWritten}</p>
      </TableCard>
      <DomainsCard license={license} role={role} />
    </div>
  );
};
