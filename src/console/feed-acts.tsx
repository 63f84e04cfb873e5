/** @jsxImportSource hono/jsx */
import { Fragment } from 'hono/jsx';
import { ReasonField } from '../acts/form.tsx';
import type { Form } from '../http/form.ts';
import { ActCard, Check, Field } from '../pages/form.tsx';
import { PLACES } from './places.ts';
import { TEXTS } from './texts.ts';

const { path: PATH } = PLACES.feed;
const WORDS = TEXTS.feed;

/** What an operator does with a threat. */
export type FeedVerb = keyof typeof WORDS.acts;

const FINGERPRINT_CHARACTERS = 43;

/** The acts on the feed, each behind its heading. */
export const FeedActCards = ({
  form: { fingerprint, reason, rebuild },
  open,
}: {
  /** What was typed. */
  readonly form: Form;
  readonly open: FeedVerb | 'rebuild' | undefined;
}) => (
  <Fragment>
    {(Object.keys(WORDS.acts) as FeedVerb[]).map((verb) => {
      const { title, about, submit } = WORDS.acts[verb];
      return (
        <ActCard
          title={title}
          action={`${PATH}/${verb}`}
          submit={submit}
          about={about}
          isOpen={open === verb}
        >
          <Field
            label={WORDS.fingerprint}
            name="fingerprint"
            value={fingerprint}
            max={FINGERPRINT_CHARACTERS}
            required
          />
          <ReasonField value={open === verb ? reason : ''} required />
          <Check label={WORDS.rebuildToo} name="rebuild" checked={open === verb && rebuild !== undefined} />
        </ActCard>
      );
    })}
    <ActCard
      title={WORDS.rebuild}
      action={`${PATH}/rebuild`}
      submit={WORDS.rebuildSubmit}
      about={WORDS.rebuildAbout}
      isOpen={open === 'rebuild'}
    >
      <ReasonField value={open === 'rebuild' ? reason : ''} />
    </ActCard>
  </Fragment>
);
