import { Argument, Command, Option } from 'commander';
import { type ActCommands, addActCommand } from '../acts/command.ts';
import { create, type NewToken, revoke } from '../acts/tokens/acts.ts';
import { ACTOR_NAME, ACTOR_NAME_RULE } from '../domain/admin/actor-name.ts';
import { TOKEN_DAYS_MAX, tokenState } from '../domain/admin/admin-token.ts';
import { SCOPES, type Scope } from '../domain/admin/scope.ts';
import { iso, isoOrNull } from '../lib/clock.ts';
import type { CreatedToken } from '../operator/admin-tokens.ts';
import type { Config } from '../settings/config.ts';
import { type AdminToken, readAdminTokens } from '../storage/operators/admin-tokens.ts';
import { endOf, repeatable } from '../terminal/options.ts';
import { print, printJson, printOnce, table, WrongUsage } from '../terminal/output.ts';
import { withStore } from '../terminal/store.ts';

interface CreateOptions {
  readonly scope: readonly string[];
  readonly expires: (nowMs: number) => number;
}

const DEFAULT_TIME = '90d';

/** Tokens by which other programs use the admin API. A running server goes by them at once. */
export function tokenCommand(settings: () => Config): Command {
  const tokens = new Command('token')
    .description('create, list and revoke admin API tokens')
    .addHelpText('after', '\nExample:\n  redoubt token create shop --scope licenses:write');
  addCreateCommand(tokens, settings);

  tokens
    .command('list')
    .description('list all tokens by name, including expired and revoked ones')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  redoubt token list')
    .action(({ json }: { json?: true }) =>
      withStore(settings(), async ({ db }) => {
        const now = Date.now();
        const shown = (await readAdminTokens(db).all()).map((each) => shownToken(each, now));
        if (json) return printJson(shown);
        const rows = shown.map((each) => Object.values({ ...each, scopes: each.scopes.join(', ') }));
        print(table(COLUMNS, rows));
      }),
    );

  addActCommand(revoke, {
    parent: tokens,
    settings,
    sample: 'shop',
    target: () => [
      new Argument('<name>', 'the token, as listed by "redoubt token list"').argParser(tokenName),
    ],
    find: (_, { names: [name = ''] }) => ({ name }),
    async report(_, { names: [name = ''], json }, { db }) {
      const found = (await readAdminTokens(db).findByName(name)) as AdminToken;
      const shown = shownToken(found, Date.now());
      if (json) printJson(shown);
      else print(`${name}: ${shown.state}`);
    },
  });
  return tokens;
}

function addCreateCommand(tokens: Command, settings: () => Config): void {
  const end = endOf('--expires');
  const whatFor = 'a name, shown in the audit log as token:<name>';
  const commands: ActCommands<NewToken, CreatedToken, CreateOptions> = {
    parent: tokens,
    settings,
    sample: 'shop',
    target: () => [new Argument('<name>', whatFor).argParser(tokenName)],
    options: (command) =>
      command
        .addOption(repeatable('--scope <scope>', `what it may do: ${SCOPES.join(', ')}`))
        .addOption(
          new Option('--expires <end>', `expiry: a duration up to ${TOKEN_DAYS_MAX}d, or a time, ISO 8601`)
            .argParser(end)
            .default(end(DEFAULT_TIME), DEFAULT_TIME),
        ),
    check: ({ typed }) => void scopesOf(typed.scope),
    find(_, { names: [name = ''], typed }) {
      return { name, scopes: scopesOf(typed.scope), endOf: typed.expires };
    },
    report({ name, token, scopes, expiresAt }, { json }) {
      const shown = { name, token, scopes, expires_at: iso(expiresAt) };
      const words = `${name} (${scopes.join(', ')}), until ${shown.expires_at}\n\n  ${token}\n\nKeep this token now: it is not shown again.`;
      printOnce(
        () => (json ? printJson(shown) : print(words)),
        `the token ${name} was created but could not be printed and is lost. Revoke it with "redoubt token revoke ${name}", then create another`,
      );
    },
  };
  addActCommand(create, commands);
}

/** Never repeated in a message: the text may be the token itself, pasted by mistake. */
const tokenName = (text: string): string => {
  if (!ACTOR_NAME.test(text)) throw new WrongUsage(`the name of a token ${ACTOR_NAME_RULE}`);
  return text;
};

const THERE = `The scopes are ${SCOPES.join(', ')}`;

function scopesOf(texts: readonly string[]): Scope[] {
  if (texts.length === 0) throw new WrongUsage(`--scope is required. ${THERE}`);
  return texts.map((text) => {
    const scope = SCOPES.find((each) => each === text);
    if (scope === undefined) throw new WrongUsage(`"${text}" is not a scope. ${THERE}`);
    return scope;
  });
}

const COLUMNS = [
  'name',
  'token',
  'state',
  'created at',
  'expires at',
  'last used at',
  'revoked at',
  'scopes',
];

/** In the order of {@link COLUMNS}. */
const shownToken = (token: AdminToken, nowMs: number) => ({
  name: token.name,
  token: `rdo_…${token.tokenLast4}`,
  state: tokenState(token, nowMs),
  created_at: iso(token.createdAt),
  expires_at: iso(token.expiresAt),
  used_at: isoOrNull(token.usedAt),
  revoked_at: isoOrNull(token.revokedAt),
  scopes: token.scopes,
});
