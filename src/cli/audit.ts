import { Command, Option } from 'commander';
import { iso } from '../lib/clock.ts';
import { csvLine } from '../lib/csv.ts';
import { AUDIT_COLUMNS, auditCells, eachAuditEntry, exportAudit } from '../operator/list-audit.ts';
import { auditSubject, changedFacts, shownAuditEntry } from '../operator/shown-audit-entry.ts';
import type { Config } from '../settings/config.ts';
import { type KeptAuditEntry, readAudit } from '../storage/operators/audit.ts';
import { actNow } from '../terminal/act.ts';
import { limitOption, moment, wholeNumber } from '../terminal/options.ts';
import { print, printJson, stream, table, tell } from '../terminal/output.ts';
import { withStore } from '../terminal/store.ts';

interface AuditOptions {
  readonly subject?: string;
  readonly actor?: string;
  readonly since?: number;
  readonly limit: number;
  readonly cursor?: number;
  readonly json?: true;
  readonly csv?: true;
}

const CURSOR_DIGITS_MAX = 15;

/** The operator's view of the audit log, the latest first. */
export function auditCommand(settings: () => Config): Command {
  return new Command('audit')
    .description('show the audit log, newest first')
    .option('--subject <name>', 'only entries about this subject, such as lic_1', auditSubject)
    .option(
      '--actor <actor>',
      'only entries by this actor, such as cli:alice, or by a kind of actor: cli, token, operator, tenant, stripe, system',
    )
    .option('--since <iso>', 'only entries at or after this time, ISO 8601', moment)
    .addOption(limitOption())
    .option(
      '--cursor <cursor>',
      'continue from the cursor of an earlier page',
      wholeNumber('the cursor', CURSOR_DIGITS_MAX),
    )
    .option('--json', 'print JSON')
    .addOption(
      new Option('--csv', 'write the whole log as CSV (recorded in the log)').conflicts([
        'limit',
        'cursor',
        'json',
      ]),
    )
    .addHelpText(
      'after',
      '\nExample:\n  redoubt audit --subject lic_1 --since 2027-01-01\n  redoubt audit --csv > audit.csv',
    )
    .action(({ cursor, json, csv, ...query }: AuditOptions) =>
      withStore(settings(), async ({ db, act }) => {
        if (csv) {
          await act(() => exportAudit(query, actNow({})));
          stream(csvLine(AUDIT_COLUMNS));
          for await (const some of eachAuditEntry(db, query))
            stream(some.map((entry) => csvLine(auditCells(entry))).join(''));
          return;
        }
        // One more than is shown tells whether there are more.
        const found = await readAudit(db, { ...query, limit: query.limit + 1, beforeId: cursor });
        const page = found.slice(0, query.limit);
        if (json) printJson(page.map(shownAuditEntry));
        else print(table(['at', 'actor', 'action', 'subject', 'what', 'reason'], page.map(row)));
        if (found.length > page.length) tell(`more entries follow: --cursor ${page.at(-1)?.id}`);
      }),
    );
}

const row = (entry: KeptAuditEntry) => [
  iso(entry.at),
  entry.actor,
  entry.action,
  entry.subject,
  changedFacts(entry).join('; ') || null,
  entry.reason,
];
