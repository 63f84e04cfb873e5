/** @jsxImportSource hono/jsx */
import { Elysia } from 'elysia';
import { Fragment } from 'hono/jsx';
import { ActButton } from '../acts/form.tsx';
import { LICENSE_ACTS } from '../acts/licenses/acts.ts';
import { block, unbind, unblock } from '../acts/licenses/domains.ts';
import { hasRole } from '../domain/admin/operator.ts';
import { licenseName } from '../domain/license/license-name.ts';
import { ANY_TIME } from '../domain/site/site-status.ts';
import { STATUS_OF } from '../http/statuses.ts';
import { explainLicense } from '../operator/explain-license.ts';
import { shownExplanation } from '../operator/shown-explanation.ts';
import { shownLicense } from '../operator/shown-license.ts';
import { Field } from '../pages/form.tsx';
import { Facts, Problem, whole } from '../pages/html.tsx';
import { addressOf, filtersOf } from '../pages/query.ts';
import { TableCard } from '../pages/table.tsx';
import { Time } from '../pages/time.tsx';
import { licenseAt } from '../routes/admin/fields/act.ts';
import { readAudit } from '../storage/operators/audit.ts';
import { readSites } from '../storage/sites/sites.ts';
import { noticeOf } from './act.ts';
import { LicenseForms } from './license-forms.tsx';
import { licensePath } from './license-link.tsx';
import { StateBadge } from './licenses.tsx';
import { pageActs, type RefusedForm } from './page-acts.ts';
import { PLACES } from './places.ts';
import { showPage } from './show-page.tsx';
import { TEXTS } from './texts.ts';
import { type ConsoleParts, page, type Visit } from './visit.ts';

const WORDS = TEXTS.license;
const DOMAINS_SHOWN = 50;
const SITES_SHOWN = 20;
const ENTRIES_SHOWN = 20;

type Explained = ReturnType<typeof shownExplanation>;
type Shown = ReturnType<typeof shownLicense>;

const moment = (iso: string | null) => (iso === null ? null : <Time at={Date.parse(iso)} />);

/** What license/verify would answer, above everything else: most who look want to know why a site is refused. */
function Answer({ path, explained, domain }: { path: string; explained: Explained; domain: string }) {
  const { answer, reason, why, last_verify: last, last_heartbeat_at: heard } = explained;
  return (
    <section aria-label={WORDS.why}>
      <div class={`notice ${answer.valid ? 'good' : 'bad'}`}>
        <strong>{WORDS.answer(answer.valid, answer.plan)}</strong>
        {reason === null ? null : WORDS.because(reason)}
        <ul>
          {why.map((fact) => (
            <li>{fact}</li>
          ))}
        </ul>
      </div>
      <form method="get" action={path} class="filters">
        <Field label={WORDS.forDomain} name="domain" value={domain} max={253} />
        <button type="submit" class="quiet">
          {WORDS.ask}
        </button>
        <p class="quiet">
          {WORDS.lastVerify} {moment(last?.at ?? null) ?? WORDS.never}
          {last?.reason ? ` (${last.reason})` : ''}, {WORDS.lastHeartbeat} {moment(heard) ?? WORDS.never}
        </p>
      </form>
    </section>
  );
}

function TermsCard({ license, explained }: { readonly license: Shown; readonly explained: Explained }) {
  const { facts } = WORDS;
  const words = (all: readonly string[]) => (all.length === 0 ? null : all.join(', '));
  const previous = explained.previous_key;
  return (
    <section class="card">
      <h2>{WORDS.terms}</h2>
      <Facts
        of={[
          [facts.status, <StateBadge state={license.status} />],
          [facts.plan, license.plan],
          [facts.kind, license.kind],
          [facts.environment, license.environment],
          [facts.sites, `${explained.sites_used} / ${explained.sites_allowed}`],
          [facts.ends, moment(license.expires_at) ?? WORDS.never],
          [facts.granted, license.granted_plan],
          [facts.grantedUntil, moment(license.granted_until)],
          [facts.added, words(license.modules_allowed)],
          [facts.denied, words(license.modules_denied)],
          [facts.holds, words(license.holds)],
          [facts.pastDue, moment(license.payment_hold_from)],
          [facts.issued, moment(license.created_at)],
          [facts.revoked, moment(license.revoked_at)],
          [facts.key, license.key],
          [facts.previousKey, previous && `${previous.key}, ${facts.until(previous.works_until)}`],
        ]}
      />
    </section>
  );
}

function OwnerCard({ license }: { readonly license: Shown }) {
  const { customer, email, external_id, note, subscription } = license;
  const isNoted = [customer, email, external_id, note, subscription].some((each) => each !== null);
  return (
    <section class="card">
      <h2>{WORDS.owner}</h2>
      {isNoted ? (
        <Facts
          of={[
            [WORDS.notes.customer, customer],
            [WORDS.notes.email, email],
            [WORDS.notes.externalId, external_id],
            [WORDS.notes.note, note],
            [WORDS.facts.subscription, subscription],
          ]}
        />
      ) : (
        <p class="quiet">{WORDS.ownerNothing}</p>
      )}
    </section>
  );
}

function TodayCard({ explained }: { readonly explained: Explained }) {
  const { daily_budget: budget, daily_caps: caps } = explained;
  const used = (count: number, allowed: number | null) =>
    WORDS.of(whole(count), allowed === null ? WORDS.unlimited : whole(allowed));
  return (
    <section class="card">
      <h2>{WORDS.today}</h2>
      <Facts
        of={[
          [WORDS.facts.events, used(budget.events_used, budget.events)],
          [WORDS.facts.bytes, used(budget.bytes_used, budget.bytes)],
          ...caps.map((cap) => [cap.route, used(cap.used, cap.allowed)] as const),
        ]}
      />
    </section>
  );
}

function DomainsCard({ license, mayAct }: { readonly license: Shown; readonly mayAct: boolean }) {
  const { domains, blocked_domains: blocked } = license;
  const path = licensePath(license.license_id);
  const hidden = Math.max(0, domains.length - DOMAINS_SHOWN) + Math.max(0, blocked.length - DOMAINS_SHOWN);
  return (
    <section class="card wide">
      <h2>{WORDS.domains}</h2>
      {domains.length + blocked.length === 0 ? <p class="quiet">{WORDS.noDomains}</p> : null}
      <ul class="rows">
        {domains.slice(0, DOMAINS_SHOWN).map((domain) => (
          <li>
            <span>{domain}</span>
            {mayAct ? (
              <span class="acts">
                {[unbind, block].map((act) => (
                  <ActButton act={act} path={path} subject={domain} target={{ domain }} />
                ))}
              </span>
            ) : null}
          </li>
        ))}
        {blocked.slice(0, DOMAINS_SHOWN).map((domain) => (
          <li>
            <span>{`${domain} (${WORDS.blocked})`}</span>
            {mayAct ? <ActButton act={unblock} path={path} subject={domain} target={{ domain }} /> : null}
          </li>
        ))}
      </ul>
      {hidden > 0 ? <p class="quiet">{WORDS.moreDomains(hidden)}</p> : null}
    </section>
  );
}

/** One license: why it is refused or not, all that is known of it, and all that may be done with it. */
export const licensePage = (parts: ConsoleParts) => {
  const { db, offer, config, clock, notices } = parts;
  const sites = readSites(db);
  const licenseOf = ({ params: { licenseId = '' } }: Visit) => licenseAt(parts, licenseId);

  const show = async (visit: Visit, refused?: RefusedForm) => {
    const license = await licenseOf(visit);
    const now = clock.now();
    const { domain } = filtersOf(visit.request, ['domain']);
    const grounds = { db, catalog: offer.catalog, settings: config, now };
    const explained = shownExplanation(await explainLicense(grounds, license, domain));
    const shown = shownLicense(license, offer.catalog, now);
    const mayAct = hasRole(visit.operator.role, 'operator');
    const heard = await sites.list({
      licenseId: license.id,
      afterId: 0,
      lastSeen: ANY_TIME,
      limit: SITES_SHOWN,
    });
    const entries = mayAct ? await readAudit(db, { subject: shown.license_id, limit: ENTRIES_SHOWN }) : [];
    return showPage(
      visit.set,
      {
        title: shown.license_id,
        operator: visit.operator,
        at: PLACES.licenses,
        notices: notices.take(visit, licensePath(shown.license_id)),
        children: (
          <Fragment>
            <Problem text={refused?.refusal.message} />
            <Answer path={licensePath(shown.license_id)} explained={explained} domain={domain ?? ''} />
            <div class="cards">
              <TermsCard license={shown} explained={explained} />
              {mayAct ? <OwnerCard license={shown} /> : null}
              <TodayCard explained={explained} />
              <DomainsCard license={shown} mayAct={mayAct && shown.status !== 'revoked'} />
              <TableCard
                label={WORDS.sites}
                none={WORDS.noSites}
                columns={WORDS.siteColumns}
                head={-1}
                rows={heard.map((site) => [
                  site.domain,
                  site.pluginVersion ?? '–',
                  <Time at={site.lastSeenAt} />,
                ])}
              >
                <p>
                  <a href={addressOf(PLACES.sites.path, { license: shown.license_id })}>{WORDS.allSites}</a>
                </p>
              </TableCard>
              <TableCard
                label={WORDS.refusals}
                none={WORDS.noRefusals}
                columns={WORDS.refusalColumns}
                head={-1}
                rows={explained.refusals.map(({ at, code, route }) => [moment(at), code, route])}
              />
              {mayAct ? (
                <TableCard
                  label={WORDS.timeline}
                  none={WORDS.noTimeline}
                  columns={WORDS.timelineColumns}
                  head={-1}
                  rows={entries.map((entry) => [
                    <Time at={entry.at} />,
                    ...[entry.actor, entry.action, entry.reason],
                  ])}
                />
              ) : null}
            </div>
            {mayAct ? (
              <section aria-label={WORDS.acts}>
                <h2>{WORDS.acts}</h2>
                <div class="cards">
                  <LicenseForms license={license} shown={shown} now={now} typed={refused} />
                </div>
              </section>
            ) : null}
          </Fragment>
        ),
      },
      refused ? STATUS_OF[refused.refusal.refused] : 200,
    );
  };

  const path = `${PLACES.licenses.path}/:licenseId`;
  return new Elysia()
    .get(path, page(parts, 'viewer', async (visit) => show(visit)) as () => Promise<Response>)
    .use(
      pageActs(parts, {
        path,
        role: 'operator',
        acts: LICENSE_ACTS.filter(({ forms, button }) => forms ?? button),
        find: (_, visit) => licenseOf(visit),
        refused: show,
        async done(visit, { shown }, _, done) {
          const name = licenseName((await licenseOf(visit)).id);
          const secret = done.plan?.key;
          const key = secret === undefined ? {} : { words: shown?.(name) ?? '', secret };
          notices.leave(visit, licensePath(name), noticeOf(done, key));
          return licensePath(name);
        },
      }),
    );
};
