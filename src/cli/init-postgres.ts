import { KEY_PURPOSES, PURPOSES } from '../domain/signing/purposes.ts';
import { systemClock } from '../lib/clock.ts';
import type { Config } from '../settings/config.ts';
import type { PostgresAddress } from '../settings/database-address.ts';
import { keysDirectory } from '../settings/keys-directory.ts';
import { credentialKeyFiles } from '../storage/credentials/credential-key-files.ts';
import { readCredentialKeys } from '../storage/credentials/credential-keys.ts';
import { makePostgresInstallation } from '../storage/installation/postgres-installation.ts';
import { signingKeyFiles } from '../storage/signing/signing-keys.ts';
import { isIssuer, openCredentialKeys } from '../tasks/credential-keys.ts';
import { tell } from '../terminal/output.ts';
import { withStore } from '../terminal/store.ts';
import { signingKeysOf } from './signing-keys.ts';

/**
 * Makes the tables in PostgreSQL, and all keys that nodes have, so that these can be copied before a node starts.
 *
 * @returns the paths, or what it is, of what was made
 * @throws ConfigRefused, DataDirectoryUnusable, DatabaseUnusable, InstallationKeyRefused
 */
export async function initOnPostgres(
  config: Config,
  address: PostgresAddress,
  options: { readonly newKey: boolean },
): Promise<string[]> {
  const keys = keysDirectory(config);
  const made = await makePostgresInstallation({ data: config.dataDir, keys }, address, options);
  if (isIssuer(config.baseUrl)) made.push(...(await makeCredentialKey(config, keys)));
  return [...made, ...(await makeSigningKeys(config, keys))];
}

async function makeSigningKeys(config: Config, keys: string): Promise<string[]> {
  const kept = () =>
    KEY_PURPOSES.flatMap((purpose) =>
      signingKeyFiles(keys, purpose)
        .kept()
        .map((kid) => `the key ${kid}, which signs ${PURPOSES[purpose].signs}`),
    );
  const before = kept();
  await withStore(config, (store) => signingKeysOf(store, config));
  return kept().filter((key) => !before.includes(key));
}

async function makeCredentialKey(config: Config, keys: string): Promise<string[]> {
  const files = credentialKeyFiles(keys);
  const before = files.kept();
  const warn = (message: string) => tell(message);
  await withStore(config, ({ db, change }) =>
    openCredentialKeys({
      clock: systemClock,
      log: { warn, error: warn },
      isAlone: false,
      files,
      baseUrl: config.baseUrl,
      ownKey: undefined,
      read: readCredentialKeys(db),
      writer: { write: async (name, input) => (await change({ name, input } as never))[0] as never },
    }),
  );
  return files
    .kept()
    .filter((kid) => !before.includes(kid))
    .map((kid) => `the key ${kid}, which signs credentials`);
}
