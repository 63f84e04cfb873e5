import type { Findings } from '../signal.ts';
import { findCode, findCodeInFile } from './code.ts';
import { type Field, type FieldKind, fieldsOf } from './fields.ts';
import { findFraming } from './framing.ts';
import { findHtml } from './html.ts';
import { layersOf } from './layers.ts';
import { findNetwork } from './network.ts';
import { findObjects, findStructure } from './objects.ts';
import { ordinaryIn, withoutQuotations } from './ordinary.ts';
import { findPaths } from './paths.ts';
import { findProbe, findTool, findUpload } from './probes.ts';
import { type Purpose, purposeOf } from './purpose.ts';
import { findShell, findShellInHeader } from './shell.ts';
import { REQUEST, type Report } from './signals.ts';
import { findSql } from './sql.ts';

/** Characters of all readings of all values that are looked at. */
const BUDGET_CHARS = 80 * 1024;
/** Readings of values that are looked at; behind them a request is one value in one reading. */
const READINGS_MAX = 600;
const IS_FORM: ReadonlySet<FieldKind> = new Set(['query', 'body', 'name', 'whole']);
/** Ordinary words and numbers need no look. */
const HARMLESS = /^[\w -]{0,24}$|^[\d.,]{1,24}$/;
const KEYWORD =
  /\b(?:or|and|union|select|sleep|cat|ls|id|whoami|ping|curl|wget|null|etc|exec|on\w+|data|javascript|http|order|having|drop|union)\b|\.\./i;

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
  }
  findFraming(content, (signal) => findings.add(signal, 'in the head'));
  findRights(fields, findings);
}

/** Reads a field in all its variants, and in the last one alone when the budget is used up. */
function analyzeField(field: Field, findings: Findings, reading: Reading, purpose: Purpose): void {
  const { kind, value, where } = field;
  if (kind === 'file') {
    findCodeInFile(value, (signal) => findings.add(signal, where));
    reading.chars -= value.length;
    return;
  }
  const { variants, text, urlRounds } = layersOf(withoutQuotations(field), IS_FORM.has(kind));
  const ordinary = ordinaryIn(field, text, purpose);
  const report: Report = (signal) => {
    if (!ordinary.has(signal)) findings.add(signal, where);
  };
  if (kind === 'agent') findTool(value, report);
  if (kind === 'upload') findUpload(value, report);
  if (urlRounds >= 3) report(REQUEST.encodedTwice);
  for (const [index, variant] of variants.entries()) {
    reading.chars -= variant.length;
    if ((reading.chars <= 0 || reading.readings <= 0) && index < variants.length - 1) continue;
    if (kind === 'path') findProbe(variant, report);
    if (HARMLESS.test(variant) && !KEYWORD.test(variant)) continue;
    reading.readings--;
    analyzeValue(variant, kind, report);
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

function analyzeValue(value: string, kind: FieldKind, report: Report): void {
  if (kind === 'document') {
    findStructure(value, report);
    return;
  }
  const isWhole = kind !== 'header' && kind !== 'agent';
  if (kind !== 'agent') findSql(value, report);
  findHtml(value, report);
  findPaths(value, report, isWhole);
  if (isWhole) findShell(value, report);
  else findShellInHeader(value, report);
  findCode(value, report);
  findNetwork(value, report, isWhole && kind !== 'path');
  findObjects(value, report);
}
