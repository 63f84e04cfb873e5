import type { Command } from 'commander';
import type { Plan } from '../domain/license/catalog.ts';
import { licenseName } from '../domain/license/license.ts';
import { isoOrNull } from '../lib/clock.ts';
import { rotateKey } from '../operator/rotate-key.ts';
import { readPreviousKeys } from '../storage/licenses/previous-keys.ts';
import { type ActOptions, actNow, reasonOption } from '../terminal/act.ts';
import { duration } from '../terminal/options.ts';
import { print } from '../terminal/output.ts';
import type { Store } from '../terminal/store.ts';
import { findLicense } from './find-license.ts';

interface RotateOptions extends ActOptions {
  readonly grace?: number;
  readonly json?: true;
}

interface RotateParts {
  readonly withStore: (use: (store: Store) => Promise<void>) => Promise<void>;
  readonly printKey: (
    issued: { license_id: string; key: string; plan: Plan },
    json: true | undefined,
  ) => void;
}

/** `license rotate`: another key, at once or with a time in which both work. */
export function addRotateCommand(license: Command, { withStore, printKey }: RotateParts): void {
  license
    .command('rotate <id>')
    .description('replace the key; the new one is shown only now, the old one stops at once or after a grace')
    .option(
      '--grace <time>',
      'how long the old key works beside the new one, such as 24h or 7d, up to 30d; ends an earlier grace',
      duration('the grace'),
    )
    .addOption(reasonOption())
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  redoubt license rotate lic_1 --grace 24h')
    .action((name: string, options: RotateOptions) =>
      withStore(async (store) => {
        const { id, plan } = await findLicense(store, name);
        const { key, oldWorksUntil } = await store.act(async () => {
          const act = actNow(options);
          const previous = await readPreviousKeys(store.db)(id, act.now);
          return rotateKey(await findLicense(store, name), previous, options.grace ?? 0, act);
        });
        const until = isoOrNull(oldWorksUntil);
        const rotated = { license_id: licenseName(id), key, plan, old_key_works_until: until };
        printKey(rotated, options.json);
        if (!options.json) print(`The old key ${until === null ? 'has stopped' : `works until ${until}`}.`);
      }),
    );
}
