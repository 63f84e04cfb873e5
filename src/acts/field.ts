import type { Role } from '../domain/admin/operator.ts';

// The inputs of acts as data, from which bodies, commands and forms are rendered. This file does not import the renderers.

export const MOMENT_CHARACTERS_MAX = 40;
export const EMAIL_CHARACTERS_MAX = 254;

interface FieldWords {
  /** Its description in the contract. */
  readonly about?: string;
  /** The description in the contract of a nullable field. */
  readonly aboutNull?: string;
  /** Its command-line option. Without it, the command does not have the field. */
  readonly flags?: string;
  /** The description of that option. Default: `about`. */
  readonly help?: string;
  /** The default of that option. */
  readonly fallback?: string;
  /** The option value that means null. */
  readonly nullWord?: string;
  /** Its label in the form. Without it, the form does not have the field. */
  readonly label?: string;
  /** The initial value in the form. */
  readonly first?: string;
  /** The placeholder in the form. */
  readonly hint?: string;
  /** The minimum role for setting it, if higher than the role for the act. */
  readonly role?: Role;
}

type Kind =
  | {
      readonly kind: 'choice';
      readonly words: readonly string[];
      /** The contract's type with these words. */
      readonly type?: ContractType;
      /** Words with their labels in the form, in order. */
      readonly shown?: readonly (readonly [word: string, words: string])[];
    }
  | { readonly kind: 'flag' }
  /** `what`: the name of the number in command-line errors. */
  | { readonly kind: 'number'; readonly max: number; readonly what: string }
  /** `24h` or `7d` on a command line. */
  | { readonly kind: 'hours'; readonly max: number; readonly what: string }
  | { readonly kind: 'line'; readonly max: number }
  | { readonly kind: 'email' }
  | { readonly kind: 'moment' }
  /** `isBound`: whether the domain counts as a site. Development hosts do only for surface scans. */
  | { readonly kind: 'domain'; readonly isBound: boolean }
  | { readonly kind: 'domains'; readonly max: number }
  | { readonly kind: 'modules' }
  /** One or more of `words`; checkboxes in a form. */
  | { readonly kind: 'choices'; readonly words: readonly string[] }
  /** Up to `items` lines of text. */
  | { readonly kind: 'lines'; readonly max: number; readonly items: number }
  /** Licenses by their names. */
  | { readonly kind: 'licenses'; readonly max: number }
  /** `15m`, `24h` or `7d` on a command line. */
  | { readonly kind: 'minutes'; readonly max: number; readonly what: string }
  /** Certificates in PEM; on a command line, the path of their file. */
  | { readonly kind: 'certificates'; readonly max: number };

export type ContractType = 'Plan' | 'Hold';

declare const VALUE: unique symbol;

/** An input of an act, with the type of its value. */
export type Field<Value = unknown> = FieldWords &
  Kind & {
    readonly isOptional?: true;
    readonly isNullable?: true;
    readonly [VALUE]?: Value;
  };

/** Fields by their names in a body. */
export type FieldsOf<Input> = { readonly [Name in keyof Input]: Field<Input[Name]> };
export type InputOf<Of extends Fields> = {
  readonly [Name in keyof Of]: Of[Name] extends Field<infer Value> ? Value : never;
};
export type Fields = Readonly<Record<string, Field>>;

type Of<Name extends Kind['kind']> = FieldWords & Omit<Extract<Kind, { kind: Name }>, 'kind'>;

export const choice = <Word extends string>(
  words: readonly Word[],
  field: Omit<Of<'choice'>, 'words'>,
): Field<Word> => ({ kind: 'choice', words, ...field });

export const flag = (field: Of<'flag'>): Field<boolean | undefined> => ({
  kind: 'flag',
  isOptional: true,
  ...field,
});

export const number = (field: Of<'number'>): Field<number> => ({ kind: 'number', ...field });
export const hours = (field: Of<'hours'>): Field<number> => ({ kind: 'hours', ...field });
/** One line of text. */
export const line = (field: Of<'line'>): Field<string> => ({ kind: 'line', ...field });
export const email = (field: Of<'email'>): Field<string> => ({ kind: 'email', ...field });
/** A time in milliseconds since the Unix epoch. */
export const moment = (field: Of<'moment'>): Field<number> => ({ kind: 'moment', ...field });
/** Normalized. */
export const domain = (field: Of<'domain'>): Field<string> => ({ kind: 'domain', ...field });
export const domains = (field: Of<'domains'>): Field<readonly string[]> => ({ kind: 'domains', ...field });
export const modules = (field: Of<'modules'>): Field<readonly string[]> => ({ kind: 'modules', ...field });

export const choices = <Word extends string>(
  words: readonly Word[],
  field: Omit<Of<'choices'>, 'words'>,
): Field<readonly Word[]> => ({ kind: 'choices', words, ...field });
export const lines = (field: Of<'lines'>): Field<readonly string[]> => ({ kind: 'lines', ...field });
/** License ids. */
export const licenses = (field: Of<'licenses'>): Field<readonly number[]> => ({ kind: 'licenses', ...field });
export const minutes = (field: Of<'minutes'>): Field<number> => ({ kind: 'minutes', ...field });
export const certificates = (field: Of<'certificates'>): Field<string> => ({
  kind: 'certificates',
  ...field,
});

/** Overrides words of a field. */
export const worded = <Value>(field: Field<Value>, words: FieldWords): Field<Value> => ({
  ...field,
  ...words,
});

export const optional = <Value>(field: Field<Value>): Field<Value | undefined> => ({
  ...field,
  isOptional: true,
});

/** Makes a field optional and nullable. `nullWord` is null on a command line. */
export const nullable = <Value>(field: Field<Value>, nullWord?: string): Field<Value | null | undefined> => ({
  ...field,
  ...(nullWord === undefined ? {} : { nullWord }),
  isOptional: true,
  isNullable: true,
});
