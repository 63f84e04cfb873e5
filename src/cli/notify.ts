import { Argument, Command } from 'commander';
import { type ActCommands, type AskedAct, addActCommand } from '../acts/command.ts';
import {
  add,
  type FoundTarget,
  findTarget,
  type NamedTarget,
  pause,
  remove,
  replay,
  resume,
  rotate,
  test,
} from '../acts/notifications/acts.ts';
import { ADDRESS_CHARACTERS_MAX, TARGET_NAME, TARGET_NAME_RULE } from '../domain/notification/target.ts';
import type { PlannedAct } from '../operator/act.ts';
import type { AddedTarget } from '../operator/notifications/add-target.ts';
import { shownTarget, shownTest } from '../operator/notifications/shown-target.ts';
import type { RotatedTarget } from '../operator/notifications/target-acts.ts';
import type { Config } from '../settings/config.ts';
import type { TargetRecord } from '../storage/notifications/targets.ts';
import { Ended, print, printJson, printOnce, SOMETHING_TO_DO, WrongUsage } from '../terminal/output.ts';
import type { Store } from '../terminal/store.ts';
import { addNotifyViews, stateWords } from './notify-views.ts';

/** Manages notification targets: people, chats and other programs. A running server uses changes at once. */
export function notifyCommand(settings: () => Config): Command {
  const notify = new Command('notify')
    .description('send events to chats, mailboxes and other programs')
    .addHelpText(
      'after',
      '\nExample:\n  redoubt notify add ops https://hooks.slack.com/services/T0/B0/x --format slack --min-severity critical',
    );
  addAddCommand(notify, settings);
  addNotifyViews(notify, settings);

  const acting = {
    parent: notify,
    settings,
    sample: 'ops',
    target: () => [new Argument('<name>', 'the target, as listed by "redoubt notify list"')],
    find: ({ db }: Store, { names: [name = ''] }: Pick<AskedAct, 'names'>) => findTarget(db, name),
  };
  const changing: ActCommands<FoundTarget, PlannedAct> = {
    ...acting,
    async report(_, { names: [name = ''], json }, { db }) {
      const { target } = await findTarget(db, name);
      if (target === undefined)
        return json ? printJson({ name, removed: true }) : print(`${name} is removed.`);
      if (json) printJson(shownTarget(target, true));
      else print(`${name}: ${stateWords(target)}`);
    },
  };
  addActCommand(test, { ...acting, report: (_, asked, store) => reportTest(asked, store, settings()) });
  for (const act of [pause, resume, remove, replay]) addActCommand(act, changing);
  const rotating: ActCommands<FoundTarget, RotatedTarget> = {
    ...acting,
    report: ({ secret }, { names: [name = ''], json }) => printSecret(name, secret, json),
  };
  addActCommand(rotate, rotating);
  return notify;
}

function addAddCommand(notify: Command, settings: () => Config): void {
  const adding: ActCommands<NamedTarget, AddedTarget> = {
    parent: notify,
    settings,
    sample: 'siem syslog+tls://siem.example.com',
    target: () => [
      new Argument('<name>', 'a name for the target').argParser(targetName),
      new Argument(
        '<address>',
        'https://..., mailto:..., syslog+tls://host:port or syslog+unix:///path',
      ).argParser(shortAddress),
    ],
    find: (_, { names: [name = '', address = ''] }) => ({ name, address }),
    async report({ secret }, { names: [name = ''], json }, { db }) {
      if (secret !== undefined) return printSecret(name, secret, json);
      const target = (await findTarget(db, name)).target as TargetRecord;
      if (json) printJson({ ...shownTarget(target, true), secret: null });
      else print(`${name}: ${stateWords(target)}`);
    },
  };
  addActCommand(add, adding);
}

const targetName = (text: string): string => {
  if (!TARGET_NAME.test(text)) throw new WrongUsage(`the name of a target ${TARGET_NAME_RULE}`);
  return text;
};

const shortAddress = (text: string): string => {
  if (text === '' || text.length > ADDRESS_CHARACTERS_MAX)
    throw new WrongUsage(`the address must have 1 to ${ADDRESS_CHARACTERS_MAX} characters`);
  return text;
};

async function reportTest(
  { names: [name = ''], json }: Pick<AskedAct, 'names' | 'json'>,
  store: Store,
  config: Config,
): Promise<void> {
  const { sendTestTo } = await import('./notify-test.ts');
  const shown = shownTest(await sendTestTo(name, store, config));
  if (json) printJson(shown);
  else print(shown.message);
  if (!shown.delivered) throw new Ended(SOMETHING_TO_DO);
}

function printSecret(name: string, secret: string, json: true | undefined): void {
  const words = `${name} signs with this secret:\n\n  ${secret}\n\nKeep it now: it is not shown again.`;
  printOnce(
    () => (json ? printJson({ name, secret }) : print(words)),
    `the secret of ${name} could not be printed and is lost. Create another with "redoubt notify rotate ${name}"`,
  );
}
