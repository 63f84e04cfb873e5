import { Command, Option } from 'commander';
import { parseLicenseName } from '../domain/license/license.ts';
import { MORE_ALERTS } from '../domain/site/alerts.ts';
import { normalizeSiteDomain } from '../domain/site/site-domain.ts';
import {
  ALERT_NOTE_CHARACTERS_MAX,
  acknowledgeAlert,
  type NamedAlert,
  unacknowledgeAlert,
} from '../operator/acknowledge-alert.ts';
import type { Act, ActOutcome } from '../operator/act.ts';
import { alertCursor, parseAlertCursor, shownAlert } from '../operator/shown-alert.ts';
import type { Config } from '../settings/config.ts';
import type { Database } from '../storage/engine/database.ts';
import { type AlertFilter, type AlertPosition, readOpenAlerts } from '../storage/sites/open-alerts.ts';
import { type ActOptions, actNow, reasonOption } from '../terminal/act.ts';
import { limitOption, lineOf } from '../terminal/options.ts';
import { print, printJson, table, tell, WrongUsage } from '../terminal/output.ts';
import { withStore } from '../terminal/store.ts';
import { findLicense } from './find-license.ts';

interface ListOptions {
  readonly severity?: 'high' | 'critical';
  readonly license?: number;
  readonly domain?: string;
  readonly acknowledged?: true;
  readonly unacknowledged?: true;
  readonly limit: number;
  readonly cursor?: AlertPosition;
  readonly json?: true;
}

type ActingOptions = ActOptions & { readonly note?: string; readonly json?: true };

/** What may need somebody's attention, on the sites of all licenses. */
export function alertCommand(settings: () => Config): Command {
  const alert = new Command('alert')
    .description('list open alerts of all sites, and acknowledge them')
    .addHelpText('after', '\nExample:\n  redoubt alert list --unacknowledged');
  const domainName = (text: string): string => {
    const site = normalizeSiteDomain(text, settings().stagingDomains);
    if (site === undefined) throw new WrongUsage(`"${text}" is not a domain`);
    return site.name;
  };

  alert
    .command('list')
    .description(
      'list open alerts: those that nobody has acknowledged first, then critical ones, then the latest',
    )
    .addOption(new Option('--severity <severity>', 'only of this severity').choices(['critical', 'high']))
    .option('--license <id>', 'only of this license', licenseIn)
    .option('--domain <domain>', 'only of sites with this domain', domainName)
    .addOption(
      new Option('--acknowledged', 'only those that somebody has acknowledged').conflicts('unacknowledged'),
    )
    .option('--unacknowledged', 'only those that nobody has acknowledged')
    .addOption(limitOption())
    .option('--cursor <cursor>', 'go on from where an earlier answer said', cursorIn)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  redoubt alert list --severity critical --unacknowledged')
    .action((options: ListOptions) => withStore(settings(), ({ db }) => list(db, options)));

  const acting = (
    name: string,
    description: string,
    outcome: string,
    plan: (db: Database, alert: NamedAlert, options: ActingOptions, act: Act) => Promise<ActOutcome>,
  ) =>
    alert
      .command(name)
      .description(description)
      .argument('<license>', 'the license, such as lic_1')
      .argument('<domain>', 'the site', domainName)
      .argument('<subject>', 'what the alert is about, as "redoubt alert list" shows it')
      .addOption(reasonOption())
      .option('--json', 'print JSON')
      .action((license: string, domain: string, subject: string, options: ActingOptions) =>
        withStore(settings(), async (store) => {
          const { id } = await findLicense(store, license);
          const named = { licenseId: id, domain, subject };
          await store.act(() => plan(store.db, named, options, actNow(options)));
          if (options.json)
            printJson({ license_id: license, domain, subject, acknowledged: name === 'acknowledge' });
          else print(`${subject === MORE_ALERTS ? 'more' : subject} on ${domain} ${outcome}.`);
        }),
      );
  acting(
    'acknowledge',
    'note that somebody sees to an open alert, until more is told of it; its tenant sees nothing of that',
    'is acknowledged until more is told of it',
    (db, named, { note }, act) => acknowledgeAlert(db, named, { note }, act),
  )
    .option('--note <text>', 'what operators are to know of it', lineOf('--note', ALERT_NOTE_CHARACTERS_MAX))
    .addHelpText(
      'after',
      '\nExample:\n  redoubt alert acknowledge lic_1 shop.example.com malware --note "the owner is told"',
    );
  acting('unacknowledge', 'take an acknowledgement back', 'needs somebody again', (db, named, _, act) =>
    unacknowledgeAlert(db, named, undefined, act),
  ).addHelpText('after', '\nExample:\n  redoubt alert unacknowledge lic_1 shop.example.com malware');
  return alert;
}

async function list(db: Database, options: ListOptions): Promise<void> {
  const { severity, license, domain, acknowledged, unacknowledged, limit, cursor, json } = options;
  const isAcknowledged = acknowledged === unacknowledged ? undefined : acknowledged === true;
  const filter: AlertFilter = { severity, licenseId: license, domain, isAcknowledged };
  const { alerts, next } = await readOpenAlerts(db).page(filter, { from: cursor, limit }, Date.now());
  const shown = alerts.map(shownAlert);
  if (json) printJson(shown);
  else print(table(COLUMNS, shown.map(row)));
  if (next !== undefined) tell(`there may be more: --cursor ${alertCursor(next)}`);
}

const COLUMNS = ['license', 'domain', 'subject', 'severity', 'last', 'acknowledged', 'by', 'note'];

const row = (alert: ReturnType<typeof shownAlert>) => [
  alert.license_id,
  alert.domain,
  alert.subject,
  alert.severity,
  alert.last_occurred_at,
  alert.acknowledged_at,
  alert.acknowledged_by,
  alert.acknowledged_note,
];

const licenseIn = (text: string): number => {
  const id = parseLicenseName(text);
  if (id === undefined) throw new WrongUsage('a license is named as in lic_1');
  return id;
};

const cursorIn = (text: string): AlertPosition => {
  const position = parseAlertCursor(text);
  if (position === undefined) throw new WrongUsage('the cursor must be one that an earlier answer told');
  return position;
};
