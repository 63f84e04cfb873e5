import type { Command } from 'commander';
import type { Catalog } from '../domain/license/catalog.ts';
import { parseLicenseName } from '../domain/license/license-name.ts';
import { trimInvisible } from '../lib/trim-invisible.ts';
import { type Explanation, explainLicense, licenseOfKey } from '../operator/explain-license.ts';
import { shownExplanation } from '../operator/shown-explanation.ts';
import type { Config } from '../settings/config.ts';
import type { KeyedLicense, LicenseRecord } from '../storage/licenses/licenses.ts';
import { CommandRefused, print, printJson, table } from '../terminal/output.ts';
import { type Store, withStore } from '../terminal/store.ts';
import { findLicense } from './find-license.ts';
import { lineOfStdin, STDIN, warnOfKeyArgument } from './key-input.ts';

interface ExplainOptions {
  readonly domain?: string;
  readonly json?: true;
}

interface ExplainCommandParts {
  readonly settings: () => Config;
  readonly catalog: () => Catalog;
}

const KEY_BYTES_MAX = 1_024;

/** `license explain`: what license/verify would answer, and why. */
export function addExplainCommand(license: Command, { settings, catalog }: ExplainCommandParts): void {
  license
    .command('explain <license>')
    .description('show the result of a license check now, and why; <license> is an id, or - for a key')
    .option('--domain <domain>', 'for this domain, as the site sends it')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nPass a key on standard input, which keeps it out of the shell history and the process list.' +
        '\n\nExample:\n  redoubt license explain lic_1 --domain shop.example.com' +
        '\n  redoubt license explain - < key.txt',
    )
    .action((named: string, { domain, json }: ExplainOptions) =>
      withStore(settings(), async (store) => {
        const parts = { db: store.db, catalog: catalog(), settings: settings(), now: Date.now() };
        const explanation = await explainLicense(parts, await licenseOf(store, named), domain);
        if (json) printJson(shownExplanation(explanation));
        else printExplanation(explanation);
      }),
    );
}

/** A license by its name or a key. A key is never repeated. */
async function licenseOf(store: Store, named: string): Promise<LicenseRecord | KeyedLicense> {
  const text = named === STDIN ? await lineOfStdin(KEY_BYTES_MAX) : trimInvisible(named);
  if (parseLicenseName(text) !== undefined) return findLicense(store, text);
  if (named !== STDIN) warnOfKeyArgument('license explain');
  const found = await licenseOfKey(store.db, text);
  if ('refused' in found) throw new CommandRefused(found.refused);
  return found;
}

function printExplanation(explanation: Explanation): void {
  const facts = shownExplanation(explanation);
  const { answer, reason, daily_budget: budget, last_verify: last, previous_key: old } = facts;
  const told = answer.reason === null ? 'gets no reason' : `gets the reason "${answer.reason}"`;
  const verdict = answer.valid ? `valid, plan ${answer.plan}` : `not valid (${reason}); the site ${told}`;
  const list = (names: readonly string[]) => names.join(', ') || null;
  print(`${facts.license_id} ${facts.key}: result of a license check: ${verdict}\n`);
  print(facts.why.map((fact) => `- ${fact}`).join('\n'));
  print('');
  print(
    table(
      ['field', 'value'],
      [
        ['status', facts.status],
        ['plan', facts.plan],
        ['sites', `${facts.sites_used} of ${facts.sites_allowed}`],
        ['domains', list(facts.domains)],
        ['blocked domains', list(facts.blocked_domains)],
        ['previous key', old && `${old.key}, works until ${old.works_until}`],
        ['events today', `${budget.events_used} of ${budget.events ?? 'unlimited'}`],
        ['bytes today', `${budget.bytes_used} of ${budget.bytes ?? 'unlimited'}`],
        ...facts.daily_caps.map(({ route, used, allowed }) => [`${route} today`, `${used} of ${allowed}`]),
        ['last check', last && `${last.at}, ${last.reason ?? last.outcome}`],
        ['last heartbeat', facts.last_heartbeat_at],
      ],
    ),
  );
  const refusals = facts.refusals.map(Object.values);
  print(
    refusals.length === 0 ? '\nNo recent refusals.' : `\n${table(['refused at', 'code', 'route'], refusals)}`,
  );
  if (facts.refused_domains.length > 0)
    print(
      `\n${table(
        ['refused domain', 'reason', 'checks', 'last'],
        facts.refused_domains.map(({ domain, reason, count, last_at }) => [
          ...[domain, reason, String(count), last_at],
        ]),
      )}`,
    );
  print(
    `\nAs of ${facts.read_at}. A running service records results within ${facts.answers_late_seconds} seconds` +
      `${facts.answers_noted_at === null ? '; none recorded for this license yet' : `, last for this license at ${facts.answers_noted_at}`}. ` +
      'Rate limits per minute are not included.',
  );
}
