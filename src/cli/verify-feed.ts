import { resolve } from 'node:path';
import { iso } from '../lib/clock.ts';
import { openBundle, type Signer } from '../operator/feed-exchange/open-bundle.ts';
import type { Config } from '../settings/config.ts';
import { readFeedTrusts } from '../storage/threats/feed-trusts.ts';
import { print, printJson } from '../terminal/output.ts';
import { type Store, withStoreForRoot } from '../terminal/store.ts';
import { refusingFile } from './backup-reading.ts';
import { threatsInWords } from './feed-export.ts';
import { ownFeedKeys } from './feed-key.ts';

/** Says whether a feed is of an installation that is trusted here, or of this one. */
export async function verifyFeed(
  path: string,
  config: Config,
  { json }: { readonly json?: true },
): Promise<void> {
  const { bundle, trust, threats } = await withStoreForRoot(config, ({ db }) => signersOf(db, config))
    .then((signers) => openBundle(path, signers))
    .catch(refusingFile(path));
  const { serial, installation } = bundle;
  const expires_at = iso(bundle.expiresAt);
  if (json)
    return printJson({
      path: resolve(path),
      sound: true,
      signed_by: trust.name,
      installation,
      serial,
      threats: threats.length,
      expires_at,
    });
  print(
    `${path} is a feed of ${threatsInWords(threats.length)}, serial ${serial}, signed by ${trust.name}: valid until ${expires_at}`,
  );
}

const signersOf = async (db: Store['db'], config: Config): Promise<Signer[]> => [
  ...(await readFeedTrusts(db)),
  ...(await ownFeedKeys(db, config)).map((key) => ({ name: 'this installation', key })),
];
