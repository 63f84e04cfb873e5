import { Argument, Command } from 'commander';
import { type ActCommands, type AskedAct, addActCommand } from '../acts/command.ts';
import {
  add,
  changeRole,
  disable,
  enable,
  findOperator,
  link,
  resetSecond,
  type TargetOperator,
} from '../acts/operators/acts.ts';
import { ACTOR_NAME, ACTOR_NAME_RULE } from '../domain/admin/actor-name.ts';
import { LINK_MS, operatorState } from '../domain/admin/operator.ts';
import { iso, isoOrNull, MINUTE_MS } from '../lib/clock.ts';
import type { PlannedAct } from '../operator/act.ts';
import type { PlannedLink } from '../operator/operators.ts';
import type { Config } from '../settings/config.ts';
import { consoleOrigin, welcomePath } from '../settings/console-address.ts';
import { type Operator, readOperators } from '../storage/operators/operators.ts';
import { print, printJson, printOnce, table, WrongUsage } from '../terminal/output.ts';
import { type Store, withStore } from '../terminal/store.ts';

/** Who signs in to the console. A running server goes by them at once. */
export function operatorCommand(settings: () => Config): Command {
  const operators = new Command('operator')
    .description('manage the operators of the console')
    .addHelpText('after', '\nExample:\n  redoubt operator add alice --role owner');

  const common = {
    parent: operators,
    settings,
    sample: 'alice',
    target: () => [new Argument('<name>', 'the operator').argParser(operatorName)],
    find: ({ db }: Store, { names: [name = ''] }: Pick<AskedAct, 'names'>) => findOperator(db, name),
  };
  const linking: ActCommands<TargetOperator, PlannedLink> = {
    ...common,
    report: (made, { names: [name = ''], json }) => printLink(name, made, settings(), json),
  };
  const acting: ActCommands<TargetOperator, PlannedAct> = {
    ...common,
    report: (_, { names: [name = ''], json }, store) => showOne(store, name, json),
  };
  addActCommand(add, linking);
  addActCommand(link, linking);
  addActCommand(changeRole, acting);
  for (const act of [disable, enable, resetSecond]) addActCommand(act, acting);

  operators
    .command('list')
    .description('list all operators by name')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  redoubt operator list')
    .action(({ json }: { json?: true }) =>
      withStore(settings(), async ({ db }) => {
        const shown = (await readOperators(db).all()).map(shownOperator);
        if (json) return printJson(shown);
        print(
          table(
            ['name', 'role', 'state', 'second factor', 'created at', 'signed in at'],
            shown.map(({ oidc_issuer: _, oidc_subject: __, ...rest }) => Object.values(rest)),
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

const shownOperator = (operator: Operator) => ({
  name: operator.name,
  role: operator.role,
  state: operatorState(operator),
  second_factor: operator.hasSecondFactor,
  created_at: iso(operator.createdAt),
  signed_in_at: isoOrNull(operator.signedInAt),
  oidc_issuer: operator.oidcIssuer,
  oidc_subject: operator.oidcSubject,
});

async function showOne({ db }: Store, name: string, json: true | undefined): Promise<void> {
  const { operator } = await findOperator(db, name);
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
  const where = origin === undefined ? ', on the admin address (admin_url in the log)' : '';
  const words = `${name} can set a password with this link within ${LINK_MS / MINUTE_MS} minutes${where}:\n\n  ${link}\n\nIt works once.`;
  printOnce(
    () => (json ? printJson({ name, link, expires_at: iso(expiresAt) }) : print(words)),
    `the link could not be printed and is lost. Create another with "redoubt operator link ${name}"`,
  );
}
