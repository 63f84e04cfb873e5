import { findCode } from './request/code.ts';
import { type Field, type FieldKind, fieldsOf } from './request/fields.ts';
import { findHtml } from './request/html.ts';
import { layersOf } from './request/layers.ts';
import { findNetwork } from './request/network.ts';
import { findObjects } from './request/objects.ts';
import { findPaths } from './request/paths.ts';
import { findProbe, findTool, findUpload } from './request/probes.ts';
import { findShell, findShellInHeader } from './request/shell.ts';
import { REQUEST, type Report } from './request/signals.ts';
import { findSql } from './request/sql.ts';
import type { Findings } from './signal.ts';

/** Characters of all readings of all values that are looked at. */
const BUDGET_CHARS = 192 * 1024;
const IS_FORM: ReadonlySet<FieldKind> = new Set(['query', 'body', 'name', 'whole']);
/** Ordinary words and numbers need no look. */
const HARMLESS = /^[\w -]{0,24}$|^[\d.,]{1,24}$/;
const KEYWORD =
  /\b(?:or|and|union|select|sleep|cat|ls|id|whoami|ping|curl|wget|null|etc|exec|on\w+|data|javascript|http|order|having|drop|union)\b|\.\./i;

/** Finds attacks in a request: a whole HTTP message, its target, its body, or one value. */
export function analyzeRequest(content: string, findings: Findings): void {
  let budget = BUDGET_CHARS;
  for (const field of fieldsOf(content)) budget = analyzeField(field, findings, budget);
}

/** Reads a field in all its variants, and in the last one alone when the budget is used up. */
function analyzeField({ kind, value, where }: Field, findings: Findings, budget: number): number {
  const report: Report = (signal) => findings.add(signal, where);
  if (kind === 'agent') findTool(value, report);
  if (kind === 'upload') findUpload(value, report);
  const { variants, urlRounds } = layersOf(value, IS_FORM.has(kind));
  if (urlRounds >= 3) report(REQUEST.encodedTwice);
  let left = budget;
  for (const [index, variant] of variants.entries()) {
    left -= variant.length;
    if (left <= 0 && index < variants.length - 1) continue;
    if (kind === 'path') findProbe(variant, report);
    if (HARMLESS.test(variant) && !KEYWORD.test(variant)) continue;
    analyzeValue(variant, kind, report);
  }
  return left;
}

function analyzeValue(value: string, kind: FieldKind, report: Report): void {
  if (kind === 'document') {
    findObjects(value, report);
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
