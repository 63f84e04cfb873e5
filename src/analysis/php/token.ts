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

/** A part of an interpolated string: literal text or a variable. */
export type TemplatePart =
  | { readonly text: string }
  /** With a key if it is an item of a superglobal. */
  | { readonly variable: string; readonly key?: string };

export interface PhpToken {
  readonly kind: PhpTokenKind;
  /**
   * Names lower-case and without a namespace, variables without `$`, strings with their escapes resolved,
   * other tokens verbatim.
   */
  readonly text: string;
  /** Offset in the source. */
  readonly at: number;
  /** Set for `template` (double quotes, heredoc) and `command` (backticks). */
  readonly parts?: readonly TemplatePart[];
  /** Whether it contains numeric escapes of printable characters. */
  readonly escaped?: true;
  /** Number of numeric escapes. */
  readonly escapes?: number;
}

export interface PhpComment {
  /** Cut to 200 characters. */
  readonly text: string;
  /** Offset in the source. */
  readonly at: number;
}

/** Reads up to an offset. */
export type ReadTo = (end: number) => void;

/** The result of the lexer. */
export interface PhpSurface {
  readonly tokens: readonly PhpToken[];
  readonly comments: readonly PhpComment[];
  /** Whether any PHP was found. */
  readonly hasCode: boolean;
}
