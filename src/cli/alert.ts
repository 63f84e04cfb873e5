import { Argument, Command, Option } from 'commander';
import { acknowledge, unacknowledge } from '../acts/alerts/acts.ts';
import { addActCommand, domainOf } from '../acts/command.ts';
import { MORE_ALERTS } from '../domain/site/alerts.ts';
import { alertCursor, parseAlertCursor, shownAlert } from '../operator/shown-alert.ts';
import type { Config } from '../settings/config.ts';
import type { Database } from '../storage/engine/database.ts';
import { type AlertFilter, type AlertPosition, readOpenAlerts } from '../storage/sites/open-alerts.ts';
import { licenseIn, limitOption } from '../terminal/options.ts';
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

/** Alerts on the sites of all licenses. */
export function alertCommand(settings: () => Config): Command {
  const alert = new Command('alert')
    .description('list open alerts of all sites, and acknowledge them')
    .addHelpText('after', '\nExample:\n  redoubt alert list --unacknowledged');
  const domainName = (text: string) => domainOf(text, false, settings());

  alert
    .command('list')
    .description('list open alerts: unacknowledged first, then critical, then newest')
    .addOption(new Option('--severity <severity>', 'only this severity').choices(['critical', 'high']))
    .option('--license <id>', 'only of this license', licenseIn)
    .option('--domain <domain>', 'only of sites with this domain', domainName)
    .addOption(new Option('--acknowledged', 'only acknowledged alerts').conflicts('unacknowledged'))
    .option('--unacknowledged', 'only unacknowledged alerts')
    .addOption(limitOption())
    .option('--cursor <cursor>', 'continue from the cursor of an earlier page', cursorIn)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  redoubt alert list --severity critical --unacknowledged')
    .action((options: ListOptions) => withStore(settings(), ({ db }) => list(db, options)));

  for (const act of [acknowledge, unacknowledge])
    addActCommand(act, {
      parent: alert,
      settings,
      sample: 'lic_1 shop.example.com malware',
      target: () => [
        new Argument('<license>', 'the license, such as lic_1'),
        new Argument('<domain>', 'the site').argParser(domainName),
        new Argument('<subject>', 'subject of the alert, as listed by "redoubt alert list"'),
      ],
      async find(store, { names: [license = '', domain = '', subject = ''] }) {
        return { licenseId: (await findLicense(store, license)).id, domain, subject };
      },
      report(_, { names: [license_id, domain, subject], json }) {
        if (json) printJson({ license_id, domain, subject, acknowledged: act === acknowledge });
        else print(`${subject === MORE_ALERTS ? 'more' : subject} on ${domain} ${act.done}.`);
      },
    });
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
  if (next !== undefined) tell(`more alerts may follow: --cursor ${alertCursor(next)}`);
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

const cursorIn = (text: string): AlertPosition => {
  const position = parseAlertCursor(text);
  if (position === undefined) throw new WrongUsage('--cursor is not a cursor of this list');
  return position;
};
