import { systemClock } from '../lib/clock.ts';
import type { Config } from '../settings/config.ts';
import { keysDirectory } from '../settings/keys-directory.ts';
import { readSigningKeys, signingKeyFiles } from '../storage/signing/signing-keys.ts';
import { openSigningKeys, type SigningKeys } from '../tasks/signing-keys.ts';
import { tell } from '../terminal/output.ts';
import type { Store } from '../terminal/store.ts';

/** The keys that sign for each purpose, made where there are none, for a command. See {@link openSigningKeys}. */
export const signingKeysOf = ({ db, change }: Store, config: Config): Promise<SigningKeys> =>
  openSigningKeys({
    clock: systemClock,
    log: { warn: tell, error: tell },
    isAlone: config.databaseUrl === undefined,
    read: readSigningKeys(db),
    filesOf: (purpose) => signingKeyFiles(keysDirectory(config), purpose),
    writer: { write: async (name, input) => (await change({ name, input } as never))[0] as never },
  });
