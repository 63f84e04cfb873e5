import { MOMENT_FORM, parseDayOrTimestamp } from '../../lib/timestamp.ts';
import type { SiteDomain } from '../site/site-domain.ts';
import { PLANS, type Plan } from './catalog.ts';
import {
  CUSTOMER_CHARACTERS_MAX,
  type CustomerNotes,
  customerNote,
  customerNoteRule,
  EXTERNAL_ID_CHARACTERS_MAX,
  NOTE_CHARACTERS_MAX,
} from './customer.ts';
import { canonicalEmail } from './email.ts';
import { isForeignKey } from './license-key.ts';
import {
  type Column,
  type LicenseTable,
  type LineRefusal,
  REFUSALS_MAX,
  type TableRow,
} from './license-table.ts';

/** A license as a row of a file wants it. */
export interface LicenseRow extends CustomerNotes {
  readonly line: number;
  /** Of another system; null when one is to be generated. */
  readonly key: string | null;
  readonly plan: Plan;
  /** Normalized and distinct. */
  readonly domains: readonly string[];
  /** Milliseconds since the Unix epoch; null = never. */
  readonly expires: number | null;
  readonly note: string | null;
}

export interface LicenseRows {
  readonly rows: readonly LicenseRow[];
  /** In no order; a line may have several. */
  readonly refusals: readonly LineRefusal[];
}

export interface RowTerms {
  /** Of rows that name none. */
  readonly plan?: Plan | undefined;
  readonly siteOf: (text: string) => SiteDomain | undefined;
  /** Whether development hosts may be registered. */
  readonly developmentHosts: boolean;
}

const FOREIGN_KEYS = 'must have 16 to 128 printable ASCII characters without spaces, and not start with rdt_';

/** Reads the requested license of each row; keeps the refusals of the table itself. */
export function readLicenseRows(table: LicenseTable, terms: RowTerms): LicenseRows {
  const refusals = [...table.refusals];
  const lines = { key: new Map<string, number>(), external_id: new Map<string, number>() };
  const rows: LicenseRow[] = [];
  for (const row of table.rows) {
    const { line } = row;
    if (refusals.length >= REFUSALS_MAX) break;
    const before = refusals.length;
    const refuse = (refused: string) => refusals.push({ line, refused });
    const read = readRow(row, terms, refuse);
    for (const [column, value] of [['key', read.key] as const, ['external_id', read.externalId] as const]) {
      if (value === null) continue;
      const first = lines[column].get(value);
      if (first === undefined) lines[column].set(value, line);
      else refuse(`${column}: repeats line ${first}`);
    }
    const { plan } = read;
    if (plan === null) {
      if (row.cells.plan === undefined) refuse('plan: is missing, and there is no default plan');
    } else if (refusals.length === before) rows.push({ ...read, plan });
  }
  return { rows, refusals };
}

function readRow(
  { line, cells, domains }: TableRow,
  terms: RowTerms,
  refuse: (refused: string) => void,
): Omit<LicenseRow, 'plan'> & { readonly plan: Plan | null } {
  const read = <Value>(
    column: Exclude<Column, 'domains'>,
    parse: (text: string) => Value | undefined,
    must: string,
  ): Value | null => {
    const text = cells[column];
    if (text === undefined) return null;
    const value = parse(text);
    if (value === undefined) refuse(`${column}: ${must}`);
    return value ?? null;
  };
  const readLine = (column: 'note' | 'customer' | 'external_id', charactersMax: number) =>
    read(column, (text) => customerNote(text, charactersMax), customerNoteRule(charactersMax));
  const planOf = (text: string) => PLANS.find((plan) => plan === text);
  return {
    line,
    key: read('key', (text) => (isForeignKey(text) ? text : undefined), FOREIGN_KEYS),
    plan:
      cells.plan === undefined
        ? (terms.plan ?? null)
        : read('plan', planOf, `is not one of ${PLANS.join(', ')}`),
    expires: read('expires', parseDayOrTimestamp, `is not ${MOMENT_FORM}`),
    note: readLine('note', NOTE_CHARACTERS_MAX),
    customer: readLine('customer', CUSTOMER_CHARACTERS_MAX),
    email: read('email', (text) => canonicalEmail(text) && text, 'is not an e-mail address'),
    externalId: readLine('external_id', EXTERNAL_ID_CHARACTERS_MAX),
    domains: readDomains(domains, terms, refuse),
  };
}

function readDomains(
  texts: readonly string[],
  { siteOf, developmentHosts }: RowTerms,
  refuse: (refused: string) => void,
): string[] {
  const names = new Set<string>();
  for (const [at, text] of texts.entries()) {
    const site = siteOf(text);
    if (site === undefined) refuse(`domains: number ${at + 1} is not a domain`);
    else if (!site.counted && !developmentHosts)
      refuse(`domains: number ${at + 1} is a development host, which requires no registration`);
    else names.add(site.name);
  }
  return [...names];
}
