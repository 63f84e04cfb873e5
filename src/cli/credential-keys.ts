import type { Command } from 'commander';
import { issuerKeyState } from '../domain/credential/issuer-keys.ts';
import { iso, isoOrNull } from '../lib/clock.ts';
import {
  type KeyMaking,
  type PlannedKey,
  revokeCredentialKey,
  rotateCredentialKey,
} from '../operator/credential-keys.ts';
import { type Config, secretSetBy } from '../settings/config.ts';
import { keysDirectory } from '../settings/keys-directory.ts';
import { SETTINGS } from '../settings/settings.ts';
import { credentialKeyFiles } from '../storage/credential-key-files.ts';
import { readCredentialKeys, type StoredKey } from '../storage/credential-keys.ts';
import { type ActOptions, actNow, reasonOption } from './act.ts';
import { print, printJson, table } from './output.ts';
import { type Store, withStore } from './store.ts';

/** `keys list`, `rotate` and `revoke`: the keys by which the service signs credentials. A running server goes by them at once. */
export function addCredentialKeyCommands(keys: Command, settings: () => Config): void {
  keys
    .command('list')
    .description('show the keys that sign credentials, the newest first')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  redoubt keys list')
    .action(({ json }: { json?: true }) =>
      withStore(settings(), async ({ db }) => {
        const found = [...(await readCredentialKeys(db)())].sort((a, b) => b.activeFrom - a.activeFrom);
        const shown = found.map((key) => shownKey(key, found));
        if (json) printJson(shown);
        else print(table(COLUMNS, shown.map(Object.values)));
      }),
    );
  keys
    .command('rotate')
    .description('have another key sign credentials: published at once, it signs in 24 hours')
    .option('--now', 'it signs at once, before every verifier can know it')
    .addOption(reasonOption())
    .addHelpText('after', '\nExample:\n  redoubt keys rotate --reason yearly')
    .action(({ now, ...options }: ActOptions & { now?: true }) =>
      changeKeys(settings(), async ({ db, act }, making) => {
        const read = readCredentialKeys(db);
        const atOnce = now === true;
        printKey(
          await act(async () => rotateCredentialKey(await read(), making, { atOnce }, actNow(options))),
        );
      }),
    );
  keys
    .command('revoke')
    .description('have a key, and all credentials that it has signed, not hold any more; this is final')
    .argument('<kid>', 'the key, as "redoubt keys list" names it')
    .addOption(reasonOption().makeOptionMandatory())
    .addHelpText(
      'after',
      '\nExample:\n  redoubt keys revoke NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs --reason "a backup was stolen"' +
        '\n\nBefore a key of your own whose name begins with "-", put "--":\n  redoubt keys revoke --reason lost -- -W93X...',
    )
    .action((kid: string, options: ActOptions) =>
      changeKeys(settings(), async ({ db, act }, making) => {
        const read = readCredentialKeys(db);
        const done = await act(async () => revokeCredentialKey(await read(), making, kid, actNow(options)));
        if (done.jobs.length > 0) print(`${kid} is revoked`);
        printKey(done);
        credentialKeyFiles(keysDirectory(settings())).mark(kid);
      }),
    );
}

/** Changes keys, by a private half that is made where one is needed, and removed again where the database does not take its key. */
async function changeKeys(
  config: Config,
  change: (store: Store, making: KeyMaking) => Promise<void>,
): Promise<void> {
  // Before this process becomes the owner of the data directory, who may not read what root may.
  const hasOwnKey = secretSetBy(SETTINGS.signingKey, process.env) !== undefined;
  await withStore(config, async (store) => {
    const files = credentialKeyFiles(keysDirectory(config));
    const made: string[] = [];
    const make = () => {
      const key = files.make();
      made.push(key.kid);
      return key;
    };
    try {
      await change(store, { make, hasOwnKey });
    } finally {
      const known = (await readCredentialKeys(store.db)()).map(({ kid }) => kid);
      for (const kid of made) if (!known.includes(kid)) files.remove(kid);
    }
  });
}

const COLUMNS = ['kid', 'state', 'active_from', 'last_expires_at', 'revoked_at'];

/** In the order of {@link COLUMNS}. */
const shownKey = (key: StoredKey, keys: readonly StoredKey[]) => ({
  kid: key.kid,
  state: issuerKeyState(key, keys, Date.now()),
  active_from: iso(key.activeFrom),
  last_expires_at: isoOrNull(key.lastExpiresAt),
  revoked_at: isoOrNull(key.revokedAt),
});

const printKey = ({ jobs, key }: PlannedKey): void => {
  if (jobs.length > 0 && key !== null) print(`${key.kid} signs from ${iso(key.activeFrom)} on`);
};
