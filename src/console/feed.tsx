/** @jsxImportSource hono/jsx */
import { Fragment } from 'hono/jsx';
import { RULINGS, rebuild } from '../acts/feed/acts.ts';
import { ActForms, type TypedAct } from '../acts/form.tsx';
import { hasRole } from '../domain/admin/operator.ts';
import { isRefusal, type RefusalCode } from '../domain/refusal.ts';
import { countEntries, type FeedSnapshot } from '../domain/threat/feed.ts';
import { isFingerprint } from '../domain/threat/fingerprint.ts';
import type { Form } from '../http/form.ts';
import { getAt, postAt } from '../http/route/endpoint.ts';
import { SECOND_MS } from '../lib/clock.ts';
import type { PlannedRebuild } from '../operator/feed-desk.ts';
import { Field } from '../pages/form.tsx';
import { goTo, More, Problem } from '../pages/html.tsx';
import { addressOf, filtersOf } from '../pages/query.ts';
import { type EntryPage, entryPage } from '../routes/admin/feed-entries.ts';
import type { Parts } from '../routes/parts.ts';
import { readAudit, readLatestAudit } from '../storage/operators/audit.ts';
import { readFeedRulings } from '../storage/threats/feed-rulings.ts';
import { readFeedSnapshot } from '../storage/threats/feed-snapshots.ts';
import { readOrigins } from '../storage/threats/feed-trusts.ts';
import { actOf, createActs, createFormAct, type FormParts } from './act.ts';
import { Entries, FindForm, History, type ListedRuling, Rulings, State } from './feed-lists.tsx';
import { PLACES } from './places.ts';
import { showPlace } from './show-page.tsx';
import { TEXTS } from './texts.ts';
import { acting, type HasNotices, page, type Visit } from './visit.ts';

const { path: PATH } = PLACES.feed;
const WORDS = TEXTS.feed;
const FILTERS = ['find', 'cursor', 'ruled'];
const PAGE_ROWS = 50;
const HISTORY_ROWS = 10;
const FEED_SUBJECT = 'feed';
const FINGERPRINT_CHARACTERS = 43;

interface EntriesShown extends EntryPage {
  readonly problem?: string;
}

interface Shown {
  readonly problem?: string | undefined;
  readonly typed?: TypedAct;
}

const FeedForms = ({
  fingerprint = '',
  typed,
}: {
  fingerprint?: string | undefined;
  typed?: TypedAct | undefined;
}) => (
  <Fragment>
    {RULINGS.map((act) => (
      <ActForms act={act} path={PATH} typed={typed}>
        <Field
          label={WORDS.fingerprint}
          name="fingerprint"
          value={fingerprint}
          max={FINGERPRINT_CHARACTERS}
          required
        />
      </ActForms>
    ))}
    <ActForms act={rebuild} path={PATH} typed={typed} />
  </Fragment>
);

type FeedParts = FormParts & HasNotices & Parts<'feed' | 'feedDesk'>;

/** The feed, and the rulings of operators about it. */
export const feedPages = (parts: FeedParts) => {
  const { db, clock, config, feed, feedDesk, notices } = parts;
  const rulings = readFeedRulings(db);
  const act = createActs(parts);

  /** In place of a page of another epoch, the first one of this epoch, and why. */
  const entriesOf = (
    snapshot: FeedSnapshot,
    cursor: string | undefined,
    beginning: string | undefined,
  ): EntriesShown => {
    try {
      return entryPage(snapshot, { cursor, limit: PAGE_ROWS, beginning });
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return { ...entryPage(snapshot, { limit: PAGE_ROWS, beginning }), problem: error.message };
    }
  };

  const rulingsOf = async (find: string | undefined, after: string | undefined, isViewer: boolean) => {
    const behind = find === undefined ? after : find;
    const itself = find !== undefined && isFingerprint(find) ? await rulings.find(find) : undefined;
    const found = [
      ...(itself ? [itself] : []),
      ...(await rulings.page({ after: behind, limit: PAGE_ROWS + 1 })),
    ]
      .filter(({ fingerprint }) => fingerprint.startsWith(find ?? ''))
      .slice(0, PAGE_ROWS + 1);
    const shown = found.slice(0, PAGE_ROWS);
    const names = shown.map(({ fingerprint }) => fingerprint);
    const entries = isViewer ? [] : await readLatestAudit(db, names);
    return {
      rulings: shown.map(
        (ruling): ListedRuling => ({
          ...ruling,
          entry: entries.find(({ subject }) => subject === ruling.fingerprint),
        }),
      ),
      next: find === undefined && found.length > PAGE_ROWS ? names.at(-1) : undefined,
    };
  };

  const show = async (visit: Visit, { problem, typed }: Shown = {}, refused?: RefusalCode) => {
    const { find, cursor, ruled } = filtersOf(visit.request, FILTERS);
    const isViewer = !hasRole(visit.operator.role, 'operator');
    const snapshot = await readFeedSnapshot(db);
    const none: EntriesShown = { entries: [], cursor: null };
    const entries = snapshot ? entriesOf(snapshot, cursor, find) : none;
    const origins = await readOrigins(db, entries.entries, clock.now());
    const kept = await rulingsOf(find, ruled, isViewer);
    const history = isViewer ? [] : await readAudit(db, { subject: FEED_SUBJECT, limit: HISTORY_ROWS });
    return showPlace(
      visit,
      PLACES.feed,
      <Fragment>
        <Problem text={problem ?? entries.problem} />
        <div class="cards">
          <State
            isShared={config.threatFeedEnabled}
            snapshot={snapshot}
            count={snapshot ? countEntries(snapshot) : 0}
            rightAt={clock.now() - feed.ageSeconds() * SECOND_MS}
          />
          {isViewer ? null : <FeedForms fingerprint={typed?.form.fingerprint ?? find} typed={typed} />}
        </div>
        <FindForm find={find} />
        <Entries entries={entries.entries} origins={origins} />
        <More
          href={entries.cursor === null ? undefined : addressOf(PATH, { find, cursor: entries.cursor })}
        />
        <Rulings rulings={kept.rulings} isViewer={isViewer} />
        <More href={kept.next === undefined ? undefined : addressOf(PATH, { ruled: kept.next })} />
        {isViewer ? null : <History entries={history} />}
      </Fragment>,
      { notices: notices.take(visit, PATH), refused },
    );
  };

  const rebuildBy = async (visit: Visit, form: Form) => {
    const by = actOf(clock, visit, form);
    if (isRefusal(by)) return by;
    return feedDesk.rebuild(by, (planned: PlannedRebuild) =>
      act(visit, { form, role: 'operator', plan: () => planned }),
    );
  };

  const rule = (definition: (typeof RULINGS)[number]) => {
    const act = createFormAct(parts, definition);
    const { verb } = definition;
    return acting(parts, 'operator', async (visit, form) => {
      const fingerprint = form.fingerprint?.trim() ?? '';
      const done = await act(visit, form, () => fingerprint);
      if (isRefusal(done)) return show(visit, { problem: done.message, typed: { verb, form } }, done.refused);
      const ruled = done.notices.length > 0 ? done.notices.join(' ') : `${fingerprint} ${definition.done}.`;
      const rebuilt = form.rebuild === undefined ? undefined : await rebuildBy(visit, form);
      if (isRefusal(rebuilt)) {
        const problem = `${ruled} ${WORDS.notRebuilt} ${rebuilt.message}`;
        return show(visit, { problem }, rebuilt.refused);
      }
      notices.leave(visit, PATH, { words: `${ruled} ${rebuilt ? WORDS.rebuilt : WORDS.nextEpoch}` });
      return goTo(visit.set, PATH);
    });
  };

  const rebuildNow = acting(parts, 'operator', async (visit, form) => {
    const done = await rebuildBy(visit, form);
    if (isRefusal(done))
      return show(visit, { problem: done.message, typed: { verb: rebuild.verb, form } }, done.refused);
    notices.leave(visit, PATH, { words: done.notices.length > 0 ? done.notices.join(' ') : WORDS.rebuilt });
    return goTo(visit.set, PATH);
  });

  return [
    getAt(PATH, page(parts, 'viewer', show)),
    postAt(`${PATH}/rebuild`, rebuildNow),
    ...RULINGS.map((act) => postAt(`${PATH}/${act.verb}`, rule(act))),
  ];
};
