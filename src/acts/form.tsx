/** @jsxImportSource hono/jsx */
import { type Child, Fragment } from 'hono/jsx';
import { DOMAIN_CHARACTERS_MAX } from '../domain/site/site-domain.ts';
import type { Form } from '../http/form.ts';
import { REASON_CHARACTERS_MAX } from '../operator/act.ts';
import { ActCard, Check, Choice, Field as Control } from '../pages/form.tsx';
import { addressOf, type Filters } from '../pages/query.ts';
import type { ActWords, FormWords } from './act.ts';
import { EMAIL_CHARACTERS_MAX, type Field, MOMENT_CHARACTERS_MAX } from './field.ts';

export const REASON = 'Reason, for the audit log';

/** The reason for an act, for the audit log. */
export const ReasonField = (props: { readonly value?: string | undefined; readonly required?: boolean }) => (
  <Control label={REASON} name="reason" max={REASON_CHARACTERS_MAX} {...props} />
);

/** The input of a refused form. */
export interface TypedAct {
  readonly verb: string;
  readonly form: Form;
}

/** Returns the maximum length of a field's control. */
function charactersOf(field: Field): number | undefined {
  switch (field.kind) {
    case 'number':
    case 'hours':
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
  readonly value?: string | undefined;
}) {
  const { name, field, value = field.first } = props;
  const { label = '', isOptional = false, first, hint } = field;
  switch (field.kind) {
    case 'flag':
      return <Check label={label} name={name} checked={value === '1'} />;
    case 'choice':
      return <Choice label={label} name={name} value={value} of={field.shown ?? field.words} />;
    case 'domains':
      return (
        <label>
          {label}
          <textarea name={name} autocomplete="off" spellcheck={false}>
            {value ?? ''}
          </textarea>
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
}: {
  readonly act: Shown;
  readonly words: FormWords;
  readonly values: Form;
}) => (
  <Fragment>
    {namesIn(act, words).map((name) => {
      const field = act.fields[name];
      return field && <FieldControl name={name} field={field} value={values[name]} />;
    })}
    <ReasonField value={values.reason} required={act.isReasonRequired === true} />
    {words.sure === undefined ? null : <Check label={words.sure} name="sure" required />}
  </Fragment>
);

/**
 * The forms of an act, each collapsed under its heading.
 *
 * @param props.was current values of its fields. Forms send them along, so that unchanged fields do not undo another operator's change.
 * @param props.first initial values of its fields
 * @param props.children controls that name the target
 */
export const ActForms = ({
  act,
  path,
  typed,
  was = {},
  first = {},
  children,
}: {
  readonly act: Shown & Pick<ActWords, 'verb' | 'title' | 'about' | 'submit' | 'forms' | 'isFinal'>;
  readonly path: string;
  readonly typed: TypedAct | undefined;
  readonly was?: Form;
  readonly first?: Form;
  readonly children?: Child;
}) => (
  <Fragment>
    {act.forms?.map((words) => {
      const { title = act.title, submit = act.submit ?? title, ask, about = act.about } = words;
      const kept = namesIn(act, words).filter((name) => was[name] !== undefined);
      const form = typed?.verb === act.verb ? typed.form : {};
      // Forms of one act differ in the current values that they send along.
      const isTyped =
        typed?.verb === act.verb &&
        (kept.length === 0 || kept.some((name) => form[`was_${name}`] !== undefined));
      const values: Form = { ...was, ...first, ...(isTyped ? form : {}) };
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
          {kept.map((name) => (
            <input type="hidden" name={`was_${name}`} value={values[`was_${name}`] ?? was[name]} />
          ))}
          {children}
          <ActFields act={act} words={words} values={values} />
        </ActCard>
      );
    })}
  </Fragment>
);

/** A button that does an act on one of several targets. */
export const ActButton = ({
  act: { verb, title, submit = title, button },
  path,
  query = {},
  subject,
  target,
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
    <button type="submit" class="quiet" aria-label={button?.label?.(subject) ?? `${submit}: ${subject}`}>
      {submit}
    </button>
  </form>
);
