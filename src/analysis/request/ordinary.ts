import { registrableHost } from '../address.ts';
import type { Signal } from '../signal.ts';
import { isBalanced } from './conditions.ts';
import { ordinaryInContext } from './contexts.ts';
import type { Field } from './field-list.ts';
import { isGraphQl } from './graphql.ts';
import {
  IN_ANSWER,
  IN_BALANCED_WRITING,
  IN_CODE,
  IN_COMMAND,
  IN_DOCUMENT,
  IN_EDITOR,
  IN_FEED,
  IN_FORMULAS,
  IN_GRAPHQL,
  IN_LINES,
  IN_LISTING,
  IN_LOG,
  IN_MARKS,
  IN_NOTE,
  IN_OWN_PLACE,
  IN_OWN_SECRET,
  IN_PAGE_PART,
  IN_PATH,
  IN_PATTERN,
  IN_PICTURE,
  IN_PIPE,
  IN_PLACE,
  IN_PLAIN_WRITING,
  IN_QUERY,
  IN_REFERENCE,
  IN_REPORT,
  IN_SEARCH,
  IN_SECRET,
  IN_SOURCE,
  IN_STATEMENT,
  IN_TAUGHT,
  IN_TITLE,
  IN_WRITING,
  IN_WRITING_OF_SCRIPTS,
  NOTHING,
} from './harmless.ts';
import { isJob } from './jobs.ts';
import { isPagePart } from './programs.ts';
import type { Purpose } from './purpose.ts';
import { asksAbout, isSearch } from './searches.ts';
import {
  isListed,
  isMadeOfSigns,
  isOwnSecret,
  isPattern,
  isPlace,
  isProgram,
  isSecret,
  isSourceFile,
  SECRET_CHARS_MAX,
} from './settings.ts';
import { continuesAsSql } from './sql-tail.ts';
import { isAbout, isTitle, showsOnly } from './topics.ts';
import { CODE, isBody, isSetting, isWriting, nameOf, WRITING, wordsOf } from './writing.ts';

/** Names of fields for commands, or paths inside containers. */
const COMMAND =
  /^(?:commands?|args?|cmd|entrypoint|script|source|run|content|mount_path|binds?|volumes|test|path)$/i;
const LINE = /^(?:short_|full_)?(?:message|msg|log|line|raw|stack(?:_?trace)?)$/i;
const FILES = /^(?:added|removed|modified|files?|trace)$/i;
const STATEMENT_NAME = /(?:^|_)(?:q|query|sql|statement|search)$/i;
/** Languages with pipelines of rows. */
const PIPED = /^\s*(?:search\s|[A-Za-z]\w{2,60}\s{0,5}\||\{[^{}]{1,200}\}\s{0,5}\|)/;
const SPLUNK = /^\s*search\s+(?:index|source\w{0,10}|host)=/;
/** Script that steals from visitors or hides its effect, which editors do not contain. */
const HARMFUL =
  /document\s{0,5}\.\s{0,5}cookie|\b(?:alert|confirm|prompt|eval|atob|fetch)\s{0,5}[(`]|fromcharcode|(?<!\w)xmlhttprequest|sendbeacon|new\s+image|localstorage|&#/i;
const PICTURE =
  /(?:^|[_\-[.])(?:u|url|uri|src|image|img|photo|foto|avatar|logo|icon|thumb(?:nail)?|picture|poster|media)\d{0,3}\]?$/i;
/** The developer's machine, alone or as the redirect of a sign-in. */
const OWN_HOST =
  /^(?:\/[\w./-]{1,200}\?\S{0,1000}[?&]redirect_uri=)?https?:\/\/(?:localhost|127\.0\.0\.1)(?::[\d*]{1,5})?(?:[/?#]|$)/i;
/** A URL without scheme, as in page assets, without unusual characters. */
const REFERENCE = /^\/\/[\w-]{1,60}(?:\.[\w-]{1,60}){1,6}(?::\d{1,5})?(?:[/?#][^\s\\@<>"']{0,1500})?$/;
/** Names of fields that determine a redirect. */
const DECIDES =
  /redir|return|next|continue|go_?to|dest|forward|target|callback|back|^(?:out|exit|to|r|u|ur[li]|link|href|site|domain|page|view|path|file|q)$|rurl|login|logout|success|fail|cancel|checkout/i;
/** Of these, names that may only identify a page or file. */
const NAMES_PAGE = /^(?:u|ur[li]|link|href|site|domain|page|view|path|origin)$/i;

/** Whether a field identifies a page or file by a URL without scheme, rather than a redirect. */
function isOwnReference(
  { kind, name = '' }: Field,
  text: string,
  { isMeasuring, ownDomain }: Purpose,
): boolean {
  if ((kind !== 'query' && kind !== 'body') || name === '' || !REFERENCE.test(text)) return false;
  if (!DECIDES.test(name)) return true;
  const isOwn =
    ownDomain !== '' && registrableHost(/[\w.-]+/.exec(text.toLowerCase())?.[0] ?? '') === ownDomain;
  return NAMES_PAGE.test(name) && (isMeasuring || isOwn);
}

const OWN_PLACE = /redirect|return|website|homepage|origin|referr?er|site|blog|next|continue|success|cancel/i;

/** A script element that would run: closed, or with a source. */
const RUNNING_SCRIPT = /<\s{0,5}\/\s{0,5}script|<script[^<>]{1,200}src/i;
/** Folders of a server, not of a site. */
const OF_SYSTEM = /^\/{1,3}(?:etc|proc|var|usr|root|boot|sys|s?bin|opt)\//;

/** TeX formulas, delimited by dollar signs. */
const TEX = /\$[^$\n]{0,200}\\[a-z]{2,20}[^$\n]{0,200}\$/i;
/** Field names of questions, answers and flash cards. */
const ANSWER =
  /^(?:text|label|choices?|options?|answers?|distractors?|front|back|question|stem|clue|term|definition|explanation|a|q\d{0,3}|value)(?:\[\w{0,10}\])?$/i;
/** A feed, some of whose elements would load something in a page. */
const FEED = /^\s*<\?xml\s[^<>]{0,200}>\s{0,20}<(?:rss|feed|rdf:RDF)\s/;
const PAGE = /^\s*<(?:!doctype html|html)\b/i;
const CALENDAR = /^BEGIN:V(?:CALENDAR|CARD)\r?\n/;
/** YAML. */
const BLOCK = /^(?:---\s{1,5})?[\w-]{1,60}:[ \r]{0,5}\n {1,8}[\w-]{1,60}:/;
const HEADERS = /^[\w-]{1,60}: [^\n]{1,1000}\n[\w-]{1,60}: /;
/** Several lines, such as a configuration or a calendar. */
const DOCUMENT = /^[^<][^\n]*\n[^\n]+\n[^\n]+\n/;
/**
 * Whether a text has a quote and ends with a comment that cuts off the rest of a statement; anything before it may be camouflage.
 */
const isCutOff = (text: string): boolean =>
  /['")]/.test(text) && /(?:--[\s+-]*|#|\/\*)$/.test(text.slice(-8));
/** A statement from the first word; an injection follows the beginning of one. */
const STATEMENT = /^\s*(?:select|insert|update|delete|create|with)\s/i;
const NAMED_WORDS_MIN = 2;
/** Passwords may contain any characters, but a value that continues like a condition is not one. */
function inSecret(text: string): ReadonlySet<Signal> {
  if (text.length > SECRET_CHARS_MAX) return NOTHING;
  if (isOwnSecret(text) || isMadeOfSigns(text)) return IN_OWN_SECRET;
  if (/\s/.test(text)) return NOTHING;
  return /[=(]|--|\/\*/.test(text) ? IN_SECRET : IN_OWN_SECRET;
}

/** Findings that are insignificant in this field because of its purpose; `text` is the decoded value. */
export function ordinaryIn(field: Field, text: string, purpose: Purpose): ReadonlySet<Signal> {
  const name = nameOf(field);
  if (isSecret(name, purpose)) return inSecret(text);
  const inContext = ordinaryInContext(field, text, purpose);
  if (inContext !== undefined) return inContext;
  if (
    PICTURE.test(name) &&
    /^https?:\/\/[\w.-]+\.[a-z]{2,}\/[^?#]{0,1000}\.(?:jpe?g|png|gif|webp|ico)$/i.test(text)
  )
    return IN_PICTURE;
  if (OWN_PLACE.test(name) && OWN_HOST.test(text)) return IN_OWN_PLACE;
  if (isOwnReference(field, text, purpose)) return IN_REFERENCE;
  if (field.kind === 'path' && !OF_SYSTEM.test(text)) return IN_PATH;
  if (isSearch(field) && asksAbout(text)) return IN_SEARCH;
  if (field.kind !== 'document' && isGraphQl(text) && /^query$/i.test(name)) return IN_GRAPHQL;
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
  if (isBody(field) && purpose.isTeaching && ANSWER.test(name) && showsOnly(text)) return IN_ANSWER;
  if (isCutOff(text)) return NOTHING;
  if (purpose.isQuerying && STATEMENT_NAME.test(name) && STATEMENT.test(text))
    return /^(?:sql|statement)$/i.test(name) ? IN_STATEMENT : IN_QUERY;
  if (STATEMENT_NAME.test(name) && (purpose.isQuerying ? PIPED : SPLUNK).test(text)) return IN_PIPE;
  if (!isBody(field)) return NOTHING;
  if (isListed(name, text) || (isPattern(name, text) && !HARMFUL.test(text))) return IN_PATTERN;
  if (isSourceFile(field.name) && !HARMFUL.test(text)) return IN_LISTING;
  if (isProgram(name, text) || (purpose.isStructured && isJob(name, text))) return IN_COMMAND;
  if (isPlace(name, text, purpose)) return IN_PLACE;
  if (PAGE.test(text) && CODE.test(name) && !HARMFUL.test(text)) return IN_EDITOR;
  if (/^headers?$/i.test(name) && HEADERS.test(text)) return IN_LINES;
  if (isPagePart(name, text) && !HARMFUL.test(text)) return purpose.isManaging ? IN_SOURCE : IN_PAGE_PART;
  if (purpose.isManaging && isSetting(name) && !HARMFUL.test(text)) return IN_EDITOR;
  if (name === 'script-sample') return IN_REPORT;
  if (isWriting(field, text)) {
    if (continuesAsSql(text)) return NOTHING;
    if (TEX.test(text)) return IN_FORMULAS;
    if (isAbout('template', text)) return IN_MARKS;
    if (isAbout('markup', text)) return IN_EDITOR;
    if (isAbout('code', text)) return IN_TAUGHT;
    if (isBalanced(text) && !text.includes('<')) return IN_BALANCED_WRITING;
    if (!text.includes('<')) return IN_PLAIN_WRITING;
    return RUNNING_SCRIPT.test(text) ? IN_WRITING : IN_WRITING_OF_SCRIPTS;
  }
  if (purpose.hasWriting && isTitle(name, text)) return IN_TITLE;
  if (CODE.test(name) || STATEMENT.test(text)) return IN_CODE;
  if (DOCUMENT.test(text) && !/mail|from|name|subject|^to$/i.test(name)) return IN_LINES;
  return WRITING.test(name) && wordsOf(text) >= NAMED_WORDS_MIN ? IN_NOTE : NOTHING;
}
