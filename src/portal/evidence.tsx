/** @jsxImportSource hono/jsx */
import type { Static } from '@sinclair/typebox';
import { Fragment } from 'hono/jsx';
import { isRefusal, notRefused, type Refusal } from '../domain/refusal.ts';
import { getAt, postAt } from '../http/route/endpoint.ts';
import { Facts, noteWait, Problem, whole } from '../pages/html.tsx';
import { addressOf, type Filters, filtersOf } from '../pages/query.ts';
import { Time } from '../pages/time.tsx';
import type { EvidenceState } from '../routes/evidence.ts';
import { type AskedText, askText, askUnless } from './ask.ts';
import { credentialPages, newestCredentials } from './credentials.tsx';
import { answerText, mayGoOn } from './download.ts';
import { EntriesCard, readEntries } from './evidence-entries.tsx';
import { Gate } from './gate.tsx';
import { PLACES } from './places.ts';
import { acting, page } from './session.ts';
import { showPlace } from './show-page.tsx';
import { SITES_SHOWN, siteNames } from './site-names.ts';
import { filledIn, SpanFields, spanOf } from './span.tsx';
import { TEXTS } from './texts.ts';
import type { PortalParts, Visit } from './visit.ts';

const WORDS = TEXTS.evidence;
const { path: PATH, plan: PLAN } = PLACES.evidence;
const CHECKPOINT = `${PATH}/checkpoint`;
const EXPORT = `${PATH}/export`;

type State = Static<typeof EvidenceState>;

const LogCard = ({ state }: { readonly state: State }) => (
  <section class="card wide">
    <h2>{WORDS.log}</h2>
    <Facts
      of={[
        [WORDS.size, whole(state.size)],
        [WORDS.pending, whole(state.pending)],
        [WORDS.first, <Time at={Date.parse(state.first_at)} />],
        [WORDS.last, <Time at={Date.parse(state.last_at)} />],
        [WORDS.keptFrom, whole(state.retained_from)],
      ]}
    />
    {[
      [WORDS.origin, state.origin],
      [WORDS.root, state.root_hash],
      [WORDS.key, state.vkey],
    ].map(([name, text]) => (
      <p>
        {name}: <code>{text}</code>
      </p>
    ))}
    <p>{WORDS.keep}</p>
    <p>
      <a href={CHECKPOINT}>{WORDS.checkpoint}</a>
    </p>
  </section>
);

const ExportCard = ({ typed }: { readonly typed: Filters }) => (
  <section class="card wide">
    <h2>{WORDS.export}</h2>
    <p>
      {WORDS.exportAbout} <code>{WORDS.verify}</code>
    </p>
    <form method="post" action={EXPORT} class="form">
      <SpanFields typed={typed} />
      <button type="submit">{WORDS.download}</button>
    </form>
  </section>
);

/** Pages of the evidence log and the credentials of a license. */
export const evidencePages = (parts: PortalParts) => {
  /** @param refused a refused export, with the values of its form */
  const show = async (visit: Visit, refused?: { readonly refusal: Refusal; readonly typed: Filters }) => {
    const state = await askUnless<State>(['PLAN_REQUIRED'], parts, visit, '/evidence');
    const names = await siteNames(parts, visit, SITES_SHOWN);
    const { cursor } = filtersOf(visit.request, ['cursor']);
    const entries = isRefusal(state)
      ? state
      : await readEntries(parts, visit, { lastAt: state.last_at, cursor });
    const wrong = refused?.refusal ?? (isRefusal(entries) ? entries : undefined);
    if (wrong !== undefined) noteWait(visit.set, wrong);
    return showPlace(
      visit,
      PLACES.evidence,
      <Fragment>
        {isRefusal(state) ? (
          <Gate plan={PLAN} catalog={parts.catalog} caller={visit.caller} />
        ) : (
          <Problem text={wrong?.message} />
        )}
        <p>{WORDS.about}</p>
        <div class="cards">
          {isRefusal(state) ? null : (
            <Fragment>
              <LogCard state={state} />
              <ExportCard typed={refused?.typed ?? {}} />
              <EntriesCard found={entries} names={names} />
            </Fragment>
          )}
          {await newestCredentials(parts, visit, names)}
        </div>
      </Fragment>,
      { refused: wrong?.refused },
    );
  };

  const checkpoint = async (visit: Visit) => {
    const { text } = await askText(parts, visit, '/evidence/checkpoint');
    return answerText(visit, { name: 'evidence.checkpoint', type: 'text/plain;charset=utf-8', text });
  };

  /** Yields all pages of an export. Concatenated, they are verified as one file. */
  async function* pages(visit: Visit, first: AskedText) {
    for (let { text, next } = first; ; { text, next } = await askText(parts, visit, next)) {
      yield text;
      if (next === undefined) return;
    }
  }

  const download = acting(parts, async (visit, form) => {
    const typed = filledIn(form, ['since', 'until']);
    try {
      const span = notRefused(spanOf(typed));
      // Read before the response starts, so that a refusal can be shown as a page.
      const first = await askText(parts, visit, addressOf('/evidence/export', span));
      const file = { name: 'evidence.ndjson', type: 'application/x-ndjson', chunks: pages(visit, first) };
      return parts.portal.downloads.send(visit.set, file, mayGoOn(parts, visit), visit.caller.license.id);
    } catch (refusal) {
      if (isRefusal(refusal)) return show(visit, { refusal, typed });
      throw refusal;
    }
  });

  return [
    getAt(
      PATH,
      page(parts, (visit) => show(visit)),
    ),
    getAt(CHECKPOINT, page(parts, checkpoint)),
    postAt(EXPORT, download),
    ...credentialPages(parts),
  ];
};
