import { decodeUrl } from '../decode.ts';
import type { Signal } from '../signal.ts';
import { withoutQuotedCode } from '../words.ts';
import type { Field } from './fields.ts';
import { REQUEST } from './signals.ts';

/** Names of fields that people write into, in the languages of the shops and forms that are asked about most. */
const WRITING =
  /(?:^|[_\-[.])(?:content|comments?|body|text|texte|testo|texto|message|msg|nachricht|mensaje|messaggio|description|desc|beschreibung|bio|about|notes?|notiz|title|titel|titre|subject|betreff|question|frage|anliegen|answer|reply|antwort|review|feedback|excerpt|summary|details|instructions|caption|signature|anmerkung|bemerkung|reason|exception|error|value)\d{0,3}\]?$/i;
/** Names of fields that hold code for a purpose of their own. */
const CODE =
  /(?:^|[_\-[.])(?:code|source|snippet|sql|query|statement|css|custom_css|html|markup|template|jql|filters?|fq|criteria|condition|expr|expression|formula|latex|regex|script-sample)\]?$/i;
const SECRET = /pass(?:word|wd|wort)?|pwd|kennwort|secret|mot_?de_?passe|contrase|pin$/i;
const PICTURE =
  /(?:^|[_\-[.])(?:u|url|uri|src|image|img|photo|foto|avatar|logo|icon|thumb(?:nail)?|picture|poster|media)\d{0,3}\]?$/i;
const OWN_PLACE = /redirect|return|website|homepage|origin|referr?er|site|blog|next|continue|success|cancel/i;

/** What people mention when they write of programs: alarming where a parameter should be, none of it in a sentence. */
const MENTIONED: readonly Signal[] = [
  REQUEST.sqlStatement,
  REQUEST.sqlStacked,
  REQUEST.sqlOrder,
  REQUEST.sqlTautology,
  REQUEST.sqlCondition,
  REQUEST.sqlSubselect,
  REQUEST.sqlFunction,
  REQUEST.sqlHidden,
  REQUEST.shellCommand,
  REQUEST.shellSubstitution,
  REQUEST.shellDirect,
  REQUEST.shellPath,
  REQUEST.sensitiveFile,
  REQUEST.absolutePath,
  REQUEST.traversalStep,
  REQUEST.ssrfInternal,
  REQUEST.xssCode,
  REQUEST.phpCall,
  REQUEST.expression,
  REQUEST.templateMarks,
  REQUEST.noSqlCode,
  REQUEST.xpath,
  REQUEST.mailHeader,
];
const IN_WRITING: ReadonlySet<Signal> = new Set(MENTIONED);
/** A script element that would run: one that is closed, or loads its script. */
const RUNNING_SCRIPT = /<\s{0,5}\/\s{0,5}script|<script[^<>]{1,200}src/i;
const IN_WRITING_OF_SCRIPTS: ReadonlySet<Signal> = new Set([...MENTIONED, REQUEST.xssScript]);
const IN_CODE: ReadonlySet<Signal> = new Set([
  REQUEST.sqlStatement,
  REQUEST.sqlOrder,
  REQUEST.sqlSubselect,
  REQUEST.sqlTautology,
  REQUEST.sqlFunction,
  REQUEST.sqlSchema,
  REQUEST.traversalStep,
  REQUEST.templateMarks,
  REQUEST.xssCode,
]);
/** What pages are made of, and so what is saved when one is written. */
const MARKUP: readonly Signal[] = [
  REQUEST.xssScript,
  REQUEST.xssHandler,
  REQUEST.xssAttribute,
  REQUEST.xssElement,
  REQUEST.xssMarkup,
  REQUEST.xssStyle,
  REQUEST.xssCode,
];
const IN_EDITOR: ReadonlySet<Signal> = new Set([...MENTIONED, ...MARKUP]);
const IN_LISTING: ReadonlySet<Signal> = new Set([
  ...MENTIONED,
  ...MARKUP,
  REQUEST.sqlSchema,
  REQUEST.traversalDeep,
]);
/** What an article of some length tells of attacks; what would run in its reader's browser is no telling. */
const IN_ARTICLE: ReadonlySet<Signal> = new Set([
  ...MENTIONED,
  REQUEST.sqlUnion,
  REQUEST.sqlBreak,
  REQUEST.sqlEnd,
  REQUEST.sqlDelay,
  REQUEST.sqlSchema,
  REQUEST.traversalDeep,
  REQUEST.traversalHidden,
  REQUEST.streamWrapper,
]);
const IN_LINES: ReadonlySet<Signal> = new Set([REQUEST.headerSplit, REQUEST.mailHeader]);
const IN_REPORT: ReadonlySet<Signal> = new Set([REQUEST.xssScript, REQUEST.xssHandler, REQUEST.xssCode]);
const IN_DOCUMENT: ReadonlySet<Signal> = new Set([
  REQUEST.sensitiveFile,
  REQUEST.absolutePath,
  REQUEST.traversalStep,
]);
const IN_SECRET: ReadonlySet<Signal> = new Set([
  REQUEST.sqlStacked,
  REQUEST.sqlEnd,
  REQUEST.sqlCondition,
  REQUEST.sqlHidden,
]);
const IN_PICTURE: ReadonlySet<Signal> = new Set([REQUEST.remoteFile]);
const IN_OWN_PLACE: ReadonlySet<Signal> = new Set([REQUEST.ssrfInternal]);
const NOTHING: ReadonlySet<Signal> = new Set();

/** Several lines, as a configuration or a calendar has them. */
const DOCUMENT = /^[^<][^\n]*\n[^\n]+\n[^\n]+\n/;
/** A quote, and at the end a comment that cuts off the rest of a statement: what stands before is for show. */
const isCutOff = (text: string): boolean =>
  /['")]/.test(text) && /(?:--[\s+-]*|#|\/\*)$/.test(text.slice(-8));
/** A statement from its first word on: an injection comes behind the beginning of one. */
const STATEMENT = /^\s*(?:select|insert|update|delete|create|with)\s/i;
const SECRET_CHARS_MAX = 64;
/** Words that a sentence needs, fewer where people are known to write. */
const WORDS_MIN = 8;
const NAMED_WORDS_MIN = 4;
const ARTICLE_WORDS_MIN = 20;
const CHARS_PER_WORD = 16;
const NAMED_CHARS_PER_WORD = 30;
const SAMPLE_CHARS = 4_000;
const WORD = /(?:^|[\s("'])(\p{L}{2,20})(?=[\s.,;!?)"']|:(?!\/\/)|$)/gu;
const SQL_WORDS = new Set(
  'and or not union all select from where having order group by like in is null limit as case when then else end distinct insert into update set delete exists between count concat sleep benchmark char exec declare table information_schema users password username admin asc desc values drop waitfor delay'.split(
    ' ',
  ),
);

const isBody = ({ kind, name }: Field): boolean =>
  kind === 'body' || (kind === 'whole' && name !== undefined);

/** The name with its words apart. */
const nameOf = ({ name }: Field): string => (name ?? '').replace(/([a-z])([A-Z])/g, '$1_$2');

/** What a request as a whole says of its fields. */
export interface Purpose {
  /** An editor saves a page of WordPress, with the token that its session was given. */
  readonly isEditing: boolean;
  /** Code is sent with the name of its language. */
  readonly isListing: boolean;
}

const EDITING =
  /^(?:POST|PUT|PATCH) \S{0,300}\/(?:wp-admin\/(?:post|customize|widgets)\.php|wp-json\/wp\/v2\/(?:posts|pages|blocks|templates|template-parts|widgets|navigation)\b)/;
const TOKEN = /^x-wp-nonce:|(?:^|&)(?:_wp)?nonce=/im;
const LANGUAGE =
  /^(?:javascript|js|typescript|ts|jsx|tsx|python3?|py|html?|xml|css|scss|sql|bash|sh|shell|powershell|ruby|go|java|kotlin|json|ya?ml|c|cpp|csharp|rust|perl|lua|markdown|md|text|plain|plaintext)$/i;

/** What a request is for; `content` is all of it, `fields` its values. */
export const purposeOf = (content: string, fields: readonly Field[]): Purpose => ({
  isEditing: EDITING.test(content) && TOKEN.test(content),
  isListing: fields.some(
    ({ kind, name, value }) =>
      kind === 'body' &&
      /^(?:lang|language|syntax|mode|highlight|snippet_type)$/i.test(name ?? '') &&
      LANGUAGE.test(value),
  ),
});

/** Findings that say nothing in this field, for what it is for. `text` is its value, decoded. */
export function ordinaryIn(field: Field, text: string, purpose: Purpose): ReadonlySet<Signal> {
  const name = nameOf(field);
  if (SECRET.test(name)) return text.length <= SECRET_CHARS_MAX && !/\s/.test(text) ? IN_SECRET : NOTHING;
  if (
    PICTURE.test(name) &&
    /^https?:\/\/[\w.-]+\.[a-z]{2,}\/[^?#]{0,1000}\.(?:jpe?g|png|gif|webp|ico)$/i.test(text)
  )
    return IN_PICTURE;
  if (OWN_PLACE.test(name) && /^https?:\/\/(?:localhost|127\.0\.0\.1)(?::\d+)?(?:[/?#]|$)/i.test(text))
    return IN_OWN_PLACE;
  if (field.where === 'the body' && DOCUMENT.test(text)) return IN_DOCUMENT;
  if (isBody(field) && purpose.isEditing && WRITING.test(name)) return IN_EDITOR;
  if (isBody(field) && purpose.isListing && CODE.test(name)) return IN_LISTING;
  if (!isBody(field) || isCutOff(text)) return NOTHING;
  if (name === 'script-sample') return IN_REPORT;
  if (isWriting(field, text)) {
    if (wordsOf(text) >= ARTICLE_WORDS_MIN) return IN_ARTICLE;
    return RUNNING_SCRIPT.test(text) ? IN_WRITING : IN_WRITING_OF_SCRIPTS;
  }
  if (CODE.test(name) || STATEMENT.test(text)) return IN_CODE;
  return DOCUMENT.test(text) && !/mail|from|name|subject|^to$/i.test(name) ? IN_LINES : NOTHING;
}

/** Words of a text that are no keywords, counted in its beginning. */
function wordsOf(text: string): number {
  let words = 0;
  for (const [, word = ''] of text.slice(0, SAMPLE_CHARS).matchAll(WORD))
    if (!SQL_WORDS.has(word.toLowerCase())) words++;
  return words;
}

/** Whether a value is made of sentences, for all that may be quoted in them. */
function isWriting(field: Field, value: string): boolean {
  if (!/\s/.test(value)) return false;
  const text = value.slice(0, SAMPLE_CHARS).replace(/<[!/a-z][^<>]{0,400}>/gi, ' ');
  const isNamed = WRITING.test(nameOf(field));
  const words = wordsOf(text);
  return isNamed
    ? words >= NAMED_WORDS_MIN && words * NAMED_CHARS_PER_WORD > text.length
    : words >= WORDS_MIN && words * CHARS_PER_WORD > text.length;
}

/** Pictures, fonts and the like, written into an address. */
const INLINE_FILE =
  /data:(?:image\/(?!svg)|font\/|audio\/|video\/|application\/(?:pdf|font|octet))[\w.+-]{0,40};base64,[A-Za-z0-9+/=_-]+/gi;
/** Players and maps that editors embed. */
const EMBED =
  /<iframe\s[^<>]{0,300}src=["']?https:\/\/(?:www\.)?(?:youtube(?:-nocookie)?\.com\/embed|player\.vimeo\.com|google\.\w{2,3}\/maps|maps\.google\.\w{2,3}|open\.spotify\.com\/embed|w\.soundcloud\.com|www\.openstreetmap\.org\/export)[^<>]{0,1000}>\s{0,20}<\/iframe>/gi;
const RELATIVE_ADDRESS =
  /(?:url\(\s{0,5}["']?|(?:src|href)\s{0,5}=\s{0,5}["'])(?:\.\.?\/)+[\w./-]{1,300}\.(?:png|jpe?g|gif|svg|webp|woff2?|ttf|css|html?)\b/gi;

/**
 * The value of a field without what a writer quotes and without files that are written into it, escaped as it was: what
 * is left is what a page would take as its own.
 */
export function withoutQuotations(field: Field): string {
  if (
    !isBody(field) ||
    !/`|<(?:code|pre)\b|%60|%3c(?:code|pre)\b|iframe|data(?::|%3a)|\.\.(?:\/|%2f)/i.test(field.value)
  )
    return field.value;
  const text = decodeUrl(field.value.replaceAll('+', ' '));
  const unquoted = withoutQuotedCode(text);
  const left = (isWriting(field, unquoted) ? unquoted : text)
    .replace(INLINE_FILE, ' ')
    .replace(EMBED, ' ')
    .replace(RELATIVE_ADDRESS, ' ');
  return left === text ? field.value : left.replaceAll('%', '%25').replaceAll('+', '%2B');
}
