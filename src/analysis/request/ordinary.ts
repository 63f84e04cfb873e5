import { decodeUrl } from '../decode.ts';
import type { Signal } from '../signal.ts';
import { withoutQuotedCode } from '../words.ts';
import type { Field } from './fields.ts';
import type { Purpose } from './purpose.ts';
import { REQUEST } from './signals.ts';

/** Names of fields that people write into, in the languages of the shops and forms that are asked about most. */
const WRITING =
  /(?:^|[_\-[.])(?:content|comments?|body|raw|\w{0,12}text|texte|testo|texto|kommentar|comentarios?|commentaires?|commento|opmerking(?:en)?|bericht|mensagem|observaciones|remarques?|domanda|richiesta|pregunta|demande|objet|oggetto|asunto|message|msg|nachricht|mensaje|messaggio|description|desc|beschreibung|bio|about|notes?|notiz|title|titel|titre|subject|betreff|question|frage|anliegen|answer|reply|encoded|antwort|review|feedback|excerpt|summary|details|instructions|caption|signature|anmerkung|bemerkung|reason|exception|error|value)\d{0,3}\]?$/i;
/** Names of fields that hold code for a purpose of their own. */
const CODE =
  /(?:^|[_\-[.])(?:code|source|snippet|sql|query|statement|css|custom_css|html|markup|template|jql|filters?|fq|criteria|condition|expr|expression|formula|latex|regex|script-sample)\]?$/i;
/** Names of settings that hold either. */
const SETTING =
  /(?:^|[_\-[.])(?:header|footer|scripts?|js|patterns?|exclu\w{2,6}|agents?|rules?|newcontent|modules|widget\w{0,20})\]?$/i;
/** Names of fields that hold commands, or places inside of a container. */
const COMMAND = /^(?:command|args?|cmd|entrypoint|script|source|run|content|mount_path)$/i;
const LINE = /^(?:short_|full_)?(?:message|msg|log|line|raw|stack(?:_?trace)?)$/i;
const FILES = /^(?:added|removed|modified|files?|trace)$/i;
const STATEMENT_NAME = /(?:^|_)(?:q|query|sql|statement|search)$/i;
/** Languages that hand on rows from one step to the next. */
const PIPED = /^\s*(?:search\s|[A-Za-z]\w{2,60}\s{0,5}\||\{[^{}]{1,200}\}\s{0,5}\|)/;
/** Script that takes something from a visitor or hides what it does, which no editor needs. */
const HARMFUL =
  /document\s{0,5}\.\s{0,5}cookie|\b(?:alert|confirm|prompt|eval|atob|fetch)\s{0,5}[(`]|fromcharcode|xmlhttprequest|sendbeacon|new\s+image|localstorage|&#/i;
const SECRET = /pass(?:word|wd|wort)?|pwd|kennwort|secret|mot_?de_?passe|contrase|pin$/i;
const PICTURE =
  /(?:^|[_\-[.])(?:u|url|uri|src|image|img|photo|foto|avatar|logo|icon|thumb(?:nail)?|picture|poster|media)\d{0,3}\]?$/i;
const OWN_PLACE = /redirect|return|website|homepage|origin|referr?er|site|blog|next|continue|success|cancel/i;

/** What commands and their arguments look like. */
const COMMANDS: readonly Signal[] = [
  REQUEST.shellCommand,
  REQUEST.shellSubstitution,
  REQUEST.shellDirect,
  REQUEST.shellPath,
  REQUEST.sensitiveFile,
  REQUEST.absolutePath,
];
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
  ...COMMANDS,
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
const IN_FEED: ReadonlySet<Signal> = new Set([REQUEST.xssElement, REQUEST.xssMarkup]);
const IN_SECRET: ReadonlySet<Signal> = new Set([
  REQUEST.sqlStacked,
  REQUEST.sqlEnd,
  REQUEST.sqlCondition,
  REQUEST.sqlHidden,
]);
const IN_PICTURE: ReadonlySet<Signal> = new Set([REQUEST.remoteFile]);
const IN_OWN_PLACE: ReadonlySet<Signal> = new Set([REQUEST.ssrfInternal, REQUEST.remoteFile]);
const IN_MANAGED: ReadonlySet<Signal> = new Set([...IN_EDITOR, REQUEST.xssBreak]);
/** Of what a log tells, only what attacks its readers says something. */
const IN_LOG: ReadonlySet<Signal> = new Set(
  Object.values<Signal>(REQUEST).filter((signal) => signal !== REQUEST.lookup),
);
const IN_COMMAND: ReadonlySet<Signal> = new Set([...COMMANDS, REQUEST.templateMarks]);
const IN_QUERY: ReadonlySet<Signal> = new Set([...IN_CODE, REQUEST.sqlUnion]);
const IN_PIPE: ReadonlySet<Signal> = new Set([...IN_QUERY, REQUEST.shellCommand]);
const NOTHING: ReadonlySet<Signal> = new Set();

/** A feed, which has elements that would load something in a page. */
const FEED = /^\s*<\?xml\s[^<>]{0,200}>\s{0,20}<(?:rss|feed|rdf:RDF)\s/;
const PAGE = /^\s*<(?:!doctype html|html)\b/i;
const CALENDAR = /^BEGIN:V(?:CALENDAR|CARD)\r?\n/;
/** A configuration in YAML. */
const BLOCK = /^(?:---\s{1,5})?[\w-]{1,60}:[ \r]{0,5}\n {1,8}[\w-]{1,60}:/;
const HEADERS = /^[\w-]{1,60}: [^\n]{1,1000}\n[\w-]{1,60}: /;
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
const FENCED_WORDS_MIN = 2;
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

const isSetting = (name: string): boolean => WRITING.test(name) || CODE.test(name) || SETTING.test(name);

const isBody = ({ kind, name }: Field): boolean =>
  kind === 'body' || (kind === 'whole' && name !== undefined);

/** The name with its words apart. */
const nameOf = ({ name }: Field): string => (name ?? '').replace(/([a-z])([A-Z])/g, '$1_$2');

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
  if (field.where === 'the body') {
    if (CALENDAR.test(text) || BLOCK.test(text)) return IN_LINES;
    if (FEED.test(text)) return IN_FEED;
    if (DOCUMENT.test(text)) return IN_DOCUMENT;
  }
  if (isBody(field) && purpose.isEditing && WRITING.test(name)) return IN_EDITOR;
  if (isBody(field) && purpose.isListing && (CODE.test(name) || name === 'content')) return IN_LISTING;
  if (isBody(field) && (purpose.isShipping || (purpose.isLogging && LINE.test(name)))) return IN_LOG;
  if (isBody(field) && purpose.isNotice && (WRITING.test(name) || FILES.test(name))) return IN_LISTING;
  if (isBody(field) && purpose.isOrchestrating && COMMAND.test(name)) return IN_COMMAND;
  if (isCutOff(text)) return NOTHING;
  if (purpose.isQuerying && STATEMENT_NAME.test(name) && STATEMENT.test(text)) return IN_QUERY;
  if (purpose.isQuerying && STATEMENT_NAME.test(name) && PIPED.test(text)) return IN_PIPE;
  if (!isBody(field)) return NOTHING;
  if (PAGE.test(text) && CODE.test(name) && !HARMFUL.test(text)) return IN_MANAGED;
  if (/^headers?$/i.test(name) && HEADERS.test(text)) return IN_LINES;
  if (purpose.isManaging && isSetting(name) && !HARMFUL.test(text)) return IN_MANAGED;
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

/** What pages do when somebody clicks: call a function of theirs, show, hide or go elsewhere on the site. */
const HANDLER =
  /\son(?:click|change|submit|load|error|mouse(?:over|out|enter|leave))=(["'])(?:\s{0,3}(?:return\s{1,3})?(?:(?!(?:alert|confirm|prompt|eval|atob|fetch|import|print|write|open|set\w+|function)\b)[a-z_]\w{0,30}\((?:this|event|[\d, ]|'[\w #/-]{0,40}'){0,6}\)|(?:this|document\.getElementById\('[\w-]{1,40}'\))\.(?:style\.\w{1,20}\s{0,3}=\s{0,3}(?:\d|'[\w #%.-]{0,20}')|classList\.\w{1,10}\('[\w-]{1,40}'\))|(?:window\.)?location(?:\.href)?\s{0,3}=\s{0,3}'\/(?!\/)[\w/-]{0,60}'|window\.open\('\/(?!\/)[\w/-]{0,60}'[\w,'= ]{0,60}\)|true|false);?){1,4}\s{0,3}\1/gi;
/** What the head of a page tells of it. */
const HEAD_ELEMENT =
  /<meta\s{1,5}(?:name=|charset=|property=|http-equiv=["']?content-type)[^<>]{0,500}>|<link\s{1,5}[^<>]{0,300}href=["']https:\/\/[^<>]{0,300}>/gi;
/** What an editor's text is made of, so that escaped tags in it are text. */
const TAG = /<(?:p|div|span|a|br|h[1-6]|ul|table)[\s>/]/i;

/** Whether a text for people is written with fences around its code, for all that little else is said. */
const isFenced = (field: Field, text: string, unquoted: string): boolean =>
  text.includes('```') && WRITING.test(nameOf(field)) && wordsOf(unquoted) >= FENCED_WORDS_MIN;

/** Pictures, fonts and the like, written into an address. */
const INLINE_FILE =
  /data:(?:image\/(?!svg)|font\/|audio\/|video\/|application\/(?:pdf|font|octet))[\w.+-]{0,40};base64,[A-Za-z0-9+/=_-]+/gi;
/** Players and maps that editors embed. */
const EMBED =
  /<iframe\s[^<>]{0,300}src=["']?https:\/\/(?:www\.)?(?:youtube(?:-nocookie)?\.com\/embed|player\.vimeo\.com|google\.\w{2,3}\/maps|maps\.google\.\w{2,3}|open\.spotify\.com\/embed|w\.soundcloud\.com|www\.openstreetmap\.org\/export)[^<>]{0,1000}>\s{0,20}<\/iframe>/gi;
const RELATIVE_ADDRESS =
  /(?:url\(\s{0,5}["']?|(?:src|href)\s{0,5}=\s{0,5}["'])(?:\.\.?\/)+[\w./-]{1,300}\.(?:png|jpe?g|gif|svg|webp|woff2?|ttf|css|html?)\b/gi;

/**
 * The value of a field without what a writer quotes, ordinary handlers, and files that are written into it, escaped as it was: what
 * is left is what a page would take as its own.
 */
export function withoutQuotations(field: Field): string {
  if (
    !isBody(field) ||
    !/`|<(?:code|pre)\b|%60|%3c(?:code|pre)\b|iframe|data(?::|%3a)|\.\.(?:\/|%2f)|&lt;|%26lt|(?:\s|\+|%20)on\w|(?:<|%3c)(?:meta|link)/i.test(
      field.value,
    )
  )
    return field.value;
  const text = decodeUrl(field.value.replaceAll('+', ' '));
  const unquoted = withoutQuotedCode(text);
  const isPage = TAG.test(text) && isSetting(nameOf(field));
  let left = isWriting(field, unquoted) || isFenced(field, text, unquoted) ? unquoted : text;
  if (isPage) left = left.replace(HEAD_ELEMENT, ' ').replaceAll('&lt;', ' ');
  left = left
    .replace(HANDLER, ' ')
    .replace(INLINE_FILE, ' ')
    .replace(EMBED, ' ')
    .replace(RELATIVE_ADDRESS, ' ');
  return left === text ? field.value : left.replaceAll('%', '%25').replaceAll('+', '%2B');
}
