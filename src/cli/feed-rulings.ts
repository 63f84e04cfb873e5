import { Argument, type Command } from 'commander';
import { addActCommand } from '../acts/command.ts';
import { RULED, RULINGS } from '../acts/feed/acts.ts';
import { EXAMPLE_FINGERPRINT, isFingerprint } from '../domain/threat/fingerprint.ts';
import { iso } from '../lib/clock.ts';
import type { Config } from '../settings/config.ts';
import { type KeptRuling, readFeedRulings } from '../storage/threats/feed-rulings.ts';
import { limitOption } from '../terminal/options.ts';
import { print, printJson, table, tell, WrongUsage } from '../terminal/output.ts';
import { withStore } from '../terminal/store.ts';
import { rebuildAfter, whenInWords } from './feed-rebuild.ts';

/** `feed withdraw`, `allow`, `restore` and `rulings`: operators' rulings on threats, for all reporters. */
export function addRulingCommands(feed: Command, settings: () => Config): void {
  for (const act of RULINGS)
    addActCommand(act, {
      parent: feed,
      settings,
      sample: EXAMPLE_FINGERPRINT,
      target: () => [new Argument('<fingerprint>', 'the threat, as listed by "redoubt feed show"')],
      help: (verb) =>
        `\n\nBefore a fingerprint that begins with "-", put "--":\n  redoubt feed ${verb} -- -W93X...`,
      find: (_, { names: [fingerprint = ''] }) => fingerprint,
      async report(_, { names: [fingerprint = ''], typed, json }, store) {
        const done = `${fingerprint} ${act.done}`;
        const isRebuilt = typed.rebuild === true;
        if (isRebuilt) await rebuildAfter(store, settings(), done, typed);
        const takes_effect = isRebuilt ? 'now' : 'next_epoch';
        if (json) printJson({ fingerprint, ruling: RULED[act.verb], takes_effect });
        else print(`${done}.\n${whenInWords(settings(), isRebuilt ? { rebuild: true } : {})}`);
      },
    });
  feed
    .command('rulings')
    .description('list withdrawn and allowed threats, ordered by fingerprint')
    .addOption(limitOption())
    .option('--cursor <cursor>', 'continue from the cursor of an earlier page', cursorIn)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  redoubt feed rulings')
    .action(({ limit, cursor, json }: { limit: number; cursor?: string; json?: true }) =>
      withStore(settings(), async ({ db }) => {
        // One more than is shown tells whether there are more.
        const after = cursor === undefined ? {} : { after: cursor };
        const found = await readFeedRulings(db).page({ ...after, limit: limit + 1 });
        const shown = found.slice(0, limit).map(shownRuling);
        if (json) printJson(shown);
        else print(table(['fingerprint', 'ruling', 'ruled at'], shown.map(Object.values)));
        if (found.length > shown.length) tell(`more rulings follow: --cursor ${shown.at(-1)?.fingerprint}`);
      }),
    );
}

/** In the order of the table's columns. */
const shownRuling = ({ fingerprint, ruling, ruledAt }: KeptRuling) => ({
  fingerprint,
  ruling,
  ruled_at: iso(ruledAt),
});

const cursorIn = (text: string): string => {
  if (!isFingerprint(text)) throw new WrongUsage('--cursor is not a cursor of this list');
  return text;
};
