/** What a token of PHP is. */
export type PhpTokenKind =
  | 'variable'
  | 'name'
  | 'number'
  | 'string'
  | 'template'
  | 'command'
  | 'operator'
  | 'html'
  | 'cast';

/** A piece of an interpolated string: literal text, or the name of the variable that is put in. */
export type TemplatePart =
  | { readonly text: string }
  /** With the key of the item that is put in, where that is a word of a superglobal. */
  | { readonly variable: string; readonly key?: string };

export interface PhpToken {
  readonly kind: PhpTokenKind;
  /**
   * Names lower-case and without a namespace, variables without `$`, strings with their escapes resolved,
   * everything else as it stands.
   */
  readonly text: string;
  /** Offset in the source. */
  readonly at: number;
  /** Of `template` (double quotes, heredoc) and `command` (back-ticks). */
  readonly parts?: readonly TemplatePart[];
  /** Whether a string has numeric escapes, which letters do not need. */
  readonly escaped?: true;
  /** Hexadecimal, octal and unicode escapes in the source of a text. */
  readonly escapes?: number;
}

export interface PhpComment {
  /** Cut to 200 characters. */
  readonly text: string;
  /** Offset in the source. */
  readonly at: number;
}

/** Reads on up to an offset. */
export type ReadTo = (end: number) => void;

/** What the lexer saw in addition to the tokens: marks of obfuscated code. */
export interface PhpSurface {
  readonly tokens: readonly PhpToken[];
  readonly comments: readonly PhpComment[];
  /** Whether any PHP was found at all. */
  readonly hasCode: boolean;
}
