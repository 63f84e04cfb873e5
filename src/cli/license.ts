import { Argument, Command } from 'commander';
import type { ActParts } from '../acts/act.ts';
import { type ActCommands, type AskedAct, addActCommand, domainOf } from '../acts/command.ts';
import { LICENSE_ACTS } from '../acts/licenses/acts.ts';
import { forget } from '../acts/licenses/ends.ts';
import { rotate } from '../acts/licenses/keys.ts';
import { change } from '../acts/licenses/terms.ts';
import { licenseName } from '../domain/license/license-name.ts';
import { iso, isoOrNull } from '../lib/clock.ts';
import type { PlannedAct } from '../operator/act.ts';
import type { PlannedChange } from '../operator/change-license.ts';
import type { Config } from '../settings/config.ts';
import { loadOffer } from '../settings/offer.ts';
import { truncateLog } from '../storage/engine/database.ts';
import { type LicenseRecord, readBlockedDomains } from '../storage/licenses/licenses.ts';
import { print, printJson, table } from '../terminal/output.ts';
import { type Store, withStore } from '../terminal/store.ts';
import { findLicense } from './find-license.ts';
import { addExplainCommand } from './license-explain.ts';
import { addLicenseExportCommand } from './license-export.ts';
import { addFindCommand } from './license-find.ts';
import { addImportCommand } from './license-import.ts';
import { addIssueCommand, printKey } from './license-issue.ts';
import { addListCommand } from './license-list.ts';
import { printLicense } from './license-view.ts';

/** The operator's commands for licenses; each change is audited and holds from the next request on. */
export function licenseCommand(settings: () => Config): Command {
  const license = new Command('license')
    .description('issue and manage licenses')
    .addHelpText('after', '\nExample:\n  redoubt license issue --plan pro --domain example.com');
  const offer = () => loadOffer(settings().catalogFile);
  const catalog = () => offer().catalog;
  const opened = <Value>(use: (store: Store) => Promise<Value>) => withStore(settings(), use);
  const parts = {
    offer,
    catalog,
    domainName: (text: string) => domainOf(text, false, settings()),
    withStore: opened,
  };
  const onOne = {
    parent: license,
    settings,
    sample: 'lic_1',
    target: () => [new Argument('<id>')],
    find: (store: Store, { names: [name = ''] }: Pick<AskedAct, 'names'>) => findLicense(store, name),
  };
  /** A catalogue that cannot be read is refused before anything changes. */
  const inTime = { prepare: ({ offer }: ActParts) => void offer };
  /** Shows the license as it is then. */
  const shown: ActCommands<LicenseRecord, PlannedAct> = {
    ...onOne,
    ...inTime,
    report: async (_, { names, json }, store, { offer: { catalog }, config }) =>
      printLicense(store, await onOne.find(store, { names }), { catalog, settings: config, json }),
  };

  addIssueCommand(license, settings);
  addListCommand(license, parts);
  addFindCommand(license, parts);

  license
    .command('show <id>')
    .description('show one license')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  redoubt license show lic_1')
    .action((id: string, { json }: { json?: true }) =>
      opened(async (store) =>
        printLicense(store, await findLicense(store, id), { catalog: catalog(), settings: settings(), json }),
      ),
    );

  addActCommand(change, { ...onOne, ...inTime, report: showChange });
  addImportCommand(license, { settings, offer, withStore: opened });
  addActCommand(forget, {
    ...onOne,
    async report({ jobs }, { names, json }, store) {
      const forgotten = jobs.length > 0;
      // The log of the database still has the pages as they were.
      if (forgotten) await truncateLog(store.db);
      const name = licenseName((await onOne.find(store, { names })).id);
      if (json) printJson({ license_id: name, forgotten });
      else if (forgotten) print(`${name}: customer, e-mail, external id and note deleted`);
    },
  });
  const others: readonly string[] = [change, forget, rotate].map(({ verb }) => verb);
  for (const act of LICENSE_ACTS) if (!others.includes(act.verb)) addActCommand(act, shown);

  license
    .command('blocked <id>')
    .description('list the blocked domains of a license')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  redoubt license blocked lic_1')
    .action((id: string, options: { json?: true }) =>
      withStore(settings(), async (store) => {
        const found = await readBlockedDomains(store.db)((await findLicense(store, id)).id);
        const blocked = found.map(({ domain, blockedAt }) => ({ domain, blocked_at: iso(blockedAt) }));
        if (options.json) return printJson(blocked);
        print(
          table(
            ['domain', 'blocked at'],
            blocked.map((each) => Object.values(each)),
          ),
        );
      }),
    );

  addActCommand(rotate, {
    ...onOne,
    async report({ key, oldWorksUntil }, { names, json }, store) {
      const { id, plan } = await onOne.find(store, { names });
      const until = isoOrNull(oldWorksUntil);
      printKey({ license_id: licenseName(id), key, plan, old_key_works_until: until }, json);
      if (!json) print(`The old key ${until === null ? 'no longer works' : `works until ${until}`}.`);
    },
  });
  addExplainCommand(license, { settings, catalog });
  addLicenseExportCommand(license, { settings, catalog });

  return license;
}

function showChange(
  { before, after }: PlannedChange,
  { isTrial, json }: { readonly isTrial: boolean; readonly json: true | undefined },
): void {
  if (json) {
    printJson({ changed: !isTrial && Object.keys(after).length > 0, before, after });
    return;
  }
  const names = Object.keys(after) as (keyof typeof after)[];
  const rows = names.map((name) => [name, cell(before[name]), cell(after[name])]);
  print(rows.length === 0 ? 'No changes.' : table(['term', 'before', isTrial ? 'would be' : 'after'], rows));
}

const cell = (value: unknown): unknown => (Array.isArray(value) ? value.join(', ') || null : value);
