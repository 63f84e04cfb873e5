import { Command } from 'commander';
import { iso } from '../lib/clock.ts';
import { auditSubject, shownAuditEntry } from '../operator/shown-audit-entry.ts';
import type { Config } from '../settings/config.ts';
import { type AuditedFacts, FORGOTTEN, type KeptAuditEntry, readAudit } from '../storage/audit.ts';
import { limitOption, moment, wholeNumber } from './options.ts';
import { print, printJson, table, tell } from './output.ts';
import { withStore } from './store.ts';

interface AuditOptions {
  readonly subject?: string;
  readonly actor?: string;
  readonly since?: number;
  readonly limit: number;
  readonly cursor?: number;
  readonly json?: true;
}

const CURSOR_DIGITS_MAX = 15;

/** The operator's view of the audit log, the latest first. */
export function auditCommand(settings: () => Config): Command {
  return new Command('audit')
    .description('show who did what, the latest first')
    .option('--subject <name>', 'only what was done to this, such as lic_1', auditSubject)
    .option(
      '--actor <actor>',
      'only what was done by this one, such as cli:alice, or by a kind: cli, token, operator, stripe, system',
    )
    .option('--since <iso>', 'only from this moment on, ISO 8601', moment)
    .addOption(limitOption())
    .option(
      '--cursor <cursor>',
      'go on from where an earlier answer said',
      wholeNumber('the cursor', CURSOR_DIGITS_MAX),
    )
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  redoubt audit --subject lic_1 --since 2027-01-01')
    .action(({ cursor, json, ...query }: AuditOptions) =>
      withStore(settings(), async ({ db }) => {
        // One more than is shown tells whether there are more.
        const found = await readAudit(db, { ...query, limit: query.limit + 1, beforeId: cursor });
        const page = found.slice(0, query.limit);
        if (json) printJson(page.map(shownAuditEntry));
        else print(table(['at', 'actor', 'action', 'subject', 'what', 'reason'], page.map(row)));
        if (found.length > page.length) tell(`there are more: --cursor ${page.at(-1)?.id}`);
      }),
    );
}

const row = ({ at, actor, action, subject, reason, before, after }: KeptAuditEntry) => [
  iso(at),
  actor,
  action,
  subject,
  whatChanged(before ?? {}, after ?? {}) || null,
  reason,
];

const NOTHING = '-';

const whatChanged = (before: AuditedFacts, after: AuditedFacts): string =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .map((name) => ({ name, was: shown(name, before[name]), is: shown(name, after[name]) }))
    .filter(({ was, is }) => was !== is || is === FORGOTTEN)
    .map(({ name, was, is }) => (name in before ? `${name}: ${was} → ${is}` : `${name}: ${is}`))
    .join('; ');

/** Facts that are moments are named so. */
function shown(name: string, value: unknown): string {
  if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) return NOTHING;
  if (typeof value === 'number' && /(?:At|From|Until)$/.test(name)) return iso(value);
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
