/** @jsxImportSource hono/jsx */
import { PASSWORD_CHARACTERS_MAX, PASSWORD_CHARACTERS_MIN } from '../domain/admin/operator.ts';

/** A password field. `isNew` makes password managers suggest a new one. */
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

/** A field for a code of an authenticator app, or a recovery code. */
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
