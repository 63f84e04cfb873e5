import { Command, Option } from 'commander';
import { type Catalog, PLANS, type Plan } from '../domain/license/catalog.ts';
import {
  CUSTOMER_CHARACTERS_MAX,
  EXTERNAL_ID_CHARACTERS_MAX,
  NOTE_CHARACTERS_MAX,
} from '../domain/license/customer.ts';
import { HOLDS, type Hold, licenseName } from '../domain/license/license.ts';
import { TRIAL_DAYS } from '../domain/license/trial.ts';
import type { Offer } from '../domain/payment/price-list.ts';
import { normalizeSiteDomain, type SiteDomain } from '../domain/site/site-domain.ts';
import { iso } from '../lib/clock.ts';
import type { Act, ActOutcome } from '../operator/act.ts';
import { extendLicense } from '../operator/extend-license.ts';
import { resumeLicense, suspendLicense } from '../operator/hold-license.ts';
import { issueLicense, type WantedLicense } from '../operator/issue-license.ts';
import { bindDomain, blockDomain, unbindDomain, unblockDomain } from '../operator/license-domains.ts';
import { revocationWarning, revokeLicense } from '../operator/revoke-license.ts';
import { vouchForDomain, withdrawVouching } from '../operator/vouch-for-domain.ts';
import type { Config } from '../settings/config.ts';
import { loadOffer } from '../settings/offer.ts';
import type { Database } from '../storage/engine/database.ts';
import { type LicenseRecord, readBlockedDomains } from '../storage/licenses/licenses.ts';
import { readDomainControls } from '../storage/sites/domain-controls.ts';
import { type ActOptions, actNow, reasonOption } from '../terminal/act.ts';
import { confirmFinal, type FinalOptions, finalAct } from '../terminal/final-act.ts';
import {
  dailyCount,
  emailAddress,
  lineOf,
  moduleName,
  moment,
  repeatable,
  wholeNumber,
} from '../terminal/options.ts';
import {
  CommandRefused,
  NotWritten,
  print,
  printJson,
  printOnce,
  table,
  WrongUsage,
} from '../terminal/output.ts';
import { type OpenedStore, type Store, withStore } from '../terminal/store.ts';
import { findLicense } from './find-license.ts';
import { addChangeCommand } from './license-change.ts';
import { addExplainCommand } from './license-explain.ts';
import { addLicenseExportCommand } from './license-export.ts';
import { addFindCommand } from './license-find.ts';
import { addForgetCommand } from './license-forget.ts';
import { addImportCommand } from './license-import.ts';
import { type BatchOptions, batchSize, issueMany } from './license-issue.ts';
import { addListCommand } from './license-list.ts';
import { addRotateCommand } from './license-rotate.ts';
import { printLicense } from './license-view.ts';

interface IssueOptions extends BatchOptions {
  readonly sites?: number;
  readonly dailyEvents?: number;
  readonly dailyBytes?: number;
  readonly expires?: number;
  readonly trial?: true;
  readonly test?: true;
  readonly allowModule: readonly string[];
  readonly denyModule: readonly string[];
  readonly note?: string;
  readonly customer?: string;
  readonly email?: string;
  readonly count?: number;
}

/** The operator's commands for licenses; each change is audited and holds from the next request on. */
export function licenseCommand(settings: () => Config): Command {
  const license = new Command('license')
    .description('issue and manage licenses')
    .addHelpText('after', '\nExample:\n  redoubt license issue --plan pro --domain example.com');
  const offer = () => loadOffer(settings().catalogFile);
  const catalog = () => offer().catalog;

  const siteOf = (text: string): SiteDomain => {
    const site = normalizeSiteDomain(text, settings().stagingDomains);
    if (site === undefined) throw new WrongUsage(`"${text}" is not a domain`);
    return site;
  };
  /** A development host needs to be registered for surface scans alone; it then takes up a site. */
  const domainOf = (text: string): string => {
    const { name, counted } = siteOf(text);
    if (!counted && !settings().scanAllowPrivate) {
      throw new WrongUsage(
        `"${text}" is a development host and needs no registration: leave it out (only surface scans need it, with SERVICE_SCAN_ALLOW_PRIVATE=1)`,
      );
    }
    return name;
  };

  const show = (store: Store, license: LicenseRecord, json: true | undefined): Promise<void> =>
    printLicense(store, license, { catalog: catalog(), settings: settings(), json });

  /** A command that does one act on one license and shows it as it is then. */
  const acting = (
    name: string,
    description: string,
    plan: (
      license: LicenseRecord,
      act: Act,
      options: Readonly<Record<string, string>>,
      known: { readonly db: Database; readonly catalog: Catalog },
    ) => ActOutcome | Promise<ActOutcome>,
    /** Asks before an act that is final. */
    ask?: (license: LicenseRecord, options: FinalOptions) => Promise<void>,
  ) => {
    const command = license.command(`${name} <id>`).description(description);
    return (ask ? finalAct(command) : command.addOption(reasonOption()))
      .option('--json', 'print JSON')
      .action((id: string, options: Readonly<Record<string, string>> & ActOptions & { json?: true }) =>
        withStore(settings(), async (store) => {
          // A catalogue that cannot be read is refused before anything changes.
          const known = { db: store.db, catalog: catalog() };
          await ask?.(await findLicense(store, id), options as FinalOptions);
          await store.act(async () => plan(await findLicense(store, id), actNow(options), options, known));
          await show(store, await findLicense(store, id), options.json);
        }),
      );
  };

  const opened = <Value>(use: (store: Store) => Promise<Value>) => withStore(settings(), use);
  const holdOption = new Option('--hold <hold>', 'what the suspension is for')
    .choices(HOLDS)
    .makeOptionMandatory();

  license
    .command('issue')
    .description('issue a license and print its key, which is shown only now')
    .addOption(new Option('--plan <plan>', 'plan').choices(PLANS).makeOptionMandatory())
    .addOption(repeatable('--domain <domain>', 'register a domain at once'))
    .option('--sites <number>', "number of sites, in place of the plan's", wholeNumber('the number of sites'))
    .option('--expires <iso>', 'moment of expiry, ISO 8601; default: never', moment)
    .option('--daily-events <number>', 'events of telemetry stored a day; 0 = no limit', dailyCount('events'))
    .option('--daily-bytes <number>', 'bytes of telemetry stored a day; 0 = no limit', dailyCount('bytes'))
    .option('--trial', `a trial; expires in ${TRIAL_DAYS} days unless --expires says otherwise`)
    .option('--test', 'for development: not bound to domains, counts for nothing in the feed')
    .addOption(repeatable('--allow-module <module>', 'add a module'))
    .addOption(repeatable('--deny-module <module>', 'take a module away'))
    .option('--note <text>', 'a note for operators', lineOf('--note', NOTE_CHARACTERS_MAX))
    .option(
      '--customer <name>',
      'whose license it is, for operators; all licenses of a customer are one voice in the feed',
      lineOf('--customer', CUSTOMER_CHARACTERS_MAX),
    )
    .option(
      '--email <address>',
      "the customer's mailbox, for operators; all licenses of a mailbox are one voice in the feed",
      emailAddress,
    )
    .option(
      '--external-id <id>',
      'what another system calls the license by, for operators; no two licenses share one',
      lineOf('--external-id', EXTERNAL_ID_CHARACTERS_MAX),
    )
    .option('--count <number>', 'issue so many at once; with --out', batchSize)
    .option('--out <file>', 'with --count: where to put the keys; no file is replaced')
    .option('--csv', 'with --count: the keys as CSV, which they always are')
    .addOption(reasonOption())
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  redoubt license issue --plan pro --domain example.com --note "Example Ltd"\n  redoubt license issue --plan starter --count 500 --out keys.csv',
    )
    .action(async (options: IssueOptions) => {
      const issued = await issue(options, opened, offer(), domainOf).catch(nothingIssued);
      if (issued) printKey(issued, options.json);
    });

  const parts = {
    offer,
    catalog,
    domainName: (text: string) => siteOf(text).name,
    withStore: opened,
  };
  addListCommand(license, parts);
  addFindCommand(license, parts);

  license
    .command('show <id>')
    .description('show one license')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  redoubt license show lic_1')
    .action((id: string, options: { json?: true }) =>
      withStore(settings(), async (store) => show(store, await findLicense(store, id), options.json)),
    );

  addChangeCommand(license, parts);
  addImportCommand(license, { settings, offer, withStore: opened });
  addForgetCommand(license, opened);

  acting('suspend', 'put a hold on a license', (found, act, { hold }) =>
    suspendLicense(found, hold as Hold, act),
  )
    .addOption(holdOption)
    .addHelpText(
      'after',
      '\nExample:\n  redoubt license suspend lic_1 --hold operator --reason "unpaid since May"',
    );

  acting('resume', 'lift a hold; other holds stay', (found, act, { hold }) =>
    resumeLicense(found, hold as Hold, act),
  )
    .addOption(holdOption)
    .addHelpText('after', '\nExample:\n  redoubt license resume lic_1 --hold operator');

  acting('revoke', 'revoke a license for good', revokeLicense, async (found, options) => {
    if (found.revokedAt === null) await confirmFinal(options, revocationWarning(found), 'Revoke it?');
  }).addHelpText('after', '\nExample:\n  redoubt license revoke lic_1 --reason "a chargeback"');

  acting('extend', 'set another expiry, which holds whatever is paid', (found, act, { expires }) =>
    extendLicense(found, Number(expires), act),
  )
    .addOption(
      new Option('--expires <iso>', 'moment of expiry, ISO 8601').argParser(moment).makeOptionMandatory(),
    )
    .addHelpText('after', '\nExample:\n  redoubt license extend lic_1 --expires 2027-12-31T00:00:00Z');

  acting('bind', 'register a domain', (found, act, { domain = '' }, { db, catalog }) =>
    bindDomain(db, found, domain, catalog, act),
  )
    .addOption(new Option('--domain <domain>', 'domain').argParser(domainOf).makeOptionMandatory())
    .addHelpText('after', '\nExample:\n  redoubt license bind lic_1 --domain shop.example.com');

  const anyDomain = () =>
    new Option('--domain <domain>', 'domain').argParser((text) => siteOf(text).name).makeOptionMandatory();

  acting('unbind', 'give a domain up', (found, act, { domain = '', block }) =>
    unbindDomain(found, domain, block !== undefined, act),
  )
    .addOption(anyDomain())
    .option('--block', 'and keep it from being registered again')
    .addHelpText('after', '\nExample:\n  redoubt license unbind lic_1 --domain shop.example.com --block');

  acting('block', 'give a domain up and keep it out, its subdomains not', (found, act, { domain = '' }) =>
    blockDomain(found, domain, act),
  )
    .addOption(anyDomain())
    .addHelpText('after', '\nExample:\n  redoubt license block lic_1 --domain shop.example.com');

  acting('unblock', 'let a blocked domain be registered again', (found, act, { domain = '' }) =>
    unblockDomain(found, domain, act),
  )
    .addOption(anyDomain())
    .addHelpText('after', '\nExample:\n  redoubt license unblock lic_1 --domain shop.example.com');

  acting(
    'verify-domain',
    'vouch that the license controls a registered domain, where it cannot prove it by itself',
    async (found, act, { domain = '', withdraw }, { db }) => {
      const control = await readDomainControls(db).find(found.id, domain);
      return (withdraw === undefined ? vouchForDomain : withdrawVouching)(found, domain, control, act);
    },
  )
    .addOption(anyDomain())
    .option('--withdraw', 'take that back')
    .addHelpText('after', '\nExample:\n  redoubt license verify-domain lic_1 --domain shop.example.com');

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

  addRotateCommand(license, { withStore: opened, printKey });
  addExplainCommand(license, { settings, catalog });
  addLicenseExportCommand(license, { settings, catalog });

  return license;
}

/** A license with its key, which is shown only now. */
interface IssuedKey {
  readonly license_id: string;
  readonly key: string;
  readonly plan: Plan;
  readonly domains?: readonly string[];
}

/** Throws it again; of a refusal it also says that there is no new license. */
function nothingIssued(error: unknown): never {
  if (error instanceof NotWritten) throw error;
  for (const Refused of [WrongUsage, CommandRefused])
    if (error instanceof Refused) throw new Refused(`nothing was issued: ${error.message}`);
  throw error;
}

async function issue(
  options: IssueOptions,
  opened: OpenedStore,
  offer: Offer,
  domainOf: (text: string) => string,
): Promise<IssuedKey | undefined> {
  const { plan, domain, trial = false, test = false, allowModule, denyModule, count } = options;
  const wanted: WantedLicense = {
    ...options,
    isTrial: trial,
    isTest: test,
    domains: domain.map(domainOf),
    allowModules: allowModule.map(moduleName),
    denyModules: denyModule.map(moduleName),
  };
  if (count !== undefined) {
    await issueMany(count, wanted, options, offer, opened);
    return undefined;
  }
  if (options.out !== undefined || options.csv) throw new WrongUsage('--out and --csv belong to --count');
  const issued = (store: Store) => store.act(() => issueLicense(store.db, wanted, offer, actNow(options)));
  const { key, domains, outputs } = await opened(issued);
  return { license_id: licenseName(outputs[0] as number), key, plan, domains };
}

function printKey(issued: IssuedKey, json: true | undefined): void {
  const words = `${issued.license_id} (${issued.plan})\n\n  ${issued.key}\n\nKeep this key now: it is not shown again.`;
  printOnce(
    () => (json ? printJson(issued) : print(words)),
    `${issued.license_id} has a new key, but nobody has it, because it could not be written: get another by "redoubt license rotate ${issued.license_id}"`,
  );
}
