/** @jsxImportSource hono/jsx */
import type { Static } from '@sinclair/typebox';
import { Fragment } from 'hono/jsx';
import { isRefusal, type Refusal } from '../domain/refusal.ts';
import { Facts } from '../pages/html.tsx';
import type { SiteTrust } from '../routes/site-trust.ts';
import { PLACES } from './places.ts';
import { When } from './site-parts.tsx';
import { TEXTS } from './texts.ts';

const WORDS = TEXTS.trust;

export type Trust = Static<typeof SiteTrust>;

const yesOrNo = (is: boolean): string => (is ? WORDS.yes : WORDS.no);

const Shown = ({ trust }: { readonly trust: Trust }) => (
  <Fragment>
    <Facts
      of={[
        [WORDS.shown, yesOrNo(trust.enabled)],
        [WORDS.grade, trust.enabled ? yesOrNo(trust.show_grade) : null],
        [
          WORDS.state,
          trust.state && (
            <span class={`badge ${trust.state === 'assessed' ? 'good' : 'warn'}`}>
              {WORDS.states[trust.state]}
            </span>
          ),
        ],
        [WORDS.why, trust.problem && WORDS.problems[trust.problem]],
        [WORDS.until, trust.current_until && <When at={trust.current_until} />],
        [WORDS.page, trust.enabled && trust.page_url ? <code>{trust.page_url}</code> : null],
      ]}
    />
    {trust.enabled && trust.embed_html !== null ? (
      <Fragment>
        <p>{WORDS.code}</p>
        <pre class="value">{trust.embed_html}</pre>
      </Fragment>
    ) : null}
    <p class="quiet">
      {`${WORDS.how} `}
      <a href={PLACES.api.path}>{PLACES.api.words}</a>.
    </p>
  </Fragment>
);

/** What the public sees of a site. */
export const TrustCard = ({ trust }: { readonly trust: Trust | Refusal }) => (
  <section class="card wide">
    <h2>{WORDS.title}</h2>
    <p>{WORDS.about}</p>
    {isRefusal(trust) ? <p>{trust.message}</p> : <Shown trust={trust} />}
  </section>
);
