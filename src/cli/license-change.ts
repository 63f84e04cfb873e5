import { type Command, Option } from 'commander';
import { PLANS, type Plan } from '../domain/license/catalog.ts';
import {
  CUSTOMER_CHARACTERS_MAX,
  EXTERNAL_ID_CHARACTERS_MAX,
  NOTE_CHARACTERS_MAX,
} from '../domain/license/customer.ts';
import type { Offer } from '../domain/payment/price-list.ts';
import type { RefusedAct } from '../operator/act.ts';
import { changeLicense, type PlannedChange } from '../operator/change-license.ts';
import type { LicenseRecord } from '../storage/licenses/licenses.ts';
import { type ActOptions, actNow, reasonOption } from '../terminal/act.ts';
import {
  dailyCount,
  emailAddress,
  lineOf,
  moment,
  orWord,
  repeatable,
  wholeNumber,
} from '../terminal/options.ts';
import { CommandRefused, print, printJson, table } from '../terminal/output.ts';
import type { Store } from '../terminal/store.ts';
import { findLicense } from './find-license.ts';

interface ChangeOptions extends ActOptions {
  readonly plan?: Plan;
  readonly sites?: number | 'default';
  readonly expires?: number | 'never';
  readonly note?: string;
  readonly customer?: string;
  readonly email?: string;
  readonly externalId?: string;
  readonly allowModule: readonly string[];
  readonly denyModule: readonly string[];
  readonly clearModules?: true;
  readonly dailyEvents?: number | 'default';
  readonly dailyBytes?: number | 'default';
  readonly dryRun?: true;
  readonly json?: true;
}

interface ChangeParts {
  readonly offer: () => Offer;
  readonly withStore: (use: (store: Store) => Promise<void>) => Promise<void>;
}

/** `license change`: any term of a license, at once or as a preview. */
export function addChangeCommand(license: Command, { offer, withStore }: ChangeParts): void {
  license
    .command('change <id>')
    .description('change the terms of a license')
    .addOption(new Option('--plan <plan>', 'another plan').choices(PLANS))
    .option(
      '--sites <number>',
      'number of sites, or "default" for the plan\'s',
      orWord('default', wholeNumber('the number of sites')),
    )
    .option('--expires <iso>', 'moment of expiry, ISO 8601, or "never"', orWord('never', moment))
    .option(
      '--note <text>',
      'a note for operators; "" removes it',
      orWord('', lineOf('--note', NOTE_CHARACTERS_MAX)),
    )
    .option(
      '--customer <name>',
      'whose license it is; "" removes it',
      orWord('', lineOf('--customer', CUSTOMER_CHARACTERS_MAX)),
    )
    .option('--email <address>', 'the customer\'s mailbox; "" removes it', orWord('', emailAddress))
    .option(
      '--external-id <id>',
      'what another system calls the license by; "" removes it',
      orWord('', lineOf('--external-id', EXTERNAL_ID_CHARACTERS_MAX)),
    )
    .addOption(repeatable('--allow-module <module>', 'add a module'))
    .addOption(repeatable('--deny-module <module>', 'take a module away'))
    .option('--clear-modules', "first drop the license's own modules, added and taken away")
    .option(
      '--daily-events <number>',
      'events of telemetry stored a day; 0 = no limit, "default" = the plan\'s',
      orWord('default', dailyCount('events')),
    )
    .option(
      '--daily-bytes <number>',
      'bytes of telemetry stored a day; 0 = no limit, "default" = the plan\'s',
      orWord('default', dailyCount('bytes')),
    )
    .addOption(reasonOption())
    .option('--dry-run', 'show what would change, and change nothing')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  redoubt license change lic_1 --plan pro --expires 2027-12-31 --dry-run',
    )
    .action((name: string, options: ChangeOptions) =>
      withStore(async (store) => {
        const sold = offer();
        const plan = async () => planned(store, await findLicense(store, name), options, sold);
        show(options.dryRun ? refusedOr(await plan()) : await store.act(plan), options);
      }),
    );
}

function planned(
  { db }: Store,
  license: LicenseRecord,
  options: ChangeOptions,
  sold: Offer,
): Promise<PlannedChange | RefusedAct> {
  const { plan, sites, expires, allowModule, denyModule, clearModules } = options;
  return changeLicense(
    db,
    license,
    {
      plan,
      sites: orNull(sites),
      expires: orNull(expires),
      note: noteOf(options.note),
      customer: noteOf(options.customer),
      email: noteOf(options.email),
      externalId: noteOf(options.externalId),
      clearModules,
      allowModules: allowModule,
      denyModules: denyModule,
      dailyEvents: orNull(options.dailyEvents),
      dailyBytes: orNull(options.dailyBytes),
    },
    sold,
    actNow(options),
  );
}

function refusedOr<Plan extends PlannedChange>(outcome: Plan | RefusedAct): Plan {
  if ('refused' in outcome) throw new CommandRefused(outcome.refused);
  return outcome;
}

function show({ before, after }: PlannedChange, { dryRun, json }: ChangeOptions): void {
  if (json) {
    printJson({ changed: !dryRun && Object.keys(after).length > 0, before, after });
    return;
  }
  const names = Object.keys(after) as (keyof typeof after)[];
  const rows = names.map((name) => [name, shown(before[name]), shown(after[name])]);
  print(
    rows.length === 0 ? 'Nothing changes.' : table(['term', 'before', dryRun ? 'would be' : 'after'], rows),
  );
}

/** Commander has no null: a word stands for it. */
const orNull = (value: number | string | undefined): number | null | undefined =>
  typeof value === 'string' ? null : value;

const noteOf = (text: string | undefined): string | null | undefined => (text === '' ? null : text);

const shown = (value: unknown): unknown => (Array.isArray(value) ? value.join(', ') || null : value);
