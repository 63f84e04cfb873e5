import { type Command, Option } from 'commander';
import { EXPLOITATIONS, type Exploitation } from '../domain/risk/facts.ts';
import { EXPLOITATION_FINDINGS } from '../domain/risk/score.ts';
import { VULNERABILITY_ID } from '../domain/vulnerability/cve.ts';
import { assertExploitation, withdrawExploitation } from '../operator/assert-exploitation.ts';
import type { Config } from '../settings/config.ts';
import { type Assertions, readAssertions } from '../storage/vulnerabilities/assertions.ts';
import { type ActOptions, actNow, reasonOption } from '../terminal/act.ts';
import { print, printJson, tell, WrongUsage } from '../terminal/output.ts';
import { type Store, withStore } from '../terminal/store.ts';
import { withCurrentSnapshot } from './vulns-snapshot.ts';

interface AssertOptions extends ActOptions {
  readonly exploitation?: Exploitation;
  readonly withdraw?: true;
  readonly json?: true;
}

/** `vulns assert`: what the operator knows of a vulnerability and no feed says. */
export function addAssertCommand(vulns: Command, settings: () => Config): void {
  vulns
    .command('assert <id>')
    .description('set the exploitation state of a vulnerability, in addition to the feeds')
    .addOption(
      new Option('--exploitation <state>', 'exploitation state; requires --reason').choices(EXPLOITATIONS),
    )
    .option('--withdraw', 'withdraw your statement')
    .addOption(reasonOption())
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  redoubt vulns assert CVE-2026-1000 --exploitation active --reason "seen in our logs"',
    )
    .action((id: string, options: AssertOptions) => {
      const name = idIn(id);
      const plan = planOf(name, options);
      return withStore(settings(), async (store) => {
        await store.act(async () => plan(await readAssertions(store.db)()));
        if (options.exploitation) await tellUnknown(store, settings().dataDir, name);
        show(name, options);
      });
    });
}

/** Looks at the words before anything is opened. */
function planOf(name: string, options: AssertOptions) {
  const { exploitation, withdraw, reason } = options;
  if ((exploitation === undefined) === (withdraw === undefined))
    throw new WrongUsage('use either --exploitation or --withdraw');
  if (exploitation === undefined)
    return (asserted: Assertions) => withdrawExploitation(asserted, name, actNow(options));
  if (reason === undefined) throw new WrongUsage('--exploitation requires --reason, for the audit log');
  return (asserted: Assertions) =>
    assertExploitation(asserted, { name, exploitation, reason }, actNow(options));
}

function idIn(text: string): string {
  if (!VULNERABILITY_ID.test(text))
    throw new WrongUsage('not a vulnerability id such as CVE-2026-1000 or GHSA-aaaa-bbbb-cccc');
  return text;
}

const tellUnknown = (store: Store, directory: string, name: string): Promise<void> =>
  withCurrentSnapshot(store.db, directory, (snapshot) => {
    if (snapshot?.find(name) !== undefined) return;
    tell(`no imported feed contains ${name}. Your assertion applies once one does`);
  });

function show(name: string, { exploitation, reason, json }: AssertOptions): void {
  if (json) printJson({ vulnerability_id: name, exploitation: exploitation ?? null, reason: reason ?? null });
  else if (exploitation === undefined) print(`${name} has no assertion.`);
  else print(`${name} is asserted: ${EXPLOITATION_FINDINGS[exploitation]}.`);
}
