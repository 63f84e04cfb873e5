import { Command, Option } from 'commander';
import { ACTOR_NAME, ACTOR_NAME_RULE } from '../domain/admin/actor-name.ts';
import { TOKEN_DAYS_MAX, tokenState } from '../domain/admin/admin-token.ts';
import { SCOPES, type Scope } from '../domain/admin/scope.ts';
import { iso, isoOrNull } from '../lib/clock.ts';
import { createToken, revokeToken } from '../operator/admin-tokens.ts';
import type { Config } from '../settings/config.ts';
import { type AdminToken, readAdminTokens } from '../storage/operators/admin-tokens.ts';
import { type ActOptions, actNow, reasonOption } from '../terminal/act.ts';
import { confirmFinal, type FinalOptions, finalAct } from '../terminal/final-act.ts';
import { endOf, repeatable } from '../terminal/options.ts';
import { print, printJson, printOnce, table, WrongUsage } from '../terminal/output.ts';
import { withStore } from '../terminal/store.ts';

interface CreateOptions extends ActOptions {
  readonly scope: readonly string[];
  readonly expires: (nowMs: number) => number;
  readonly json?: true;
}

const DEFAULT_TIME = '90d';

/** Tokens by which other programs use the admin API. A running server goes by them at once. */
export function tokenCommand(settings: () => Config): Command {
  const tokens = new Command('token')
    .description('make, list and revoke tokens of the admin API')
    .addHelpText('after', '\nExample:\n  redoubt token create shop --scope licenses:write');
  addCreateCommand(tokens, settings);

  tokens
    .command('list')
    .description('show all tokens by their names, those that do not work any more too')
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

  const revoking = tokens
    .command('revoke')
    .description('revoke a token for good; its name can be used again')
    .argument('<name>', 'the token, as "redoubt token list" names it', tokenName);
  finalAct(revoking)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  redoubt token revoke shop --reason "the shop was replaced"')
    .action((name: string, { json, ...options }: FinalOptions & { json?: true }) =>
      withStore(settings(), async ({ db, act }) => {
        const { findByName } = readAdminTokens(db);
        await confirmFinal(options, `programs that use the token ${name} will be refused`, 'Revoke it?');
        await act(async () => revokeToken(await findByName(name), actNow(options)));
        const found = (await findByName(name)) as AdminToken;
        const shown = shownToken(found, Date.now());
        if (json) printJson(shown);
        else print(`${name}: ${shown.state}`);
      }),
    );
  return tokens;
}

function addCreateCommand(tokens: Command, settings: () => Config): void {
  const end = endOf('--expires');
  tokens
    .command('create')
    .description('make a token, which is shown only now')
    .argument('<name>', 'whose it is, as the audit log tells: token:<name>', tokenName)
    .addOption(repeatable('--scope <scope>', `what it may do: ${SCOPES.join(', ')}`))
    .addOption(
      new Option(
        '--expires <end>',
        `when it ends: a time from now on, up to ${TOKEN_DAYS_MAX}d, or a moment, ISO 8601`,
      )
        .argParser(end)
        .default(end(DEFAULT_TIME), DEFAULT_TIME),
    )
    .addOption(reasonOption())
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  redoubt token create shop --scope licenses:read --scope licenses:write --expires 365d',
    )
    .action(async (name: string, { scope, expires, json, ...options }: CreateOptions) => {
      const scopes = scopesOf(scope);
      const made = await withStore(settings(), async ({ db, act }) => {
        const { all } = readAdminTokens(db);
        return act(async () => {
          const by = actNow(options);
          return createToken(await all(), { name, scopes, expiresAt: expires(by.now) }, by);
        });
      });
      const { token } = made;
      const shown = { name, token, scopes: made.scopes, expires_at: iso(made.expiresAt) };
      const words = `${name} (${made.scopes.join(', ')}), until ${shown.expires_at}\n\n  ${token}\n\nKeep this token now: it is not shown again.`;
      printOnce(
        () => (json ? printJson(shown) : print(words)),
        `the token ${name} is made, but nobody has it, because it could not be written: revoke it by "redoubt token revoke ${name}", then make another`,
      );
    });
}

/** Never repeated in a message: somebody may paste the token itself. */
const tokenName = (text: string): string => {
  if (!ACTOR_NAME.test(text)) throw new WrongUsage(`the name of a token ${ACTOR_NAME_RULE}`);
  return text;
};

const THERE = `the scopes are ${SCOPES.join(', ')}`;

function scopesOf(texts: readonly string[]): Scope[] {
  if (texts.length === 0) throw new WrongUsage(`--scope is needed: ${THERE}`);
  return texts.map((text) => {
    const scope = SCOPES.find((each) => each === text);
    if (scope === undefined) throw new WrongUsage(`"${text}" is no scope: ${THERE}`);
    return scope;
  });
}

const COLUMNS = ['name', 'token', 'state', 'created at', 'expires at', 'used at', 'revoked at', 'scopes'];

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
