import type { Category } from '../categories.ts';
import type { Signal } from '../signal.ts';
import { isCondition, isWholeFilter } from './conditions.ts';
import type { Field } from './field-list.ts';
import { isHarmlessProgram } from './programs.ts';
import type { Purpose } from './purpose.ts';
import { isSearch } from './searches.ts';
import { REQUEST } from './signals.ts';
import { CODE, isBody, nameOf } from './writing.ts';

const ofCategories = (...categories: readonly Category[]): readonly Signal[] =>
  Object.values<Signal>(REQUEST).filter(({ category }) => categories.includes(category));

/** Never legitimate in programs, rules or examples: opens a connection, or works wherever it is stored. */
const NEVER: ReadonlySet<Signal> = new Set<Signal>([
  REQUEST.lookup,
  REQUEST.shellReverse,
  REQUEST.shellShock,
  REQUEST.callback,
  REQUEST.phpObject,
  REQUEST.javaObject,
  REQUEST.typedJson,
]);
const IN_PROGRAM: ReadonlySet<Signal> = new Set(
  Object.values<Signal>(REQUEST).filter((signal) => !NEVER.has(signal)),
);
/** Findings that detection patterns contain. */
const IN_RULE: ReadonlySet<Signal> = new Set([...IN_PROGRAM, REQUEST.shellReverse]);
/** Literals in a condition are complete, so nothing breaks out of them. */
const IN_CONDITION: ReadonlySet<Signal> = new Set<Signal>([
  ...ofCategories('sql_injection', 'nosql_injection'),
  REQUEST.shellCommand,
  REQUEST.xpath,
  REQUEST.xssBreak,
]);
/** Like {@link IN_CONDITION}, for rules that block attacks and therefore quote them. */
const IN_TEST: ReadonlySet<Signal> = new Set([...IN_CONDITION, ...IN_RULE, REQUEST.lookup]);
const IN_FILTER: ReadonlySet<Signal> = new Set<Signal>([REQUEST.ldapFilter, REQUEST.shellCommand]);
const IN_STATEMENT: ReadonlySet<Signal> = new Set<Signal>([
  REQUEST.sqlStatement,
  REQUEST.sqlUnion,
  REQUEST.sqlSubselect,
  REQUEST.sqlTautology,
  REQUEST.sqlCondition,
  REQUEST.sqlFunction,
  REQUEST.sqlOrder,
  REQUEST.shellCommand,
  REQUEST.shellSubstitution,
  REQUEST.templateMarks,
]);
const IN_SCRIPT: ReadonlySet<Signal> = new Set([
  ...IN_STATEMENT,
  REQUEST.sqlStacked,
  REQUEST.sqlSchema,
  REQUEST.sqlBreak,
]);
const IN_SERVICE: ReadonlySet<Signal> = new Set<Signal>([
  REQUEST.ssrfInternal,
  REQUEST.ssrfScheme,
  REQUEST.remoteFile,
]);
const IN_TEMPLATE: ReadonlySet<Signal> = new Set<Signal>([
  REQUEST.templateObject,
  REQUEST.templateMarks,
  REQUEST.templateMath,
  REQUEST.serverInclude,
]);
const IN_ROBOTS: ReadonlySet<Signal> = new Set(ofCategories('path_traversal'));
const IN_BOOKMARKS: ReadonlySet<Signal> = new Set<Signal>([
  REQUEST.xssUrl,
  REQUEST.xssCode,
  REQUEST.ssrfInternal,
]);
const IN_CONFIGURATION: ReadonlySet<Signal> = new Set<Signal>([
  ...ofCategories('command_injection', 'sql_injection').filter((signal) => !NEVER.has(signal)),
  REQUEST.sensitiveFile,
  REQUEST.absolutePath,
  REQUEST.traversalStep,
  REQUEST.traversalDeep,
  REQUEST.traversalHidden,
  REQUEST.templateMarks,
  REQUEST.ssrfInternal,
  REQUEST.mailHeader,
  REQUEST.headerSplit,
]);

/** A SPARQL query, whose variables begin with a question mark. */
const SPARQL =
  /^\s*(?:(?:prefix|base)\s+(?:[\w-]{0,40}:\s*)?<[^<>]{1,200}>\s*){0,30}(?:select|ask|construct|describe)\s+(?:distinct\s+|reduced\s+)?(?:[?$]\w|\*|where\s*\{|\()[^{]{0,4000}\{[\s\S]*\}/i;
const SQL_FIELD = /(?:^|_)(?:sql(?:_?(?:query|text|statements?|code))?|ddl|statements?)$/i;
/** Several statements, from the first word. */
const SCRIPT =
  /^(?:\s|--[^\n]{0,200}\n){0,20}(?:select|insert\s+into|update|delete\s+from|with|explain|show|describe|create|alter|drop|grant|revoke|truncate|begin|set|use|copy|merge|analyze|vacuum|pragma|comment\s+on)\s[^;]{1,2000};/i;
const STATEMENT = /^\s*(?:select|insert\s+into|update|delete\s+from|with|explain|show|describe)\s/i;
/** A harmful statement appended to a query. */
const ADDED =
  /^\s*(?:select|with)\s[\s\S]*;\s*(?:drop|truncate|delete|update|insert|exec\w*|declare|shutdown|create|alter|copy|install|load)\b/i;
/** A second statement, or a comment that cuts off the rest. */
const GOES_ON = /;\s*\S|(?:--|#)\s*(?:\S{1,8}\s*)?$|\/\*/;
const FILTER_FIELD = /filter|query|search|condition|criteria|base/i;
/** Field names for code in requests that declare its language. */
const CODE_FIELD =
  /^(?:suggestion|solution|answer|submission|program|content|text|input|before|after|prefix|suffix|diff|patch|value|cell)$/i;
/** Text that begins or ends like an injection, unlike a program. */
const INJECTED = /^\s*['")]|(?:--|#)\s*$/;
const CODE_SEARCH = /^(?:type|in|scope)$/i;
/** Detection rules of well-known programs, from the first word. */
const RULE =
  /^\s*(?:(?:import "\w{1,20}"|private|global)\s+){0,3}rule \w{1,100}[^{}]{0,200}\{[\s\S]{1,8000}\bcondition\s?:|^(?:title|id|name): [^\n]{1,200}\n[\s\S]{0,4000}\b(?:detection|rules|matchers|requests):[^\S\n]*\n[\s\S]{0,4000}\b(?:condition|pattern|severity|type):|^\s*(?:SecRule|SecAction) /;
const ROBOTS = /^\s*(?:#[^\n]{0,200}\n\s*){0,5}(?:user-agent|sitemap)\s?:[^\n]{1,200}(?:\n|$)/i;
const BOOKMARKS = /^\s*<!doctype netscape-bookmark-file/i;
/** Containers, builds or jobs described in YAML, from the first word. */
const CONFIGURATION =
  /^(?:---\s+|#[^\n]{0,200}\n){0,3}(?:apiVersion|kind|version|services|name|on|image|stages|steps|jobs|pipeline|hosts|- hosts|- name|default|variables|include|workflow|language|volumes|networks|x-[\w-]{1,40}|[\w-]{1,40}:\s*\n {2,4}(?:image|script|stage|build|command|services|runs-on|steps|hosts|tasks))\b[\s\S]*\n\s{0,20}(?:- )?(?:image|script|command|entrypoint|run|steps|tasks|args|volumes|test|shell|build|containers)\s?:/;

/** Configuration files of web servers and databases, and crontabs. */
const SETTINGS =
  /^\s*(?:#[^\n]{0,200}\n\s*){0,20}(?:(?:server|http|upstream|events|location)\s[^\n{}]{0,100}\{|\[[\w. -]{1,60}\][^\S\n]*\n\s*[\w.-]{1,60}\s?=|(?:[\d*][\d*/,-]{0,20}[ \t]+){4}[\d*A-Za-z][\w*/,-]{0,20}[ \t]+\S)/;
/** A complete YAML document. */
const YAML = /^---[ \t]*\n(?:(?:[\w-]{1,40}:|[ \t]{1,40}\S|- |#)[^\n]{0,1000}(?:\n|$)){2,300}\s{0,5}$/;
const isConfiguration = (text: string): boolean =>
  (CONFIGURATION.test(text) || SETTINGS.test(text) || YAML.test(text)) && !/<[a-z!/?]/i.test(text);
/** A patch, as written by version control. */
const DIFF =
  /^(?:diff --git [^\n]{1,400}\n|Index: [^\n]{1,200}\n|index [0-9a-f.]{1,90}[^\n]{0,20}\n|=+\n|From [0-9a-f]{40}[^\n]{0,60}\n){0,5}--- [^\n]{1,300}\r?\n\+\+\+ [^\n]{1,300}\r?\n@@ /;
const WORD_LIST = /^(?:skills?|tags?|keywords?|tools|languages|interests|topics)$/i;

/** Field names for prompts and messages to a language model. */
const PROMPT = /^(?:prompt|input|content|text|system|instructions|query|question)$/i;
/** Lines of an access log, of Prometheus metrics, or of InfluxDB measurements. */
const LINES =
  /^\S{3,45} \S{1,60} \S{1,60} \[[^\]\n]{5,60}\] "[A-Z]{3,10} [^\n]{1,4000}" \d{3} |^# (?:TYPE|HELP) \w|^\w{1,60}(?:,[\w.-]{1,60}=(?:\\.|[^ ,\\\n]){1,200}){1,20} \w{1,60}=[^\n]{1,2000} \d{10,19}(?:\n|$)/;
const TEMPLATE = /template|source|body|html|content|subject|layout|text|message|markup/i;
/** Template code that accesses more than its values. */
const REACHING =
  /__\w+__|runtime|\bexec|popen|system\s{0,3}[('"]|forname|\?new\b|\bconstructor|\bos\b|subprocess|process(?:builder|\.)|classloader|smarty\.|_self|\|\s{0,3}(?:map|filter|attr)\b|passthru|shell|\bconfig(?:\s{0,3}[}|[]|\.(?!\w{1,30}\s{0,3}\}))|request\.|\bself\b|globals|lipsum|cycler|joiner|namespace|url_for|flashed|\beval|import|<script|\son\w+\s{0,3}=|javascript:|\d\s{0,3}\*\s{0,3}["']?\d/i;
const MARK = /\{\{.{1,200}?\}\}|\{%.{1,200}?%\}|\$\{[^}]{1,200}\}|<#\w/gs;
/** Whether a text is a template with several placeholders and nothing else. */
const isTemplate = (text: string): boolean =>
  (text.match(MARK)?.length ?? 0) >= 2 && text.replace(MARK, '').trim().length >= 5 && !REACHING.test(text);
/** Template code that escapes its sandbox, in any engine. */
const REACHING_OUT =
  /__\w+__|\bexec\b|popen|\bsystem\s{0,3}[('"]|forname|\?new\b|constructor|\bos\s{0,3}\.|subprocess|runtime\b|getclass|classloader|_self\b|passthru|shell|lipsum|cycler|joiner|registerundefined|file_get|file_excerpt|\|\s{0,3}attr\b|request\s{0,3}\.|globals|\|\s{0,3}(?:map|filter|sort|reduce)\s{0,3}\(\s{0,3}["'](?!\w+["']\s{0,3},)|javascript:|\bconfig\s{0,3}(?:[}|[]|\.(?:items|from))|\bprocess\b|require|include\s{0,3}["']?\/|\{php|\|\s{0,3}load/i;
const MARKS_MIN = 3;
const MARKS_OF_ANY = /\{\{[^{}]{1,400}\}\}|\{%.{1,400}?%\}|<#\w[^>]{0,200}>|\$\{[^}]{1,200}\}/gs;
const AROUND_CHARS_MIN = 40;
/** Whether a text is a page or mail with several kinds of placeholders. */
const isWholeTemplate = (text: string): boolean =>
  (text.match(MARKS_OF_ANY)?.length ?? 0) >= MARKS_MIN &&
  text.replace(MARKS_OF_ANY, '').trim().length >= AROUND_CHARS_MIN &&
  !REACHING_OUT.test(text);
const LOCAL = /\/\/(?:[^@/]{0,100}@)?(?:127\.|0|localhost|\[|169\.254\.)/i;

/**
 * Findings that are insignificant in a field because of its request or its whole value; undefined if the context changes nothing.
 */
export function ordinaryInContext(
  field: Field,
  text: string,
  purpose: Purpose,
): ReadonlySet<Signal> | undefined {
  if (field.isHarmlessFile) return IN_PROGRAM;
  const name = nameOf(field);
  if (isCondition(text)) return purpose.isActing ? IN_TEST : IN_CONDITION;
  if (SPARQL.test(text)) return IN_STATEMENT;
  if (text.startsWith('(') && FILTER_FIELD.test(name) && isWholeFilter(text)) return IN_FILTER;
  if ((field.kind === 'whole' || field.kind === 'body') && text.includes('\n') && isConfiguration(text))
    return IN_CONFIGURATION;
  if (DIFF.test(field.value)) return IN_PROGRAM;
  if (field.where === 'the body' && RULE.test(text)) return IN_RULE;
  if (isSearch(field) && purpose.isListing && !/<[a-z!/]/i.test(text)) return IN_PROGRAM;
  if (BOOKMARKS.test(text)) return IN_BOOKMARKS;
  if (!isBody(field)) return undefined;
  if (WORD_LIST.test(name) && /^[\w+#. ]{1,30}(?:[;,|][\w+#. ]{1,30}){2,40}$/.test(text))
    return IN_CONFIGURATION;
  if (
    purpose.isListing &&
    (CODE.test(name) || CODE_FIELD.test(name)) &&
    !CODE_SEARCH.test(name) &&
    !INJECTED.test(text)
  )
    return isHarmlessProgram(text) ? IN_PROGRAM : undefined;
  if (purpose.isPrompting && PROMPT.test(name) && !/^\s*<\w/.test(text)) return IN_PROGRAM;
  if (purpose.isReporting) return IN_RULE;
  if (LINES.test(text)) return IN_RULE;
  if (TEMPLATE.test(name) && (isTemplate(text) || isWholeTemplate(text))) return IN_TEMPLATE;
  if ((SQL_FIELD.test(name) || field.where === 'the body') && SCRIPT.test(text) && !ADDED.test(text))
    return IN_SCRIPT;
  const isStatement = SQL_FIELD.test(name) || field.where === 'the body';
  if (isStatement && STATEMENT.test(text) && !GOES_ON.test(text)) return IN_STATEMENT;
  if (RULE.test(text) || (purpose.isMatching && /^(?:value|pattern|match|data|argument)s?$/i.test(name)))
    return IN_RULE;
  if (ROBOTS.test(text)) return IN_ROBOTS;
  const scheme = /^([a-z]{2,12}):\/\//i.exec(text)?.[1]?.toLowerCase() ?? '';
  if (purpose.services.has(scheme.replace(/s$/, '')) || (purpose.isMonitoring && /^https?$/.test(scheme)))
    return LOCAL.test(text) ? undefined : IN_SERVICE;
  return undefined;
}
