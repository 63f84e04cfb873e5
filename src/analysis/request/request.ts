import { decodeUrl } from '../decode.ts';
import type { Findings, Signal } from '../signal.ts';
import { findCode, findCodeInFile, findFormula, findTagsAndLookups } from './code.ts';
import type { Field, FieldKind } from './field-list.ts';
import { fieldsOf } from './fields.ts';
import { findFraming } from './framing.ts';
import { isFlood, isGraphQl, isManyLogins, textsIn, withoutGraphQl } from './graphql.ts';
import { findHtml } from './html.ts';
import { joinedOf } from './joined.ts';
import { layersOf } from './layers.ts';
import { findNetwork, findPlace } from './network.ts';
import { findObjects, findSerialized, findStructure } from './objects.ts';
import { ordinaryIn } from './ordinary.ts';
import { findPaths, INSTALLED } from './paths.ts';
import { findOverride, findProbe, findTool, findUpload } from './probes.ts';
import { type Purpose, purposeOf } from './purpose.ts';
import { withoutQuotations } from './quotations.ts';
import { findShell, findShellInField, findShellInHeader } from './shell.ts';
import { REQUEST, type Report } from './signals.ts';
import { findSql } from './sql.ts';
import { findTokens } from './tokens.ts';
import { findXml } from './xml.ts';

/** Characters of all readings of all values that are looked at. */
const BUDGET_CHARS = 80 * 1024;
/** Readings of values that are looked at; behind them a request is one value in one reading. */
const READINGS_MAX = 600;
const IS_FORM: ReadonlySet<FieldKind> = new Set(['query', 'referer', 'body', 'name', 'whole']);
/** Values that a program is given rather than where it is found. */
const PARAMETERS: ReadonlySet<FieldKind> = new Set(['query', 'body', 'whole', 'cookie']);
/** Where a slash has to be encoded. */
const ENCODED: ReadonlySet<FieldKind> = new Set(['query', 'referer', 'body', 'name', 'cookie']);
/** Ordinary words and numbers need no look. */
const HARMLESS = /^[\w -]{0,24}$|^[\d.,]{1,24}$/;
/** When a program of the site is run, and which: no interpreter of commands, and nothing behind it but plain words. */
const SCHEDULE =
  /^\s{0,3}(?:[\d*/,-]{1,20}\s{1,3}){5}(?!\S{0,200}\/(?:(?:ba|z|k|da)?sh|nc|ncat|curl|wget|perl|python[\d.]*|socat)\s)\/[\w./-]{1,200}(?:\s[\w.=/-]{1,60}){0,6}\s{0,3}$/;
const KEYWORD =
  /\b(?:or|and|xor|union|select|sleep|cat|ls|id|whoami|ping|curl|wget|null|etc|exec|on\w+|data|javascript|http|order|having|drop|union|sudo|env|timeout|wmic|net|cmd|powershell|reg|mshta|sh|start-process|invokefunction|allow_url_include|auto_prepend_file|call_user_func\w*|__\w+__)\b|\.\./i;

/** SQL that nothing in the name of a program looks like, for all its brackets and semicolons. */
const IN_AGENT: ReadonlySet<Signal> = new Set<Signal>([
  REQUEST.sqlTautology,
  REQUEST.sqlUnion,
  REQUEST.sqlDelay,
  REQUEST.sqlError,
  REQUEST.sqlFile,
  REQUEST.sqlSchema,
  REQUEST.sqlSubselect,
]);

/** What the requests of one content share: what is left to be looked at, and what has been. */
export interface Reading {
  chars: number;
  readings: number;
  /** Kinds and values: of what comes again, the first findings count. */
  readonly seen: Set<string>;
}

/** Everything that may be looked at; `readings` at most, of values in one form each. */
export const newReading = (readings = READINGS_MAX): Reading => ({
  chars: BUDGET_CHARS,
  readings,
  seen: new Set(),
});

/** Finds attacks in a request: a whole HTTP message, its target, its body, or one value. */
export function analyzeRequest(content: string, findings: Findings, reading = newReading()): void {
  const fields = fieldsOf(content, reading.readings);
  const purpose = purposeOf(content, fields);
  for (const field of fields) {
    // The name belongs to it: the same value weighs otherwise in another field.
    const key = `${field.kind} ${field.name ?? ''} ${field.value}`;
    if (reading.seen.has(key)) continue;
    reading.seen.add(key);
    analyzeField(field, findings, reading, purpose);
    if (field.name === 'query' && isGraphQl(field.value) && isFlood(field.value))
      findings.add(REQUEST.graphQlFlood, field.where);
    for (const value of field.name === 'query' ? argumentsIn(field) : [])
      analyzeField({ kind: 'body', value, where: field.where }, findings, reading, purpose);
  }
  for (const text of joinedOf(fields, content)) {
    reading.chars -= text.length;
    if (reading.chars > 0) findSql(text, (signal) => findings.add(signal, 'in several values together'));
  }
  findFraming(content, (signal) => findings.add(signal, 'in the head'));
  findRights(fields, findings);
  if (isManyLogins(content)) findings.add(REQUEST.graphQlFlood, 'the body');
}

/** The texts in a query in GraphQL, encoded as the fields of a document are. */
const argumentsIn = ({ value }: Field): readonly string[] => {
  const text = decodeUrl(value.replaceAll('+', ' '));
  return isGraphQl(text)
    ? textsIn(text).map((each) => each.replaceAll('%', '%25').replaceAll('+', '%2B'))
    : [];
};

/** Reads a field in all its variants, and in the last one alone when the budget is used up. */
function analyzeField(field: Field, findings: Findings, reading: Reading, purpose: Purpose): void {
  const { kind, value, where } = field;
  if (kind === 'file') {
    const report: Report = (signal) => findings.add(signal, where);
    findCodeInFile(value, report);
    findSerialized(value, report);
    findTagsAndLookups(value.includes('jndi') ? value : '', report);
    reading.chars -= value.length;
    return;
  }
  const { variants, text, urlRounds } = layersOf(withoutQuotations(field), IS_FORM.has(kind));
  const ordinary = ordinaryIn(field, text, purpose);
  const report: Report = (signal) => {
    if (ordinary.has(signal)) return;
    // In a field of its own a statement breaks out of nothing.
    const isAlone = field.name !== undefined && (kind === 'body' || /^[a-z\s,?]+$/i.test(text));
    const isWeak = signal === REQUEST.sqlStatement && isAlone;
    findings.add(isWeak ? REQUEST.sqlStatementNamed : signal, where);
  };
  if (kind === 'agent') findTool(value, report);
  if (kind === 'header') findOverride(value, field.name ?? '', report);
  if (urlRounds >= 3) report(REQUEST.encodedTwice);
  for (const [index, variant] of variants.entries()) {
    reading.chars -= variant.length;
    if ((reading.chars <= 0 || reading.readings <= 0) && index < variants.length - 1) continue;
    if (kind === 'path') findProbe(variant, report);
    if (kind === 'upload') findUpload(variant, report);
    if (field.name !== undefined) {
      findShellInField(variant, field.name, report);
      if (PARAMETERS.has(kind)) findPlace(variant, field.name, report);
    }
    if (SCHEDULE.test(variant)) continue;
    if (HARMLESS.test(variant) && !KEYWORD.test(variant)) continue;
    reading.readings--;
    analyzeValue(variant, field, report, index === 0);
  }
}

/** What would make a visitor an administrator of a WordPress site. */
function findRights(fields: readonly Field[], findings: Findings): void {
  const role = fields.find(({ value, name }) => value === 'default_role' || name === 'default_role');
  const capabilities = fields.find(({ name }) =>
    /^wp_(?:\d+_)?(?:capabilities|user_level)\b/.test(name ?? ''),
  );
  const isWanted = role !== undefined && fields.some(({ value }) => value === 'administrator');
  if (isWanted || capabilities) findings.add(REQUEST.administrator, (capabilities ?? role)?.where ?? '');
}

/** The year of a film, a book or a version, behind its title: no call of a function, however it is called. */
const YEAR = /(?<=[A-Za-z]) \((?:19|20)\d\d(?: [A-Za-z]{2,20}){0,3}\)/g;
/** Bounds of a search, as a document database has them, but of what only its owner knows. */
const BOUNDS =
  /"(?!\w{0,20}(?:pass|pwd|token|user|login|mail|secret|pin|otp|code|name))[\w.]{1,40}"\s{0,3}:\s{0,3}\{\s{0,3}(?:"\$(?:[gl]te?)"\s{0,3}:\s{0,3}(?:-?\d[\d.]{0,20}|"\d{4}-\d\d-\d\d[^"]{0,30}")|"\$in"\s{0,3}:\s{0,3}\[[^\]{}$]{0,400}\])(?:\s{0,3},\s{0,3}"\$[gl]te?"\s{0,3}:\s{0,3}(?:-?\d[\d.]{0,20}|"\d{4}-\d\d-\d\d[^"]{0,30}"))?\s{0,3}\}/gi;

/** Fields of a spreadsheet's own. */
const CELL = /^(?:values?|cells?|formulas?)$/i;
/** Fields of a body that hold the name of a class, or a search. */
const NAMES_CLASS = /^(?:q|s|search|query|term|topic|title)$|class|type|symbol|module|package|logger/i;

function analyzeValue(written: string, { kind, name = '' }: Field, report: Report, isSent: boolean): void {
  const value = written.includes(' (') ? written.replace(YEAR, '') : written;
  if (kind === 'document') {
    findStructure(withoutGraphQl(value).replace(BOUNDS, '""'), report);
    return;
  }
  const isHeader = kind === 'header' || kind === 'agent';
  if (kind !== 'agent') findSql(value, report);
  else if (/['"(]/.test(value)) findSql(value, (signal) => IN_AGENT.has(signal) && report(signal));
  findHtml(value, report);
  if (value.includes('<')) findXml(value, report);
  findPaths(value, report, {
    isWhole: !isHeader,
    isEncoded: isSent && ENCODED.has(kind),
    isTold: kind === 'body',
    name,
  });
  if (isHeader) findShellInHeader(value, report);
  else if (kind !== 'body' || !INSTALLED.test(value)) findShell(value, report);
  findCode(value, report, kind === 'path' || kind === 'query' || NAMES_CLASS.test(name));
  if (!CELL.test(name)) findFormula(value, report);
  findNetwork(value, report, !isHeader && kind !== 'path' && kind !== 'referer', name);
  findObjects(value, report);
  findTokens(value, report);
}
