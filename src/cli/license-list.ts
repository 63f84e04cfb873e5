import { type Command, Option } from 'commander';
import { type Catalog, PLANS, type Plan } from '../domain/license/catalog.ts';
import { LICENSE_STATES, type LicenseState } from '../domain/license/license.ts';
import type { LicenseFilter } from '../domain/license/license-filter.ts';
import { licenseName, parseLicenseName } from '../domain/license/license-name.ts';
import { csvLine } from '../lib/csv.ts';
import { printableJson } from '../lib/printable.ts';
import { eachLicense, exportLicenses, listLicenses } from '../operator/list-licenses.ts';
import { LICENSE_COLUMNS, licenseCells, type ShownLicense, shownLicense } from '../operator/shown-license.ts';
import { actNow } from '../terminal/act.ts';
import { duration, limitOption } from '../terminal/options.ts';
import { print, printJson, stream, table, tell, WrongUsage } from '../terminal/output.ts';
import type { Store } from '../terminal/store.ts';

interface ListOptions {
  readonly status?: LicenseState;
  readonly plan?: Plan;
  readonly domain?: string;
  readonly expiringIn?: number;
  readonly silent?: true;
  readonly limit: number;
  readonly cursor?: number;
  readonly json?: true;
  readonly page?: true;
  readonly csv?: true;
  readonly ndjson?: true;
}

export interface ListParts {
  readonly catalog: () => Catalog;
  /** Normalises a domain; throws WrongUsage. */
  readonly domainName: (text: string) => string;
  readonly withStore: (use: (store: Store) => Promise<void>) => Promise<void>;
}

const wholeList = (flag: string, description: string) =>
  new Option(flag, description).conflicts(['limit', 'cursor', 'json', 'page']);

/** `license list`: a page of licenses, or all of them written as they are read. */
export function addListCommand(license: Command, { catalog, domainName, withStore }: ListParts): void {
  license
    .command('list')
    .description('list licenses by id; filters combine')
    .addOption(new Option('--status <status>', 'only with this status').choices(LICENSE_STATES))
    .addOption(new Option('--plan <plan>', 'only with this plan').choices(PLANS))
    .option('--domain <domain>', 'only with this domain registered', domainName)
    .option(
      '--expiring-in <time>',
      'only licenses that expire within a time such as 30d or 12h, except revoked ones',
      duration('--expiring-in'),
    )
    .option('--silent', 'only where no site reported for 24 hours')
    .addOption(limitOption())
    .option('--cursor <cursor>', 'continue from the cursor of an earlier page', cursorIn)
    .option('--json', 'print a page as JSON')
    .option('--page', 'with --json: print an object that also contains the next cursor')
    .addOption(
      wholeList('--csv', 'write the whole list as CSV (recorded in the audit log)').conflicts('ndjson'),
    )
    .addOption(wholeList('--ndjson', 'write the whole list as lines of JSON (recorded in the audit log)'))
    .addHelpText(
      'after',
      '\nExample:\n  redoubt license list --status active --expiring-in 30d\n  redoubt license list --csv > licenses.csv',
    )
    .action((options: ListOptions) => {
      if (options.page && !options.json) throw new WrongUsage('--page requires --json');
      return withStore((store) => list(store, options, catalog()));
    });
}

async function list(store: Store, options: ListOptions, catalog: Catalog): Promise<void> {
  const { status, plan, domain, expiringIn, silent, limit, cursor = 0, json, page } = options;
  const filter: LicenseFilter = { state: status, plan, domain, endsWithinMs: expiringIn, silent };
  const now = Date.now();
  if (options.csv || options.ndjson) {
    const format = options.csv ? 'csv' : 'ndjson';
    await store.act(() => exportLicenses(filter, format, actNow({})));
    if (format === 'csv') stream(csvLine(LICENSE_COLUMNS));
    for await (const some of eachLicense(store.db, filter, catalog, now))
      stream(some.map((each) => LINE[format](shownLicense(each, catalog, now))).join(''));
    return;
  }
  const { licenses, next } = await listLicenses(store.db, filter, { after: cursor, limit }, catalog, now);
  const shown = licenses.map((each) => shownLicense(each, catalog, now));
  const nextCursor = next === null ? null : licenseName(next);
  if (json) printJson(page ? { licenses: shown, next_cursor: nextCursor } : shown);
  else print(table(LIST_COLUMNS, shown.map(listRow)));
  if (nextCursor !== null) tell(`more licenses follow: --cursor ${nextCursor}`);
}

export const LIST_COLUMNS = ['id', 'key', 'status', 'plan', 'domains', 'expires', 'customer', 'note'];

/** A license as a row under LIST_COLUMNS. */
export const listRow = (each: ShownLicense) => [
  each.license_id,
  each.key,
  each.status,
  each.plan,
  each.domains.join(', ') || null,
  each.expires_at,
  each.customer,
  each.note,
];

const LINE = {
  csv: (shown: ShownLicense) => csvLine(licenseCells(shown)),
  ndjson: (shown: ShownLicense) => `${printableJson(shown, 0)}\n`,
};

const cursorIn = (text: string): number => {
  const id = parseLicenseName(text);
  if (id === undefined) throw new WrongUsage('--cursor is not a cursor of this list, such as lic_50');
  return id;
};
