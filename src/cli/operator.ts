import { Command, Option } from 'commander';
import { ACTOR_NAME, ACTOR_NAME_RULE } from '../domain/admin/actor-name.ts';
import { LINK_MS, operatorState, ROLES, type Role } from '../domain/admin/operator.ts';
import { iso, isoOrNull, MINUTE_MS } from '../lib/clock.ts';
import { resetSecondFactor } from '../operator/account.ts';
import type { Act, PlannedAct, RefusedAct } from '../operator/act.ts';
import {
  addOperator,
  changeRole,
  disableOperator,
  enableOperator,
  linkOperator,
  type PlannedLink,
} from '../operator/operators.ts';
import type { Config } from '../settings/config.ts';
import { consoleOrigin, welcomePath } from '../settings/console-address.ts';
import { type Operator, readOperators } from '../storage/operators/operators.ts';
import { type ActOptions, actNow, reasonOption } from '../terminal/act.ts';
import { print, printJson, printOnce, table, WrongUsage } from '../terminal/output.ts';
import { type Store, withStore } from '../terminal/store.ts';

type Options = ActOptions & { readonly json?: true };

const rolesOption = (flag: string) => new Option(flag, 'what the operator may do').choices(ROLES);

/** Who signs in to the console. A running server goes by them at once. */
export function operatorCommand(settings: () => Config): Command {
  const operators = new Command('operator')
    .description('let people sign in to the console')
    .addHelpText('after', '\nExample:\n  redoubt operator add alice --role owner');

  const command = (name: string, description: string, example: string) =>
    operators
      .command(name)
      .description(description)
      .argument('<name>', 'the operator', operatorName)
      .addOption(reasonOption())
      .option('--json', 'print JSON')
      .addHelpText('after', `\nExample:\n  redoubt operator ${example}`);

  const linking =
    (plan: (name: string, all: readonly Operator[], act: Act, role: Role) => PlannedLink | RefusedAct) =>
    async (name: string, { role, json, ...options }: Options & { role: Role }) => {
      const made = await withStore(settings(), (store) =>
        store.act(async () => plan(name, await readOperators(store.db).all(), actNow(options), role)),
      );
      printLink(name, made, settings(), json);
    };

  const acting =
    (
      plan: (
        operator: Operator | undefined,
        all: readonly Operator[],
        act: Act,
        role: Role,
      ) => PlannedAct | RefusedAct,
    ) =>
    (name: string, { role, json, ...options }: Options & { role: Role }) =>
      withStore(settings(), async (store) => {
        await store.act(async () => {
          const all = await readOperators(store.db).all();
          return plan(named(all, name), all, actNow(options), role);
        });
        await showOne(store, name, json);
      });

  command(
    'add',
    'let somebody sign in, once a password is chosen at the link that is printed',
    'add alice --role owner',
  )
    .addOption(rolesOption('--role <role>').default('viewer'))
    .action(linking((name, all, act, role) => addOperator(all, { name, role }, act)));
  command('link', 'print a link at which an operator chooses another password', 'link alice').action(
    linking((name, all, act) => linkOperator(named(all, name), act)),
  );
  command('role', 'give an operator another role', 'role alice --role operator')
    .addOption(rolesOption('--role <role>').makeOptionMandatory())
    .action(acting((operator, all, act, role) => changeRole(operator, all, role, act)));
  command(
    'disable',
    'keep an operator out, and end every session',
    'disable alice --reason "has left"',
  ).action(acting(disableOperator));
  command('enable', 'let an operator in again', 'enable alice').action(
    acting((operator, _, act) => enableOperator(operator, act)),
  );
  command(
    'reset-2fa',
    'take away the second factor of an operator who has lost it, and end every session',
    'reset-2fa alice --reason "lost the phone"',
  ).action(acting((operator, _, act) => resetSecondFactor(operator, act)));

  operators
    .command('list')
    .description('show all operators by their names')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  redoubt operator list')
    .action(({ json }: { json?: true }) =>
      withStore(settings(), async ({ db }) => {
        const shown = (await readOperators(db).all()).map(shownOperator);
        if (json) return printJson(shown);
        print(
          table(
            ['name', 'role', 'state', 'second factor', 'created at', 'signed in at'],
            shown.map(Object.values),
          ),
        );
      }),
    );
  return operators;
}

const operatorName = (text: string): string => {
  if (!ACTOR_NAME.test(text)) throw new WrongUsage(`the name of an operator ${ACTOR_NAME_RULE}`);
  return text;
};

const named = (all: readonly Operator[], name: string) => all.find((each) => each.name === name);

const shownOperator = (operator: Operator) => ({
  name: operator.name,
  role: operator.role,
  state: operatorState(operator),
  second_factor: operator.hasSecondFactor,
  created_at: iso(operator.createdAt),
  signed_in_at: isoOrNull(operator.signedInAt),
});

async function showOne({ db }: Store, name: string, json: true | undefined): Promise<void> {
  const operator = named(await readOperators(db).all(), name);
  if (operator === undefined) return;
  const { role, state } = shownOperator(operator);
  if (json) printJson(shownOperator(operator));
  else print(`${name}: ${role}, ${state}`);
}

function printLink(
  name: string,
  { secret, expiresAt }: PlannedLink,
  config: Config,
  json: true | undefined,
): void {
  const origin = consoleOrigin(config);
  const link = `${origin ?? ''}${welcomePath(secret)}`;
  const where = origin === undefined ? ', at the address that the log calls admin_url' : '';
  const words = `${name} chooses a password within ${LINK_MS / MINUTE_MS} minutes here${where}:\n\n  ${link}\n\nIt works once.`;
  printOnce(
    () => (json ? printJson({ name, link, expires_at: iso(expiresAt) }) : print(words)),
    `the link could not be written, so nobody has it: make another by "redoubt operator link ${name}"`,
  );
}
