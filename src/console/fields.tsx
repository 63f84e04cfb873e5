/** @jsxImportSource hono/jsx */
import { PASSWORD_CHARACTERS_MAX, PASSWORD_CHARACTERS_MIN } from '../domain/admin/operator.ts';
import { REASON_CHARACTERS_MAX } from '../operator/act.ts';
import { Field } from '../pages/form.tsx';
import { TEXTS } from './texts.ts';

/** A password, of which the browser knows whether it is a new one. */
export const PasswordField = ({
  words,
  name = 'password',
  isNew = false,
}: {
  readonly words: string;
  readonly name?: string;
  readonly isNew?: boolean;
}) => (
  <label>
    {words}
    <input
      name={name}
      type="password"
      autocomplete={isNew ? 'new-password' : 'current-password'}
      required
      minlength={isNew ? PASSWORD_CHARACTERS_MIN : undefined}
      maxlength={PASSWORD_CHARACTERS_MAX}
    />
  </label>
);

/** Why an act is done, for the audit log. */
export const ReasonField = ({
  value,
  required = false,
}: {
  readonly value?: string | undefined;
  readonly required?: boolean;
}) => (
  <Field label={TEXTS.reason} name="reason" value={value} max={REASON_CHARACTERS_MAX} required={required} />
);

/** Where a code of an authenticator app is typed, or one of those kept for its loss. */
export const CodeField = ({ words }: { readonly words: string }) => (
  <label>
    {words}
    <input
      name="code"
      autocomplete="one-time-code"
      autocapitalize="none"
      spellcheck={false}
      required
      maxlength={40}
    />
  </label>
);
