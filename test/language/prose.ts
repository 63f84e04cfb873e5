import { Marked, type Token, type Tokens } from 'marked';

/** One passage of a document: a heading, a paragraph, an item of a list, a cell of a table. */
export interface Passage {
  readonly text: string;
  /** Code has no sentences, but its comments and messages are read. */
  readonly isCode: boolean;
}

const marked = new Marked();
const CODE_WORD = 'code';

/** Inline code counts as one word. */
function plain(tokens: readonly Token[] = []): string {
  return tokens
    .map((token) => {
      if (token.type === 'codespan') return CODE_WORD;
      if (token.type === 'br') return ' ';
      if ('tokens' in token && token.tokens) return plain(token.tokens);
      return 'text' in token ? token.text : '';
    })
    .join('');
}

const unescaped = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

function passagesIn(token: Token): Passage[] {
  const prose = (tokens: readonly Token[]): Passage[] => [
    { text: unescaped(plain(tokens)).replace(/\s+/g, ' ').trim(), isCode: false },
  ];
  switch (token.type) {
    case 'heading':
    case 'paragraph':
    case 'text':
      return prose(token.tokens ?? []);
    case 'code':
      return [{ text: (token as Tokens.Code).text, isCode: true }];
    case 'list':
      return (token as Tokens.List).items.flatMap(({ tokens }) => tokens.flatMap(passagesIn));
    case 'blockquote':
      return (token.tokens ?? []).flatMap(passagesIn);
    case 'table': {
      const { header, rows } = token as Tokens.Table;
      return [header, ...rows].flat().flatMap((cell) => prose(cell.tokens));
    }
    default:
      return [];
  }
}

/** The passages of a document in Markdown, in their order. */
export const passagesOf = (markdown: string): Passage[] => marked.lexer(markdown).flatMap(passagesIn);

/** A new sentence begins with a capital, a digit, code, or in brackets. */
const BETWEEN_SENTENCES = /(?<=[.!?]["')]*)\s+(?=["'(]*(?:[A-Z0-9]|code\b))/;

export const sentencesOf = (text: string): string[] => text.split(BETWEEN_SENTENCES);

export const wordsIn = (sentence: string): number =>
  sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
