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

/** Maximum number of characters read in all variants of all values. */
const BUDGET_CHARS = 80 * 1024;
/** Maximum number of variants read; after that, the rest of a request is one value in one variant. */
const READINGS_MAX = 600;
const IS_FORM: ReadonlySet<FieldKind> = new Set(['query', 'referer', 'body', 'name', 'whole']);
/** Values used as parameters of a program, rather than to find it. */
const PARAMETERS: ReadonlySet<FieldKind> = new Set(['query', 'body', 'whole', 'cookie']);
/** Kinds in which slashes must be encoded. */
const ENCODED: ReadonlySet<FieldKind> = new Set(['query', 'referer', 'body', 'name', 'cookie']);
/** Short words and numbers are skipped. */
const HARMLESS = /^[\w -]{0,24}$|^[\d.,]{1,24}$/;
/** A crontab line for a program of the site, with plain arguments and without a shell. */
const SCHEDULE =
  /^\s{0,3}(?:[\d*/,-]{1,20}\s{1,3}){5}(?!\S{0,200}\/(?:(?:ba|z|k|da)?sh|nc|ncat|curl|wget|perl|python[\d.]*|socat)\s)\/[\w./-]{1,200}(?:\s[\w.=/-]{1,60}){0,6}\s{0,3}$/;
const KEYWORD =
  /\b(?:or|and|xor|union|select|sleep|cat|ls|id|whoami|ping|curl|wget|null|etc|exec|on\w+|data|javascript|http|order|having|drop|union|sudo|env|timeout|wmic|net|cmd|powershell|reg|mshta|sh|start-process|invokefunction|allow_url_include|auto_prepend_file|call_user_func\w*|__\w+__)\b|\.\./i;

/** SQL that no user agent resembles, although they contain brackets and semicolons. */
const IN_AGENT: ReadonlySet<Signal> = new Set<Signal>([
  REQUEST.sqlTautology,
  REQUEST.sqlUnion,
  REQUEST.sqlDelay,
  REQUEST.sqlError,
  REQUEST.sqlFile,
  REQUEST.sqlSchema,
  REQUEST.sqlSubselect,
]);

/** The budget shared by the requests of one content, and the values already read. */
export interface Reading {
  chars: number;
  readings: number;
  /** Kinds and values; for repeated values, the first findings count. */
  readonly seen: Set<string>;
}

/** A full budget with at most `readings` variants. */
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
    // The name is part of the key, because it affects the weight of findings.
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
    if (reading.chars > 0) findSql(text, (signal) => findings.add(signal, 'in several values combined'));
  }
  findFraming(content, (signal) => findings.add(signal, 'in the headers'));
  findRights(fields, findings);
  if (isManyLogins(content)) findings.add(REQUEST.graphQlFlood, 'the body');
}

/** The string arguments of a GraphQL query, encoded like fields of a document. */
const argumentsIn = ({ value }: Field): readonly string[] => {
  const text = decodeUrl(value.replaceAll('+', ' '));
  return isGraphQl(text)
    ? textsIn(text).map((each) => each.replaceAll('%', '%25').replaceAll('+', '%2B'))
    : [];
};

/** Searches all variants of a field; only the last when the budget is used up. */
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
    // A field for a whole statement is not broken out of.
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

/** Finds attempts to make visitors administrators of a WordPress site. */
function findRights(fields: readonly Field[], findings: Findings): void {
  const role = fields.find(({ value, name }) => value === 'default_role' || name === 'default_role');
  const capabilities = fields.find(({ name }) =>
    /^wp_(?:\d+_)?(?:capabilities|user_level)\b/.test(name ?? ''),
  );
  const isWanted = role !== undefined && fields.some(({ value }) => value === 'administrator');
  if (isWanted || capabilities) findings.add(REQUEST.administrator, (capabilities ?? role)?.where ?? '');
}

/** A year after a title, which is not a call. */
const YEAR = /(?<=[A-Za-z]) \((?:19|20)\d\d(?: [A-Za-z]{2,20}){0,3}\)/g;
/** Range conditions as in document databases, except on secret fields. */
const BOUNDS =
  /"(?!\w{0,20}(?:pass|pwd|token|user|login|mail|secret|pin|otp|code|name))[\w.]{1,40}"\s{0,3}:\s{0,3}\{\s{0,3}(?:"\$(?:[gl]te?)"\s{0,3}:\s{0,3}(?:-?\d[\d.]{0,20}|"\d{4}-\d\d-\d\d[^"]{0,30}")|"\$in"\s{0,3}:\s{0,3}\[[^\]{}$]{0,400}\])(?:\s{0,3},\s{0,3}"\$[gl]te?"\s{0,3}:\s{0,3}(?:-?\d[\d.]{0,20}|"\d{4}-\d\d-\d\d[^"]{0,30}"))?\s{0,3}\}/gi;

/** Names of spreadsheet cells. */
const CELL = /^(?:values?|cells?|formulas?)$/i;
/** Names of fields for class names or searches. */
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
    isInBody: kind === 'body',
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
