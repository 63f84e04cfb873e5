/** @jsxImportSource hono/jsx */
import { type Child, Fragment } from 'hono/jsx';
import type { Refusal } from '../domain/refusal.ts';
import { DOMAIN_CHARACTERS_MAX } from '../domain/site/site-domain.ts';
import type { Form } from '../http/form.ts';
import { asSentence } from '../lib/sentence.ts';
import { REASON_CHARACTERS_MAX } from '../operator/act.ts';
import { ActCard, Check, Choice, Field as Control, FieldError } from '../pages/form.tsx';
import { Problem } from '../pages/html.tsx';
import { addressOf, type Filters } from '../pages/query.ts';
import type { ActWords, FormWords } from './act.ts';
import { EMAIL_CHARACTERS_MAX, type Field, MOMENT_CHARACTERS_MAX } from './field.ts';

export const REASON = 'Reason, for the audit log';

export const ReasonField = (props: {
  readonly value?: string | undefined;
  readonly required?: boolean;
  readonly error?: string | undefined;
}) => <Control label={REASON} name="reason" max={REASON_CHARACTERS_MAX} {...props} />;

/** A submitted form that was refused. */
export interface TypedAct {
  readonly verb: string;
  readonly form: Form;
  /** Set for forms that show the error next to the field. */
  readonly refusal?: Refusal;
}

interface FormError {
  /** The name of the control; undefined = an error of the whole form. */
  readonly at: string | undefined;
  readonly text: string;
}

/** Finds the control that a refusal is about. */
function errorIn(names: readonly string[], { message }: Refusal): FormError {
  const ofReason = `${REASON}: `;
  if (message.startsWith(ofReason)) return { at: 'reason', text: asSentence(message.slice(ofReason.length)) };
  const [, name = '', rest = ''] = /^([a-z_]+)(?:\[\d+\])?: (.+)$/s.exec(message) ?? [];
  return names.includes(name)
    ? { at: name, text: asSentence(inWords(rest)) }
    : { at: undefined, text: message };
}

/** Messages of the schema check, and the texts that forms show instead. */
const WORDS: readonly (readonly [reported: RegExp, shown: string])[] = [
  [/^Expected required property$/, 'enter a value'],
  [/^Expected integer$/, 'enter a whole number'],
  [/^Expected string to match.*/s, 'is malformed'],
  [/^Expected (?=one of )/, 'choose '],
  [/^Expected /, 'enter '],
];
const inWords = (problem: string): string =>
  WORDS.reduce((text, [reported, shown]) => text.replace(reported, shown), problem);

/** Returns the maximum length of a field's control. */
function charactersOf(field: Field): number | undefined {
  switch (field.kind) {
    case 'number':
    case 'hours':
    case 'minutes':
      return String(field.max).length;
    case 'line':
      return field.max;
    case 'email':
      return EMAIL_CHARACTERS_MAX;
    case 'moment':
      return MOMENT_CHARACTERS_MAX;
    case 'domain':
      return DOMAIN_CHARACTERS_MAX;
    default:
      return undefined;
  }
}

function FieldControl(props: {
  readonly name: string;
  readonly field: Field;
  readonly values: Form;
  readonly error: string | undefined;
}) {
  const { name, field, values, error } = props;
  const value = values[name] ?? field.first;
  const { label = '', isOptional = false, first, hint } = field;
  switch (field.kind) {
    case 'flag':
      return <Check label={label} name={name} checked={value === '1'} />;
    case 'choice':
      return <Choice label={label} name={name} value={value} of={field.shown ?? field.words} error={error} />;
    case 'choices':
      return (
        <details open={error !== undefined}>
          <summary>{label}</summary>
          <FieldError name={name} text={error} />
          {field.words.map((word) => (
            <Check label={word} name={`${name}:${word}`} checked={values[`${name}:${word}`] === '1'} />
          ))}
        </details>
      );
    case 'domains':
    case 'lines':
    case 'licenses':
    case 'certificates':
      return (
        <label>
          {label}
          <textarea name={name} autocomplete="off" spellcheck={false}>
            {value ?? ''}
          </textarea>
          <FieldError name={name} text={error} />
        </label>
      );
    default:
      return (
        <Control
          label={label}
          name={name}
          value={value}
          hint={hint}
          max={charactersOf(field)}
          required={!isOptional || first !== undefined}
          error={error}
        />
      );
  }
}

type Shown = Pick<ActWords, 'fields' | 'isReasonRequired'>;

const namesIn = ({ fields }: Shown, words: FormWords): readonly string[] =>
  words.fields ?? Object.keys(fields).filter((name) => fields[name]?.label !== undefined);

/** The controls of a form, including the reason. */
export const ActFields = ({
  act,
  words,
  values,
  refusal,
}: {
  readonly act: Shown;
  readonly words: FormWords;
  readonly values: Form;
  /** Shown at the field that it names. */
  readonly refusal?: Refusal | undefined;
}) => {
  const names = namesIn(act, words);
  const error = refusal && errorIn(names, refusal);
  const errorAt = (name: string) => (error?.at === name ? error.text : undefined);
  return (
    <Fragment>
      <Problem text={error?.at === undefined ? error?.text : undefined} />
      {names.map((name) => {
        const field = act.fields[name];
        return field && <FieldControl name={name} field={field} values={values} error={errorAt(name)} />;
      })}
      <ReasonField value={values.reason} required={act.isReasonRequired === true} error={errorAt('reason')} />
      {words.sure === undefined ? null : <Check label={words.sure} name="sure" required />}
    </Fragment>
  );
};

type ShownForms = Shown & Pick<ActWords, 'verb' | 'title' | 'about' | 'submit' | 'forms' | 'isFinal'>;

/** Returns the values of a form, and the names of the fields whose current value is submitted along with them. */
function valuesOf(
  act: ShownForms,
  words: FormWords,
  { was, first, typed }: { readonly was: Form; readonly first: Form; readonly typed: TypedAct | undefined },
) {
  const kept = namesIn(act, words).filter((name) => was[name] !== undefined);
  const isTyped = typed?.verb === act.verb;
  return { kept, isTyped, values: { ...was, ...first, ...(isTyped ? typed.form : {}) } as Form };
}

const Kept = (props: { readonly kept: readonly string[]; readonly values: Form; readonly was: Form }) => (
  <Fragment>
    {props.kept.map((name) => (
      <input type="hidden" name={`was_${name}`} value={props.values[`was_${name}`] ?? props.was[name]} />
    ))}
  </Fragment>
);

/**
 * One form of an act as an open card, with a link that closes it. Errors are shown at their fields.
 *
 * @param props.words one of the act's
 * @param props.was current values of its fields. The form sends them along, so that unchanged fields do not undo another operator's change.
 * @param props.first initial values of its fields
 * @param props.close the link that closes the form
 */
export const ActPanel = (props: {
  readonly act: ShownForms;
  readonly words: FormWords;
  readonly path: string;
  readonly typed: TypedAct | undefined;
  readonly was?: Form;
  readonly first?: Form;
  readonly close: { readonly href: string; readonly words: string };
}) => {
  const { act, words, path, typed, was = {}, first = {}, close } = props;
  const { title = act.title, submit = act.submit ?? title, ask, about = act.about } = words;
  const { kept, values, isTyped } = valuesOf(act, words, { was, first, typed });
  return (
    <section class="card" id="act">
      <h2>{title}</h2>
      {about ? <p class="quiet">{about}</p> : null}
      <form method="post" action={`${path}/${act.verb}`} class="form" data-ask={ask}>
        <Kept kept={kept} values={values} was={was} />
        <ActFields act={act} words={words} values={values} refusal={isTyped ? typed?.refusal : undefined} />
        <div class="acts">
          <button type="submit" class={act.isFinal ? 'final' : undefined}>
            {submit}
          </button>
          <a class="button quiet" href={close.href}>
            {close.words}
          </a>
        </div>
      </form>
    </section>
  );
};

/**
 * The forms of an act, each collapsed under its heading.
 *
 * @param props.children controls that name the target
 */
export const ActForms = ({
  act,
  path,
  typed,
  children,
}: {
  readonly act: ShownForms;
  readonly path: string;
  readonly typed: TypedAct | undefined;
  readonly children?: Child;
}) => (
  <Fragment>
    {act.forms?.map((words) => {
      const { title = act.title, submit = act.submit ?? title, ask, about = act.about } = words;
      const { values, isTyped } = valuesOf(act, words, { was: {}, first: {}, typed });
      return (
        <ActCard
          title={title}
          submit={submit}
          action={`${path}/${act.verb}`}
          isOpen={isTyped}
          isFinal={act.isFinal}
          about={about || undefined}
          ask={ask}
        >
          {children}
          <ActFields act={act} words={words} values={values} />
        </ActCard>
      );
    })}
  </Fragment>
);

/** A button for an act on one of several listed targets. */
export const ActButton = ({
  act: { verb, title, submit = title, button },
  path,
  query = {},
  subject,
  target,
  isMain = false,
  children,
}: {
  readonly act: Pick<ActWords, 'verb' | 'title' | 'submit' | 'button'>;
  readonly path: string;
  /** The query of the next page. */
  readonly query?: Filters;
  /** The target, for screen readers. */
  readonly subject: string;
  /** Hidden fields that name the target. */
  readonly target: Form;
  /** Whether it is the primary button. */
  readonly isMain?: boolean;
  readonly children?: Child;
}) => (
  <form
    method="post"
    action={addressOf(`${path}/${verb}`, query)}
    class="acts"
    data-ask={button?.ask?.(subject)}
  >
    {Object.entries(target).map(([name, value]) => (
      <input type="hidden" name={name} value={value} />
    ))}
    {children}
    <button
      type="submit"
      class={isMain ? undefined : 'quiet'}
      aria-label={button?.label?.(subject) ?? `${submit}: ${subject}`}
    >
      {submit}
    </button>
  </form>
);
