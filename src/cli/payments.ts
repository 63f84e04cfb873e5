import { Argument, Command } from 'commander';
import { addActCommand } from '../acts/command.ts';
import { retried, retry, retrySubject } from '../acts/payments/acts.ts';
import { SUBJECT_KINDS } from '../domain/payment/payment-event.ts';
import { shownPaymentProblems } from '../operator/shown-payment-problems.ts';
import type { Config } from '../settings/config.ts';
import { readPaymentProblems } from '../storage/payments/payment-problems.ts';
import { limitOption } from '../terminal/options.ts';
import { print, printJson, table, WrongUsage } from '../terminal/output.ts';
import { withStore } from '../terminal/store.ts';

/** What is wrong with payments, and trying it again. */
export function paymentsCommand(settings: () => Config): Command {
  const payments = new Command('payments')
    .description('list and retry failed payment events')
    .addHelpText('after', '\nExample:\n  redoubt payments problems');
  payments
    .command('problems')
    .description('list failed payment events, and licenses suspended for a payment')
    .addOption(limitOption())
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  redoubt payments problems --json')
    .action(({ limit, json }: { limit: number; json?: true }) =>
      withStore(settings(), async ({ db }) => {
        const shown = shownPaymentProblems(await readPaymentProblems(db)(limit, Date.now()));
        if (json) printJson(shown);
        else show(shown);
      }),
    );
  addActCommand(retry, {
    parent: payments,
    settings,
    sample: '',
    target: () => [
      new Argument('[kind]', 'kind of the subject').choices(SUBJECT_KINDS),
      new Argument('[subject]', 'its ID at the payment processor, such as sub_1PXyz'),
    ],
    check({ names: [kind, subjectId], typed }) {
      if (retrySubject(kind, subjectId, typed.all === true) === undefined)
        throw new WrongUsage('name a kind and a subject, as listed by "redoubt payments problems", or --all');
    },
    find(_, { names: [kind, subjectId] }) {
      const subject = retrySubject(kind, subjectId, false);
      return { subject: subject === 'all' ? undefined : subject };
    },
    report({ events }, { json }) {
      if (json) printJson({ events });
      else print(retried(events));
    },
  });
  return payments;
}

function show({
  failing,
  held_licenses: held,
  dismissed_today: dismissed,
}: ReturnType<typeof shownPaymentProblems>) {
  if (failing.length + held.length + dismissed === 0) return print('No payment problems.');
  const tables = [
    { columns: ['kind', 'subject', 'events', 'attempts', 'since', 'next attempt'], rows: failing },
    {
      columns: ['license', 'suspended from', 'disputed', 'details'],
      rows: held.map((license) => ({ ...license, details: license.details.join(', ') || null })),
    },
  ].filter(({ rows }) => rows.length > 0);
  print(tables.map(({ columns, rows }) => `${table(columns, rows.map(Object.values))}\n`).join('\n'));
  if (dismissed > 0) print(`Dismissed in the last 24 hours: ${dismissed}. See redoubt audit --actor stripe`);
}
