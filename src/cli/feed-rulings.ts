import type { Command } from 'commander';
import type { FeedRuling } from '../domain/threat/feed-ruling.ts';
import { isFingerprint } from '../domain/threat/fingerprint.ts';
import { iso } from '../lib/clock.ts';
import { allowThreat, restoreThreat, withdrawThreat } from '../operator/rule-on-threat.ts';
import type { Config } from '../settings/config.ts';
import { type KeptRuling, readFeedRulings } from '../storage/threats/feed-rulings.ts';
import { type ActOptions, actNow, reasonOption } from '../terminal/act.ts';
import { limitOption } from '../terminal/options.ts';
import { print, printJson, table, tell, WrongUsage } from '../terminal/output.ts';
import { type Store, withStore } from '../terminal/store.ts';
import { rebuildAfter, rebuildOption, whenInWords } from './feed-rebuild.ts';

interface RulingOptions extends ActOptions {
  readonly rebuild?: true;
  readonly json?: true;
}

interface RulingCommand {
  readonly name: string;
  readonly description: string;
  readonly example: string;
  readonly plan: typeof withdrawThreat;
  /** What holds then; null = the reports decide. */
  readonly ruling: FeedRuling | null;
  readonly outcome: string;
}

const FINGERPRINT = 'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs';

const COMMANDS: readonly RulingCommand[] = [
  {
    name: 'withdraw',
    description: 'take an entry out of the feed, until it is restored',
    example: '--rebuild --reason "a false positive"',
    plan: withdrawThreat,
    ruling: 'withdrawn',
    outcome: 'is withdrawn from the feed until it is restored',
  },
  {
    name: 'allow',
    description: 'never let a threat into the feed, also one that nobody has reported yet',
    example: '--reason "our own scanner"',
    plan: allowThreat,
    ruling: 'allowed',
    outcome: 'is allowed, and kept out of the feed until it is restored',
  },
  {
    name: 'restore',
    description: 'let the reports decide again about what was withdrawn or allowed',
    example: '--reason "it was an attack"',
    plan: restoreThreat,
    ruling: null,
    outcome: 'is in the feed while enough customers report it',
  },
];

/** `feed withdraw`, `allow`, `restore` and `rulings`: what stays out of the feed, whoever reports it. */
export function addRulingCommands(feed: Command, settings: () => Config): void {
  for (const command of COMMANDS) {
    const { name, description, example } = command;
    feed
      .command(name)
      .description(description)
      .argument('<fingerprint>', 'the threat, as "redoubt feed show" names it')
      .addOption(rebuildOption())
      .addOption(reasonOption())
      .option('--json', 'print JSON')
      .addHelpText(
        'after',
        `\nExample:\n  redoubt feed ${name} ${FINGERPRINT} ${example}` +
          `\n\nBefore a fingerprint that begins with "-", put "--":\n  redoubt feed ${name} ${example} -- -W93X...`,
      )
      .action((fingerprint: string, options: RulingOptions) =>
        withStore(settings(), (store) => rule(store, settings(), command, fingerprint, options)),
      );
  }
  feed
    .command('rulings')
    .description('list what was withdrawn or allowed, in the order of the fingerprints')
    .addOption(limitOption())
    .option('--cursor <cursor>', 'go on from where an earlier answer said', cursorIn)
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
        if (found.length > shown.length) tell(`there are more: --cursor ${shown.at(-1)?.fingerprint}`);
      }),
    );
}

async function rule(
  store: Store,
  config: Config,
  { plan, ruling, outcome }: RulingCommand,
  fingerprint: string,
  options: RulingOptions,
): Promise<void> {
  await store.act(() => plan(store.db, fingerprint, actNow(options)));
  if (options.rebuild) await rebuildAfter(store, config, `${fingerprint} ${outcome}`, options);
  if (options.json) {
    printJson({ fingerprint, ruling, takes_effect: options.rebuild ? 'now' : 'next_epoch' });
    return;
  }
  print(`${fingerprint} ${outcome}.\n${whenInWords(config, options)}`);
}

/** In the order of the table's columns. */
const shownRuling = ({ fingerprint, ruling, ruledAt }: KeptRuling) => ({
  fingerprint,
  ruling,
  ruled_at: iso(ruledAt),
});

const cursorIn = (text: string): string => {
  if (!isFingerprint(text)) throw new WrongUsage('the cursor must be one that an earlier answer told');
  return text;
};
