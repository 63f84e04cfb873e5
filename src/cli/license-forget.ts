import type { Command } from 'commander';
import { licenseName } from '../domain/license/license.ts';
import { forgetCustomer } from '../operator/forget-customer.ts';
import { truncateLog } from '../storage/engine/database.ts';
import { actNow } from '../terminal/act.ts';
import { confirmFinal, type FinalOptions, finalAct } from '../terminal/final-act.ts';
import { print, printJson } from '../terminal/output.ts';
import type { OpenedStore } from '../terminal/store.ts';
import { findLicense } from './find-license.ts';

/** `license forget`: whose license it is, out of the license and out of the audit log. */
export function addForgetCommand(license: Command, withStore: OpenedStore): void {
  finalAct(
    license
      .command('forget <id>')
      .description('forget customer, e-mail, external id and note of a license, in the audit log as well'),
  )
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  redoubt license forget lic_1 --reason "asked for by the customer"')
    .action((name: string, options: FinalOptions & { json?: true }) =>
      withStore(async (store) => {
        const warning = `whose license ${licenseName((await findLicense(store, name)).id)} is will be known nowhere`;
        await confirmFinal(options, warning, 'Forget it?');
        const { jobs } = await store.act(async () =>
          forgetCustomer(store.db, await findLicense(store, name), actNow(options)),
        );
        // The log of the database still has the pages as they were.
        if (jobs.length > 0) await truncateLog(store.db);
        const forgotten = jobs.length > 0;
        const { id } = await findLicense(store, name);
        if (options.json) printJson({ license_id: licenseName(id), forgotten });
        else if (forgotten) print(`${licenseName(id)}: customer, e-mail, external id and note are forgotten`);
      }),
    );
}
