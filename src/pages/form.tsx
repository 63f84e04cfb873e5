/** @jsxImportSource hono/jsx */
import { type Child, Fragment } from 'hono/jsx';
import { WORDS } from './words.ts';

/** The error of a field. */
export const FieldError = ({ name, text }: { readonly name: string; readonly text: string | undefined }) =>
  text === undefined ? (
    <Fragment />
  ) : (
    <span class="error" id={`error-${name}`} role="alert">
      {text}
    </span>
  );

const marked = (name: string, error: string | undefined) =>
  error === undefined ? {} : { 'aria-invalid': 'true' as const, 'aria-describedby': `error-${name}` };

/** A text input with a label. */
export const Field = (props: {
  readonly label: string;
  readonly name: string;
  readonly value?: string | undefined;
  readonly hint?: string | undefined;
  readonly max?: number | undefined;
  readonly required?: boolean;
  readonly error?: string | undefined;
}) => (
  <label>
    {props.label}
    <input
      {...marked(props.name, props.error)}
      name={props.name}
      value={props.value ?? ''}
      placeholder={props.hint}
      maxlength={props.max}
      required={props.required}
      autocomplete="off"
    />
    <FieldError name={props.name} text={props.error} />
  </label>
);

/** A select with a label. */
export const Choice = ({
  label,
  name,
  value,
  of,
  none,
  error,
}: {
  readonly label: string;
  readonly name: string;
  readonly value?: string | undefined;
  readonly of: readonly (string | readonly [value: string, words: string])[];
  /** Label of the empty option. Without it, there is none. */
  readonly none?: string;
  readonly error?: string | undefined;
}) => (
  <label>
    {label}
    <select {...marked(name, error)} name={name}>
      {none === undefined ? null : <option value="">{none}</option>}
      {of.map((each) => {
        const [chosen, words] = typeof each === 'string' ? [each, each] : each;
        return (
          <option value={chosen} selected={chosen === value}>
            {words}
          </option>
        );
      })}
    </select>
    <FieldError name={name} text={error} />
  </label>
);

export const Check = (props: {
  readonly label: string;
  readonly name: string;
  readonly checked?: boolean;
  readonly required?: boolean;
}) => (
  <label class="check">
    <input
      type="checkbox"
      name={props.name}
      value="1"
      checked={props.checked ?? false}
      required={props.required}
    />
    {props.label}
  </label>
);

/** The filters of a list, which become part of its URL. */
export const FilterBar = ({ action, children }: { readonly action: string; readonly children?: Child }) => (
  <form method="get" action={action} class="filters">
    {children}
    <button type="submit">{WORDS.filter}</button>
  </form>
);

/** A collapsed form under its heading. With `ask`, the script asks for confirmation before it is sent. */
export const ActCard = (props: {
  readonly title: string;
  readonly action: string;
  readonly submit: string;
  readonly about?: string | undefined;
  readonly ask?: string | undefined;
  readonly isOpen?: boolean;
  readonly isFinal?: boolean | undefined;
  readonly children?: Child;
}) => (
  <details class="card" open={props.isOpen ?? false}>
    <summary>{props.title}</summary>
    <form method="post" action={props.action} class="form" data-ask={props.ask}>
      {props.about === undefined ? null : <p class="quiet">{props.about}</p>}
      {props.children}
      <button type="submit" class={props.isFinal ? 'final' : undefined}>
        {props.submit}
      </button>
    </form>
  </details>
);
