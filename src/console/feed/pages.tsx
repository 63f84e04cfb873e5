/** @jsxImportSource hono/jsx */
import { Fragment } from 'hono/jsx';
import { RULINGS, rebuild } from '../../acts/feed/acts.ts';
import { ActForms, type TypedAct } from '../../acts/form.tsx';
import { hasRole } from '../../domain/admin/operator.ts';
import { isRefusal, type RefusalCode, refuse } from '../../domain/refusal.ts';
import { ATTACK_TYPES } from '../../domain/threat/attack-type.ts';
import { countEntries, type FeedEntry, type FeedSnapshot } from '../../domain/threat/feed.ts';
import { isFingerprint } from '../../domain/threat/fingerprint.ts';
import type { Form } from '../../http/form.ts';
import { getAt, postAt } from '../../http/route/endpoint.ts';
import { DAY_MS, SECOND_MS } from '../../lib/clock.ts';
import type { PlannedRebuild } from '../../operator/feed-desk.ts';
import { createFeedRanking } from '../../operator/ranked-feed.ts';
import { Field } from '../../pages/form.tsx';
import { goTo, More, Problem } from '../../pages/html.tsx';
import { worded } from '../../pages/identifier-words.ts';
import { addressOf, type Filters, filtersOf, oneOfFilter } from '../../pages/query.ts';
import { type EntryPage, entryPage, placeIn } from '../../routes/admin/feed-entries.ts';
import type { Parts } from '../../routes/parts.ts';
import { readAudit, readLatestAudit } from '../../storage/operators/audit.ts';
import { readFeedHistory } from '../../storage/threats/feed-objects.ts';
import { type KeptRuling, readFeedRulings } from '../../storage/threats/feed-rulings.ts';
import { readFeedSnapshot } from '../../storage/threats/feed-snapshots.ts';
import { readOrigins } from '../../storage/threats/feed-trusts.ts';
import { readThreatSummaries, type ThreatSummary } from '../../storage/threats/threat-reports.ts';
import { actOf, createActs, createFormAct, type FormParts } from '../act.ts';
import { PLACES } from '../places.ts';
import { showPlace } from '../show-page.tsx';
import { acting, type HasNotices, page, type Visit } from '../visit.ts';
import { RulingCard, ThreatCard } from './entry.tsx';
import {
  Entries,
  FindForm,
  History,
  type ListedEntry,
  type ListedRuling,
  RulingTable,
  State,
} from './lists.tsx';
import { WORDS } from './words.ts';

const { path: PATH } = PLACES.feed;
const FILTERS = ['find', 'attack', 'cursor', 'ruled'];
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

type FeedParts = FormParts & HasNotices & Parts<'feed' | 'feedDesk'>;

/** Pages of the feed and of its threats, with the rulings of operators. */
export const feedPages = (parts: FeedParts) => {
  const { db, clock, config, feed, feedDesk, notices } = parts;
  const rulings = readFeedRulings(db);
  const ranked = createFeedRanking();
  const act = createActs(parts);

  /** Returns a page of entries, ranked by customers and severity; with `find`, those with this prefix, ordered by fingerprint. */
  const pageOf = async (snapshot: FeedSnapshot, { find, attack, cursor }: Filters): Promise<EntryPage> => {
    if (find !== undefined) return entryPage(snapshot, { cursor, limit: PAGE_ROWS, beginning: find });
    const from = cursor === undefined ? 0 : placeIn(snapshot.epoch, cursor);
    const wanted = oneOfFilter(ATTACK_TYPES, attack);
    const { entries, next } = await ranked(snapshot, { attack: wanted, from, limit: PAGE_ROWS });
    return { entries, cursor: next === undefined ? null : `${snapshot.epoch}.${next}` };
  };

  /** Returns a page of entries. If the cursor is of another epoch, returns the first page, and the reason. */
  const entriesOf = async (snapshot: FeedSnapshot, asked: Filters): Promise<EntriesShown> => {
    try {
      return await pageOf(snapshot, asked);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const { cursor: _, ...first } = asked;
      return { ...(await pageOf(snapshot, first)), problem: error.message };
    }
  };

  const listed = async (ruling: KeptRuling, isViewer: boolean): Promise<ListedRuling> => ({
    ...ruling,
    entry: isViewer ? undefined : (await readLatestAudit(db, [ruling.fingerprint]))[0],
    attack: (await attacksOf([ruling.fingerprint]))(ruling.fingerprint),
  });

  /**
   * Returns a function from fingerprints to attack types, which are known for threats that are reported or were in the feed
   * recently.
   */
  const attacksOf = async (fingerprints: readonly string[]) => {
    const history = await readFeedHistory(db, fingerprints);
    const summaryOf = await readThreatSummaries(db, fingerprints);
    return (fingerprint: string) => history.get(fingerprint)?.attackType ?? summaryOf(fingerprint).attackType;
  };

  const leavesAt = ({ lastReportedAt }: ThreatSummary): number | undefined =>
    lastReportedAt === null ? undefined : lastReportedAt + config.feedWindowDays * DAY_MS;

  const listedEntries = async (entries: readonly FeedEntry[]): Promise<ListedEntry[]> => {
    const origins = await readOrigins(db, entries, clock.now());
    const summaryOf = await readThreatSummaries(
      db,
      entries.map(({ fingerprint }) => fingerprint),
    );
    return entries.map((entry, at) => {
      const summary = summaryOf(entry.fingerprint);
      return { ...entry, summary, origins: origins[at] ?? [], leavesAt: leavesAt(summary) };
    });
  };

  const rulingsOf = async (find: string | undefined, after: string | undefined, isViewer: boolean) => {
    const start = find === undefined ? after : find;
    const exact = find !== undefined && isFingerprint(find) ? await rulings.find(find) : undefined;
    const found = [...(exact ? [exact] : []), ...(await rulings.page({ after: start, limit: PAGE_ROWS + 1 }))]
      .filter(({ fingerprint }) => fingerprint.startsWith(find ?? ''))
      .slice(0, PAGE_ROWS + 1);
    const shown = found.slice(0, PAGE_ROWS);
    const names = shown.map(({ fingerprint }) => fingerprint);
    const entries = isViewer ? [] : await readLatestAudit(db, names);
    const attackOf = await attacksOf(names);
    return {
      rulings: shown.map(
        (ruling): ListedRuling => ({
          ...ruling,
          entry: entries.find(({ subject }) => subject === ruling.fingerprint),
          attack: attackOf(ruling.fingerprint),
        }),
      ),
      next: find === undefined && found.length > PAGE_ROWS ? names.at(-1) : undefined,
    };
  };

  const show = async (visit: Visit, { problem, typed }: Shown = {}, refused?: RefusalCode) => {
    const asked = filtersOf(visit.request, FILTERS);
    const { find, attack, ruled } = asked;
    const isViewer = !hasRole(visit.operator.role, 'support');
    const mayAct = hasRole(visit.operator.role, 'operator');
    const snapshot = await readFeedSnapshot(db);
    const none: EntriesShown = { entries: [], cursor: null };
    const entries = snapshot ? await entriesOf(snapshot, asked) : none;
    const listedRulings = await rulingsOf(find, ruled, isViewer);
    const history = isViewer ? [] : await readAudit(db, { subject: FEED_SUBJECT, limit: HISTORY_ROWS });
    return showPlace(
      visit,
      PLACES.feed,
      <Fragment>
        <Problem text={problem ?? entries.problem} />
        <FindForm find={find} attack={attack} />
        <Entries entries={await listedEntries(entries.entries)} mayAct={mayAct} />
        <More
          href={
            entries.cursor === null ? undefined : addressOf(PATH, { find, attack, cursor: entries.cursor })
          }
        />
        <section>
          <h2>{WORDS.rulings}</h2>
          <RulingTable rulings={listedRulings.rulings} isViewer={isViewer} />
        </section>
        <More
          href={listedRulings.next === undefined ? undefined : addressOf(PATH, { ruled: listedRulings.next })}
        />
        {mayAct ? (
          <div class="cards">
            {[...RULINGS, rebuild].map((act) => (
              <ActForms act={act} path={PATH} typed={typed}>
                {act === rebuild ? null : (
                  <Field
                    label={WORDS.fingerprint}
                    name="fingerprint"
                    value={typed?.form.fingerprint}
                    max={FINGERPRINT_CHARACTERS}
                    required
                  />
                )}
              </ActForms>
            ))}
          </div>
        ) : null}
        {isViewer ? null : <History entries={history} />}
      </Fragment>,
      {
        sub: (
          <State
            isShared={config.threatFeedEnabled}
            snapshot={snapshot}
            count={snapshot ? countEntries(snapshot) : 0}
            verifiedAt={clock.now() - feed.ageSeconds() * SECOND_MS}
          />
        ),
        notices: notices.take(visit, PATH),
        refused,
      },
    );
  };

  const showThreat = async (visit: Visit) => {
    const { fingerprint = '' } = visit.params;
    if (!isFingerprint(fingerprint)) throw refuse('NOT_FOUND', WORDS.noThreat);
    const isViewer = !hasRole(visit.operator.role, 'support');
    const mayAct = hasRole(visit.operator.role, 'operator');
    const snapshot = await readFeedSnapshot(db);
    const entry = snapshot && entryPage(snapshot, { limit: 1, beginning: fingerprint }).entries[0];
    const ruling = await rulings.find(fingerprint);
    const summary = (await readThreatSummaries(db, [fingerprint]))(fingerprint);
    const history = (await readFeedHistory(db, [fingerprint])).get(fingerprint);
    const [origins = []] = await readOrigins(db, [{ fingerprint }], clock.now());
    const attack = entry?.attack_type ?? history?.attackType ?? summary.attackType;
    return showPlace(
      visit,
      PLACES.feed,
      <div class="stack">
        <ThreatCard
          fingerprint={fingerprint}
          attack={attack}
          entry={entry}
          summary={summary}
          history={history}
          origins={origins}
          leavesAt={leavesAt(summary)}
        />
        <RulingCard
          path={PATH}
          fingerprint={fingerprint}
          ruling={ruling && (await listed(ruling, isViewer))}
          isViewer={isViewer}
          mayAct={mayAct}
        />
      </div>,
      { title: attack === undefined ? WORDS.threat : worded(attack) },
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
      const attack = (await attacksOf([fingerprint]))(fingerprint);
      const named = attack === undefined ? WORDS.threat : worded(attack);
      const ruled = done.notices.length > 0 ? done.notices.join(' ') : `${named} ${definition.done}.`;
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
    getAt(`${PATH}/threats/:fingerprint`, page(parts, 'viewer', showThreat)),
    postAt(`${PATH}/rebuild`, rebuildNow),
    ...RULINGS.map((act) => postAt(`${PATH}/${act.verb}`, rule(act))),
  ];
};
