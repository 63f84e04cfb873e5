/** @jsxImportSource hono/jsx */
import { roleFor } from '../../acts/act.ts';
import { change } from '../../acts/licenses/terms.ts';
import { hasRole, type Role } from '../../domain/admin/operator.ts';
import { licenseName } from '../../domain/license/license-name.ts';
import type { Explanation } from '../../operator/explain-license.ts';
import { Facts, volume, whole } from '../../pages/html.tsx';
import { addressOf } from '../../pages/query.ts';
import { Usage } from '../../pages/usage.tsx';
import { customerPath } from '../customer-link.ts';
import { licensePath } from '../license-link.tsx';
import { type Happening, Happenings } from './activity.tsx';
import type { JudgedSite } from './judged-sites.ts';
import { SiteTable } from './sites.tsx';
import { WORDS } from './words.ts';

const SITES_SHOWN = 5;
const ACTIVITY_SHOWN = 6;

interface OfLicense {
  readonly explanation: Explanation;
}

/** The customer, for operators who may see customers. */
function CustomerCard({ explanation: { license }, mayEdit }: OfLicense & { readonly mayEdit: boolean }) {
  const { customer, email, externalId, note, subscriptionId } = license;
  const name = licenseName(license.id);
  const isNoted = [customer, email, externalId, note, subscriptionId].some((each) => each !== null);
  return (
    <section class="card c4">
      <header>
        <h2>{WORDS.customer}</h2>
        {mayEdit ? (
          <a href={`${addressOf(licensePath(name), { act: 'customer' })}#act`}>{WORDS.edit}</a>
        ) : null}
      </header>
      {isNoted ? (
        <Facts
          of={[
            [WORDS.contact.name, customer],
            [WORDS.contact.email, email],
            [WORDS.contact.externalId, externalId],
            [WORDS.contact.subscription, subscriptionId],
            [WORDS.contact.note, note],
            [WORDS.contact.licenses, <a href={customerPath(name)}>{WORDS.ofCustomer}</a>],
          ]}
        />
      ) : (
        <p class="quiet">{WORDS.noCustomer}</p>
      )}
    </section>
  );
}

function TodayCard({ explanation: { budget, stored, sites } }: OfLicense) {
  return (
    <section class="card c4">
      <header>
        <h2>{WORDS.today}</h2>
        <span class="quiet">{WORDS.resets}</span>
      </header>
      <Usage name={WORDS.events} used={stored.events} limit={budget.events} shown={whole} />
      <Usage name={WORDS.stored} used={stored.bytes} limit={budget.bytes} shown={volume} />
      <Usage name={WORDS.sites} used={sites.used} limit={sites.allowed} shown={whole} />
    </section>
  );
}

/** The tab with the most important parts of a license. */
export const SummaryTab = (
  props: OfLicense & {
    readonly sites: readonly JudgedSite[];
    readonly happenings: readonly Happening[];
    readonly role: Role;
  },
) => {
  const { explanation, sites, happenings, role } = props;
  const maySee = hasRole(role, 'support');
  const path = licensePath(licenseName(explanation.license.id));
  return (
    <div class="grid">
      <section class="card c8">
        <header>
          <h2>{WORDS.sites}</h2>
          <a href={addressOf(path, { tab: 'sites' })}>{WORDS.allSites(explanation.sites.used)}</a>
        </header>
        <SiteTable sites={sites.slice(0, SITES_SHOWN)} />
      </section>
      {maySee ? (
        <CustomerCard explanation={explanation} mayEdit={hasRole(role, roleFor(change))} />
      ) : (
        <TodayCard explanation={explanation} />
      )}
      <section class={`card ${maySee ? 'c8' : ''}`}>
        <header>
          <h2>{WORDS.recent}</h2>
          <a href={addressOf(path, { tab: 'activity' })}>{WORDS.allActivity}</a>
        </header>
        <Happenings label={WORDS.recent} of={happenings.slice(0, ACTIVITY_SHOWN)} />
      </section>
      {maySee ? <TodayCard explanation={explanation} /> : null}
    </div>
  );
};
