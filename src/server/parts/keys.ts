import type { Parts } from '../../routes/parts.ts';
import { keysDirectory } from '../../settings/keys-directory.ts';
import { credentialKeyFiles } from '../../storage/credentials/credential-key-files.ts';
import { readCredentialKeys } from '../../storage/credentials/credential-keys.ts';
import { inTurn } from '../../storage/engine/clock-work.ts';
import { readSigningKeys, signingKeyFiles } from '../../storage/signing/signing-keys.ts';
import { openCredentialKeys } from '../../tasks/credential-keys.ts';
import { openSigningKeys } from '../../tasks/signing-keys.ts';
import type { Input, OfStore } from './needs.ts';

type Lasting = Parts<'clock' | 'log'> & OfStore<'clockWork' | 'db' | 'writer'>;

/** The keys that sign credentials, replies, license files and feeds. */
export const keys =
  ({ store: { db, writer, clockWork }, clock, log }: Lasting) =>
  ({ config, signingKey: ownKey, databaseAddress }: Input<'config' | 'databaseAddress' | 'signingKey'>) => {
    const directory = keysDirectory(config);
    const shared = { clock, log, writer, isAlone: databaseAddress === undefined };
    const open = async () => ({
      credentialKeys: await openCredentialKeys({
        ...shared,
        baseUrl: config.baseUrl,
        ownKey,
        read: readCredentialKeys(db),
        files: credentialKeyFiles(directory),
      }),
      signingKeys: await openSigningKeys({
        ...shared,
        read: readSigningKeys(db),
        filesOf: (purpose) => signingKeyFiles(directory, purpose),
      }),
    });
    // Several nodes with one directory of keys may start at the same time.
    return inTurn(clockWork, 'credential-keys', open);
  };
