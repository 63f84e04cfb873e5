/** @jsxImportSource hono/jsx */
import { Fragment } from 'hono/jsx';
import { roleFor } from '../../acts/act.ts';
import { ActPanel } from '../../acts/form.tsx';
import { LICENSE_ACTS, type LicenseAct } from '../../acts/licenses/acts.ts';
import { rotate } from '../../acts/licenses/keys.ts';
import { hasRole, type Role } from '../../domain/admin/operator.ts';
import { licenseName } from '../../domain/license/license-name.ts';
import { getAt } from '../../http/route/endpoint.ts';
import { type Explanation, explainLicense } from '../../operator/explain-license.ts';
import { Field } from '../../pages/form.tsx';
import { Problem } from '../../pages/html.tsx';
import { addressOf, filtersOf, oneOfFilter } from '../../pages/query.ts';
import { Tabs } from '../../pages/tabs.tsx';
import { exactTime } from '../../pages/time.tsx';
import { licenseAt } from '../../routes/admin/fields/act.ts';
import { readAudit } from '../../storage/operators/audit.ts';
import { noticeOf } from '../act.ts';
import { licensePath } from '../license-link.tsx';
import { type PageActParts, pageActs, type RefusedForm } from '../page-acts.ts';
import { PLACES } from '../places.ts';
import { showPlace } from '../show-page.tsx';
import { type HasNotices, page, type Visit } from '../visit.ts';
import { actionsOf, currentValues, type LicenseAction, openAction } from './actions.ts';
import { ActivityTab, happeningsOf } from './activity.tsx';
import { LicenseActions, LicenseFacts } from './head.tsx';
import { createSiteJudge, type SiteJudgeParts } from './judged-sites.ts';
import { LimitsTab } from './limits.tsx';
import { changedNotice } from './notice.ts';
import { type RefusedNow, refusedNow } from './refused.ts';
import { SitesTab } from './sites.tsx';
import { SummaryTab } from './summary.tsx';
import { LicenseVerdict } from './verdict.tsx';
import { WORDS } from './words.ts';

const TABS = ['summary', 'sites', 'activity', 'limits'] as const;
type Tab = (typeof TABS)[number];
const FILTERS = ['domain', 'tab', 'act'];
const SITES_SHOWN = 50;
const ENTRIES_SHOWN = 50;

const CheckForm = ({ path, domain }: { readonly path: string; readonly domain: string }) => (
  <form method="get" action={path} class="filters">
    <Field label={WORDS.check} name="domain" value={domain} max={253} />
    <button type="submit" class="quiet">
      {WORDS.checkSubmit}
    </button>
  </form>
);

/** The page of a license: the verdict on its checks, tabs, and acts. */
export const licensePage = (parts: PageActParts & SiteJudgeParts & HasNotices) => {
  const { db, offer, config, clock, notices } = parts;
  const judgedSites = createSiteJudge(parts);
  const licenseOf = ({ params: { licenseId = '' } }: Visit) => licenseAt(parts, licenseId);

  const tabOf = async (tab: Tab, explanation: Explanation, refused: readonly RefusedNow[], role: Role) => {
    if (tab === 'limits') return <LimitsTab explanation={explanation} />;
    const { license, readAt } = explanation;
    const name = licenseName(license.id);
    const sites = tab === 'activity' ? [] : await judgedSites(license.id, readAt, SITES_SHOWN);
    if (tab === 'sites') return <SitesTab license={license} sites={sites} refused={refused} role={role} />;
    const maySee = hasRole(role, 'support');
    const entries = maySee ? await readAudit(db, { subject: name, limit: ENTRIES_SHOWN }) : [];
    const happenings = happeningsOf(explanation, refused, entries);
    return tab === 'activity' ? (
      <ActivityTab name={name} happenings={happenings} maySee={maySee} />
    ) : (
      <SummaryTab explanation={explanation} sites={sites} happenings={happenings} role={role} />
    );
  };

  const panel = (
    action: LicenseAction,
    { license, readAt }: Explanation,
    refused: RefusedForm | undefined,
  ) => {
    const path = licensePath(licenseName(license.id));
    const [hold = 'payment'] = [...license.holds, ...license.paymentHolds];
    return (
      <ActPanel
        act={action.act}
        words={action.form}
        path={path}
        typed={refused}
        was={action.act.verb === 'change' ? currentValues(license, readAt) : {}}
        first={action.name === 'resume' ? { hold } : {}}
        close={{ href: path, words: WORDS.cancel }}
      />
    );
  };

  const show = async (visit: Visit, refused?: RefusedForm) => {
    const license = await licenseOf(visit);
    const now = clock.now();
    const asked = filtersOf(visit.request, FILTERS);
    const grounds = { db, catalog: offer.catalog, settings: config, now };
    const explanation = await explainLicense(grounds, license, asked.domain);
    const name = licenseName(license.id);
    const path = licensePath(name);
    const tab = oneOfFilter(TABS, asked.tab) ?? 'summary';
    const { role } = visit.operator;
    const actions = actionsOf(explanation).filter(({ act }) => hasRole(role, roleFor(act)));
    const open = openAction(actions, refused, asked.act);
    const refusedDomains = refusedNow(explanation, config.stagingDomains);
    const tabs: Readonly<Record<Tab, string>> = {
      summary: WORDS.summary,
      sites: WORDS.sitesTab(explanation.sites.used),
      activity: WORDS.activity,
      limits: WORDS.limits,
    };
    return showPlace(
      visit,
      PLACES.licenses,
      <Fragment>
        <Problem text={open ? undefined : refused?.refusal.message} />
        {open ? panel(open, explanation, refused) : null}
        <LicenseVerdict explanation={explanation} refused={refusedDomains} role={role} />
        <CheckForm path={path} domain={asked.domain ?? ''} />
        <Tabs
          label={WORDS.tabs}
          of={TABS.map((each) => ({
            href: each === 'summary' ? path : addressOf(path, { tab: each }),
            words: tabs[each],
            isCurrent: each === tab,
          }))}
        />
        {await tabOf(tab, explanation, refusedDomains, role)}
      </Fragment>,
      {
        title: (hasRole(role, 'support') ? license.customer : null) ?? name,
        sub: <LicenseFacts explanation={explanation} />,
        notices: notices.take(visit, path),
        ...(actions.length > 0 ? { actions: <LicenseActions name={name} actions={actions} /> } : {}),
        refused: refused?.refusal.refused,
      },
    );
  };

  const path = `${PLACES.licenses.path}/:licenseId`;
  return [
    getAt(path, page(parts, 'viewer', show)),
    ...pageActs(parts, {
      path,
      role: 'operator',
      acts: LICENSE_ACTS.filter(({ forms, button }: LicenseAct) => forms ?? button),
      find: (_, visit) => licenseOf(visit),
      refused: show,
      async done(visit, { verb, shown }, _, done) {
        const name = licenseName((await licenseOf(visit)).id);
        const secret = done.plan?.key;
        const until = done.plan?.oldWorksUntil ?? null;
        const key =
          secret === undefined
            ? changedNotice(done.plan)
            : {
                words: shown?.(name) ?? '',
                secret,
                letter: {
                  title: WORDS.letter.title,
                  text:
                    verb === rotate.verb
                      ? WORDS.letter.rotated(secret, until === null ? null : exactTime(until))
                      : WORDS.letter.issued(secret),
                },
              };
        notices.leave(visit, licensePath(name), noticeOf(done, key));
        return licensePath(name);
      },
    }),
  ];
};
