import type { Signal } from '../signal.ts';
import { REQUEST } from './signals.ts';

/** Findings that are insignificant in a context. */
export type Signals = ReadonlySet<Signal>;

/** Commands and their arguments. */
const COMMANDS: readonly Signal[] = [
  REQUEST.shellCommand,
  REQUEST.shellSubstitution,
  REQUEST.shellDirect,
  REQUEST.shellPath,
  REQUEST.sensitiveFile,
  REQUEST.absolutePath,
];
/** Subjects of texts about programs: alarming in a parameter, but not in a sentence. */
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
  REQUEST.traversalDeep,
  REQUEST.traversalHidden,
  REQUEST.ssrfInternal,
  REQUEST.xssCode,
  REQUEST.phpCall,
  REQUEST.expression,
  REQUEST.templateMarks,
  REQUEST.noSqlCode,
  REQUEST.xpath,
  REQUEST.mailHeader,
  REQUEST.sqlUnion,
  REQUEST.sqlBreak,
  REQUEST.sqlEnd,
  REQUEST.sqlDelay,
  REQUEST.sqlError,
  REQUEST.sqlFile,
  REQUEST.sqlSchema,
  REQUEST.streamWrapper,
  REQUEST.xmlEntity,
  REQUEST.phpObject,
  REQUEST.ssrfMetadata,
];
export const IN_WRITING: Signals = new Set(MENTIONED);
export const IN_WRITING_OF_SCRIPTS: Signals = new Set([...MENTIONED, REQUEST.xssScript]);
/** A style has no effect without an element. */
export const IN_PLAIN_WRITING: Signals = new Set([...MENTIONED, REQUEST.xssStyle]);
export const IN_TITLE: Signals = new Set([...IN_PLAIN_WRITING, REQUEST.templateMath]);
export const IN_BALANCED_WRITING: Signals = new Set([...IN_PLAIN_WRITING, REQUEST.ldapFilter]);
export const IN_CODE: Signals = new Set([
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
/** Markup of pages, which editors send. */
const MARKUP: readonly Signal[] = [
  REQUEST.xssScript,
  REQUEST.xssHandler,
  REQUEST.xssAttribute,
  REQUEST.xssElement,
  REQUEST.xssMarkup,
  REQUEST.xssStyle,
  REQUEST.xssCode,
];
export const IN_EDITOR: Signals = new Set([...MENTIONED, ...MARKUP, REQUEST.xssBreak]);
export const IN_MARKS: Signals = new Set([...MENTIONED, REQUEST.templateMath, REQUEST.templateObject]);
export const IN_FORMULAS: Signals = new Set([...IN_PLAIN_WRITING, REQUEST.phpVariable]);
export const IN_TAUGHT: Signals = new Set([...MENTIONED, REQUEST.phpCode, REQUEST.shellShock]);
export const IN_LISTING: Signals = new Set([...MENTIONED, ...MARKUP]);
/** Subjects of searches about how something works. */
export const IN_SEARCH: Signals = new Set([...MENTIONED, REQUEST.templateMath, REQUEST.xssScript]);
export const IN_GRAPHQL: Signals = new Set([...MENTIONED, REQUEST.noSqlOperator, REQUEST.templateObject]);
/** Contents of rules that detect attacks or exclude requests. */
export const IN_PATTERN: Signals = new Set([
  ...MENTIONED,
  REQUEST.xssScript,
  REQUEST.xssHandler,
  REQUEST.xssElement,
  REQUEST.ldapFilter,
]);
export const IN_PLACE: Signals = new Set([...COMMANDS]);
/** Contents of short headings and notes. */
export const IN_NOTE: Signals = new Set([
  REQUEST.traversalStep,
  REQUEST.traversalHidden,
  REQUEST.ssrfInternal,
]);
export const IN_LINES: Signals = new Set([REQUEST.headerSplit, REQUEST.mailHeader]);
export const IN_REPORT: Signals = new Set([REQUEST.xssScript, REQUEST.xssHandler, REQUEST.xssCode]);
export const IN_DOCUMENT: Signals = new Set([
  REQUEST.sensitiveFile,
  REQUEST.absolutePath,
  REQUEST.traversalStep,
]);
export const IN_FEED: Signals = new Set([REQUEST.xssElement, REQUEST.xssMarkup]);
export const IN_SECRET: Signals = new Set([
  REQUEST.sqlStacked,
  REQUEST.sqlEnd,
  REQUEST.sqlCondition,
  REQUEST.sqlHidden,
  REQUEST.traversalStep,
  REQUEST.traversalDeep,
  REQUEST.traversalHidden,
]);
export const IN_OWN_SECRET: Signals = new Set([...IN_SECRET, REQUEST.sqlBreak, REQUEST.sqlStatement]);
export const IN_PATH: Signals = new Set([REQUEST.absolutePath]);
export const IN_REFERENCE: Signals = new Set([REQUEST.openRedirect]);
export const IN_PICTURE: Signals = new Set([REQUEST.remoteFile]);
export const IN_OWN_PLACE: Signals = new Set([REQUEST.ssrfInternal, REQUEST.remoteFile]);
/** Contents of questions and answers in courses. */
export const IN_ANSWER: Signals = new Set([
  ...IN_EDITOR,
  REQUEST.nullByte,
  REQUEST.shellShock,
  REQUEST.phpCode,
]);
/** Contents of a site's source, edited by managers. */
export const IN_SOURCE: Signals = new Set([
  ...IN_EDITOR,
  REQUEST.headerSplit,
  REQUEST.phpCode,
  REQUEST.phpCall,
]);
export const IN_PAGE_PART: Signals = new Set([
  ...MARKUP,
  REQUEST.xssBreak,
  REQUEST.headerSplit,
  REQUEST.templateMarks,
]);
/** In logs, only attacks on their readers are significant. */
export const IN_LOG: Signals = new Set(
  Object.values<Signal>(REQUEST).filter((signal) => signal !== REQUEST.lookup),
);
export const IN_COMMAND: Signals = new Set([...COMMANDS, REQUEST.templateMarks]);
export const IN_QUERY: Signals = new Set([...IN_CODE, REQUEST.sqlUnion]);
export const IN_STATEMENT: Signals = new Set([...IN_QUERY, REQUEST.sqlStacked]);
export const IN_PIPE: Signals = new Set([...IN_QUERY, REQUEST.shellCommand]);
export const NOTHING: Signals = new Set();
