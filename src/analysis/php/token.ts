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
  /** Whether a string is written with numeric escapes, which nobody needs for letters. */
  readonly escaped?: true;
  /** Hexadecimal, octal and unicode escapes in the source of a text. */
  readonly escapes?: number;
}

export interface PhpComment {
  /** Cut to 200 characters. */
  readonly text: string;
  /** Offset in the source. */
  readonly at: number;
  /** Whether code goes on behind it in the same line. */
  readonly isInline: boolean;
}

/** Reads on up to an offset. */
export type ReadTo = (end: number) => void;

/** What the lexer saw besides the tokens: the marks of code that is meant not to be read. */
export interface PhpSurface {
  readonly tokens: readonly PhpToken[];
  readonly comments: readonly PhpComment[];
  /** Whether any PHP was found at all. */
  readonly hasCode: boolean;
}
