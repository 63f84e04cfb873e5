import type { Command } from 'commander';
import { findTarget, NO_TARGET } from '../acts/notifications/acts.ts';
import { iso, isoOrNull } from '../lib/clock.ts';
import { shownAttempt, shownTarget } from '../operator/notifications/shown-target.ts';
import type { Config } from '../settings/config.ts';
import type { Database } from '../storage/engine/database.ts';
import { readTargets, type TargetRecord } from '../storage/notifications/targets.ts';
import { licenseIn } from '../terminal/options.ts';
import { CommandRefused, print, printJson, table } from '../terminal/output.ts';
import { withStore } from '../terminal/store.ts';

interface ListOptions {
  readonly license?: number;
  readonly json?: true;
}

/** Adds the commands that show targets and their deliveries. */
export function addNotifyViews(notify: Command, settings: () => Config): void {
  notify
    .command('list')
    .description('list all targets by name, with their health')
    .option('--license <id>', 'list the targets of the tenant with this license', licenseIn)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  redoubt notify list')
    .action(({ license, json }: ListOptions) =>
      withStore(settings(), async ({ db }) => {
        const targets = await readTargets(db).list(license ?? null);
        if (json) return printJson(targets.map((each) => shownTarget(each, true)));
        print(table(COLUMNS, targets.map(rowOf)));
      }),
    );

  notify
    .command('show')
    .description('show a target and its health')
    .argument('<name>', 'the target')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  redoubt notify show ops')
    .action((name: string, { json }: { json?: true }) =>
      withStore(settings(), async ({ db }) => {
        const shown = shownTarget(await existing(db, name), true);
        if (json) return printJson(shown);
        print(table(['field', 'value'], Object.entries(shown).map(cellsOf)));
      }),
    );

  notify
    .command('deliveries')
    .description('list the last 50 deliveries to a target, newest first')
    .argument('<name>', 'the target')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  redoubt notify deliveries ops')
    .action((name: string, { json }: { json?: true }) =>
      withStore(settings(), async ({ db }) => {
        const { id } = await existing(db, name);
        const shown = (await readTargets(db).attempts(id)).map(shownAttempt);
        if (json) printJson(shown);
        else print(table(DELIVERY_COLUMNS, shown.map(Object.values)));
      }),
    );
}

/** Whether a target is sent to, in a word or two. */
export const stateWords = ({ pausedReason, waiting }: TargetRecord): string => {
  const waits = waiting === 0 ? '' : `, ${waiting} waiting`;
  return (pausedReason === null ? 'active' : `paused (${pausedReason})`) + waits;
};

const COLUMNS = ['name', 'kind', 'address', 'state', 'waiting', 'dropped', 'last success', 'last error'];

const rowOf = (target: TargetRecord) => {
  const { name, kind, address, pausedReason, waiting, dropped, succeededAt, failedAt, failure } = target;
  return [
    ...[name, kind, address, pausedReason === null ? 'active' : `paused (${pausedReason})`, waiting, dropped],
    ...[isoOrNull(succeededAt), failedAt === null ? null : `${iso(failedAt)} ${failure ?? ''}`],
  ];
};

const cellsOf = ([field, value]: [string, unknown]) => [
  field,
  Array.isArray(value) ? value.join(', ') || null : value,
];

const DELIVERY_COLUMNS = ['at', 'event', 'type', 'events', 'attempt', 'outcome', 'status', 'ms', 'reason'];

async function existing(db: Database, name: string): Promise<TargetRecord> {
  const { target } = await findTarget(db, name);
  if (target === undefined) throw new CommandRefused(NO_TARGET);
  return target;
}
