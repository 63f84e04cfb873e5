import { Command } from 'commander';
import { iso } from '../lib/clock.ts';
import { acceptClock, futureInWords } from '../operator/accept-clock.ts';
import type { Config } from '../settings/config.ts';
import { type ActOptions, actNow, reasonOption } from '../terminal/act.ts';
import { print, printJson } from '../terminal/output.ts';
import { withStore } from '../terminal/store.ts';

interface AcceptOptions extends ActOptions {
  readonly json?: true;
}

/** Repairs what a wrong clock has left. */
export function clockCommand(settings: () => Config): Command {
  const clock = new Command('clock').description('repair data stored while the clock was wrong');
  clock
    .command('accept')
    .description('set times in the future to now: the clock is right, the rows are wrong')
    .addOption(reasonOption())
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  redoubt clock accept --reason "the clock ran 400 days ahead"')
    .action(({ json, ...options }: AcceptOptions) =>
      withStore(settings(), async ({ db, act }) => {
        const asked = actNow(options);
        const { found } = await act(() => acceptClock(db, asked));
        if (json) return printJson({ moment: iso(asked.now), changed: found });
        for (const each of found) print(`${futureInWords(each)}: set to ${iso(asked.now)}`);
      }),
    );
  return clock;
}
