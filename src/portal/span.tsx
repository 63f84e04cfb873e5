/** @jsxImportSource hono/jsx */
import { Fragment } from 'hono/jsx';
import { type Refusal, refuse } from '../domain/refusal.ts';
import type { Form } from '../http/form.ts';
import { iso } from '../lib/clock.ts';
import { parseDayOrTimestamp } from '../lib/timestamp.ts';
import { Field } from '../pages/form.tsx';
import type { Filters } from '../pages/query.ts';
import { TEXTS } from './texts.ts';

const WORDS = TEXTS.events;
const CHARACTERS_MAX = 253;

/** Parses the time range of a form. A date means its start in UTC. */
export function spanOf(filters: Filters): Filters | Refusal {
  const span: Record<string, string> = {};
  for (const name of ['since', 'until'] as const) {
    const text = filters[name];
    if (text === undefined) continue;
    const at = parseDayOrTimestamp(text);
    if (at === undefined) return refuse('INVALID_QUERY', WORDS.noMoment(WORDS[name]));
    span[name] = iso(at);
  }
  return span;
}

/** Returns the filters of a form. Blank and overlong values are ignored. */
export const filledIn = (form: Form, names: readonly string[]): Filters =>
  Object.fromEntries(
    names
      .map((name) => [name, form[name]?.trim() ?? ''] as const)
      .filter(([, value]) => value !== '' && value.length <= CHARACTERS_MAX),
  );

/** The fields of a time range. */
export const SpanFields = ({ typed }: { readonly typed: Filters }) => (
  <Fragment>
    {(['since', 'until'] as const).map((name) => (
      <Field label={WORDS[name]} name={name} value={typed[name]} hint={WORDS.dayHint} max={40} />
    ))}
  </Fragment>
);
