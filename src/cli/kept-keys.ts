import { Argument, type Command, Option } from 'commander';
import { type IssuerKeyFacts, issuerKeyState } from '../domain/credential/issuer-keys.ts';
import { keyInForm } from '../domain/signing/key-forms.ts';
import {
  LISTED_PURPOSES,
  type ListedPurpose,
  type PublishedKey,
  publishedKeys,
} from '../domain/signing/published-keys.ts';
import { formOf, KEY_FORMS, KEY_PURPOSES, type KeyForm } from '../domain/signing/purposes.ts';
import { iso, isoOrNull } from '../lib/clock.ts';
import type { PlannedKey } from '../operator/key-rotation.ts';
import { type Config, secretSetBy } from '../settings/config.ts';
import { keysDirectory } from '../settings/keys-directory.ts';
import { SETTINGS } from '../settings/settings.ts';
import { readCredentialKeys } from '../storage/credentials/credential-keys.ts';
import type { Database } from '../storage/engine/database.ts';
import { readEvidenceKey } from '../storage/evidence/evidence-key.ts';
import { readSigningKeys, signingKeyFiles } from '../storage/signing/signing-keys.ts';
import { type ActOptions, actNow, reasonOption } from '../terminal/act.ts';
import { confirmFinal, type FinalOptions, finalAct } from '../terminal/final-act.ts';
import { CommandRefused, print, printJson, table, WrongUsage } from '../terminal/output.ts';
import { type Store, withStore } from '../terminal/store.ts';
import { type KeyRing, openKeyRing, RING_PURPOSES, type RingPurpose } from './key-ring.ts';

/** `keys list`, `rotate`, `revoke` and `export`: the keys by which the service signs. A running server goes by them at once. */
export function addKeptKeyCommands(keys: Command, settings: () => Config): void {
  keys
    .command('list')
    .description('list the signing keys of a purpose, newest first')
    .addArgument(purposeArgument())
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  redoubt keys list license')
    .action((purpose: RingPurpose, { json }: { json?: true }) =>
      withRing(settings(), purpose, async ({ all }) => {
        const found = [...(await all())].sort((a, b) => b.activeFrom - a.activeFrom);
        const shown = found.map((key) => shownKey(key, found));
        if (json) printJson(shown);
        else print(table(COLUMNS, shown.map(Object.values)));
      }),
    );
  keys
    .command('rotate')
    .description('rotate a signing key: the new one is published now and signs in 24 hours')
    .addArgument(purposeArgument())
    .option('--now', 'sign with the new key at once; verifiers may not have it yet')
    .addOption(reasonOption())
    .addHelpText('after', '\nExample:\n  redoubt keys rotate reply --reason yearly')
    .action((purpose: RingPurpose, { now, ...options }: ActOptions & { now?: true }) =>
      withRing(settings(), purpose, async ({ rotate }, { act }) => {
        printKey(await act(() => rotate({ atOnce: now === true }, actNow(options))));
      }),
    );
  const revoking = keys
    .command('revoke')
    .description('revoke a key and everything it has signed; this is final')
    .usage('[options] [purpose] <kid>')
    .argument('<purpose|kid>', 'purpose of the key; not needed for credential keys')
    .argument('[kid]', 'the key, as listed by "redoubt keys list"');
  finalAct(revoking, { needsReason: true })
    .addHelpText(
      'after',
      '\nExample:\n  redoubt keys revoke license 21fe31dfa154a261 --reason "a backup was stolen"' +
        '\n\nBefore a key of your own whose name begins with "-", put "--":\n  redoubt keys revoke --reason lost -- -W93X...',
    )
    .action((first: string, second: string | undefined, options: FinalOptions) => {
      const [purpose, kid] = second === undefined ? ['credential', first] : [first, second];
      return withRing(settings(), ringPurpose(purpose), async ({ revoke, mark }, { act }) => {
        await confirmFinal(options, `everything signed by ${kid} becomes invalid`, 'Revoke it?');
        const done = await act(() => revoke(kid, actNow(options)));
        if (done.jobs.length > 0) print(`${kid} is revoked`);
        printKey(done);
        mark(kid);
      });
    });
  keys
    .command('export')
    .description('print the public key that verifies signatures')
    .addArgument(new Argument('<purpose>', 'purpose of the key').choices(LISTED_PURPOSES))
    .argument('[kid]', 'a specific key of that purpose')
    .addOption(
      new Option('--form <form>', 'output format; default: the usual one of the purpose').choices(KEY_FORMS),
    )
    .addHelpText('after', '\nExample:\n  redoubt keys export license > license.jwk')
    .action((purpose: ListedPurpose, kid: string | undefined, { form }: { form?: KeyForm }) =>
      withStore(settings(), async ({ db }) => print(await exported(db, settings(), { purpose, kid, form }))),
    );
}

const purposeArgument = () =>
  new Argument('[purpose]', 'purpose of the keys').choices(RING_PURPOSES).default('credential');

function ringPurpose(text: string): RingPurpose {
  const purpose = RING_PURPOSES.find((known) => known === text);
  if (purpose === undefined)
    throw new WrongUsage(`keys of this purpose cannot be revoked. Use one of ${RING_PURPOSES.join(', ')}`);
  return purpose;
}

/** Uses the keys of a purpose. Private halves that the database does not accept are removed. */
async function withRing(
  config: Config,
  purpose: RingPurpose,
  use: (ring: KeyRing, store: Store) => Promise<void>,
): Promise<void> {
  // Before this process becomes the owner of the data directory, who may not read what root may.
  const hasOwnKey = secretSetBy(SETTINGS.signingKey, process.env) !== undefined;
  await withStore(config, async (store) => {
    const ring = openKeyRing(purpose, { db: store.db, keysDir: keysDirectory(config), hasOwnKey });
    try {
      await use(ring, store);
    } finally {
      await ring.tidy();
    }
  });
}

/** All keys of this installation, as the server publishes them. */
export async function keptPublishedKeys(db: Database, config: Config): Promise<PublishedKey[]> {
  const [credential, stored] = await Promise.all([readCredentialKeys(db)(), readSigningKeys(db)()]);
  // A restored database may lack a revocation, which the next start adds again.
  const marked = new Set(
    KEY_PURPOSES.flatMap((each) => signingKeyFiles(keysDirectory(config), each).marked()),
  );
  const signing = stored.map((key) =>
    marked.has(key.kid) ? { ...key, revokedAt: key.revokedAt ?? Date.now() } : key,
  );
  return publishedKeys({ credential, signing, evidence: readEvidenceKey(keysDirectory(config)) }, Date.now());
}

interface ExportedKey {
  readonly purpose: ListedPurpose;
  /** Undefined = the one that signs. */
  readonly kid: string | undefined;
  readonly form: KeyForm | undefined;
}

async function exported(db: Database, config: Config, { purpose, kid, form }: ExportedKey): Promise<string> {
  const key = (await keptPublishedKeys(db, config)).find((each) =>
    kid === undefined ? each.purpose === purpose && each.state === 'active' : each.kid === kid,
  );
  if (key?.purpose !== purpose)
    throw new CommandRefused(
      kid === undefined
        ? `no key signs for ${purpose} yet. Start the service once to create it`
        : `no such key. List them with redoubt keys list ${purpose}`,
    );
  return keyInForm(key, form ?? formOf(purpose));
}

const COLUMNS = ['kid', 'state', 'active_from', 'last_expires_at', 'revoked_at'];

/** In the order of {@link COLUMNS}. */
const shownKey = (key: IssuerKeyFacts, keys: readonly IssuerKeyFacts[]) => ({
  kid: key.kid,
  state: issuerKeyState(key, keys, Date.now()),
  active_from: iso(key.activeFrom),
  last_expires_at: isoOrNull(key.lastExpiresAt),
  revoked_at: isoOrNull(key.revokedAt),
});

const printKey = ({ jobs, key }: PlannedKey): void => {
  if (jobs.length > 0 && key !== null) print(`${key.kid} signs from ${iso(key.activeFrom)}`);
};
