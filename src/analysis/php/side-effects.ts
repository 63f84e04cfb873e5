import { WHOLE } from '../place.ts';
import { judgeCombinations } from './combinations.ts';
import { notePages } from './foreign-markup.ts';
import { PHP } from './signals.ts';
import type { PhpToken } from './token.ts';
import type { Walk } from './walk.ts';

/** Configuration files with database passwords. */
const SETTINGS =
  /(?:^|\/)(?:wp-config\.php|configuration\.php|local\.xml|env\.php|config\.inc\.php|settings\.php|parameters\.php|config\.php|\.env)$/;
const SETTINGS_MIN = 3;

/** An option in a mailbox name that starts another program. */
const STARTS_PROGRAM = '-oProxyCommand';

/** Logs of logins, and histories of shells. */
const LOGS = /\b(?:wtmp|utmp|lastlog|bash_history|ksh_history|bash_logout|HISTFILE)\b/;
const LOGS_MIN = 3;
const DELETES = ['unlink', 'system'];

/** SQL that creates an account, and SQL that makes it an administrator. */
const MAKES_ACCOUNT = /\bINSERT\s+INTO\b[^;]{0,80}(?:\buser_login\b[^;]{0,80}\buser_pass\b|\badmin_user\b)/i;
const MAKES_ADMINISTRATOR =
  /s:13:\\?"administrator|\bINSERT\s+INTO\b[^;]{0,40}(?:\badmin_role\b|\badmin_user_role\b)/i;
/** SQL that sets a password hash, constant or concatenated. */
const SETS_PASSWORD = /\bSET\s+`?user_pass`?\s*=\s*(?:md5\s*\(\s*)?\\?['"]/i;

/** A query for the passwords of a shop's administrators; the table may be in the next text. */
const SELECTS =
  /^\s{0,20}select\b[^;]{0,120}\bpassword\b[^;]{0,60}\bfrom\s{1,4}(?:[\w.`]{0,40}admin_user\b|[`"']?$)/i;
const OF_SHOP = /admin_user\b/;
const NEXT_TOKENS_MAX = 6;
const names = (tokens: readonly PhpToken[], at: number): boolean =>
  tokens
    .slice(at, at + NEXT_TOKENS_MAX)
    .some(({ kind, text }) => (kind === 'string' || kind === 'template') && OF_SHOP.test(text));

/** Whether a page prints something without a permission check. */
const prints = (walk: Walk, tokens: readonly PhpToken[]): boolean =>
  walk.guards.size === 0 && tokens.some(({ kind, text }) => kind === 'name' && PRINTS.has(text));

const makesAdministrator = ({ kind, text }: PhpToken): boolean =>
  (kind === 'string' || kind === 'template') && MAKES_ADMINISTRATOR.test(text);

/** Only script tags of other hosts. */
const SCRIPTS =
  /^\s*(?:<script\b[^>]{0,300}\bsrc\s{0,4}=\s{0,4}["']?(?:https?:)?\/\/[^>]{1,300}>\s{0,20}<\/script>\s{0,20}){1,5}$/i;
const SCRIPTS_CHARS_MAX = 2_000;
const PRINTS = new Set(['echo', 'print', 'printf', 'print_r']);

/** Reports scripts before the code of a file that prints nothing: they were injected into all files. */
function judgeFront(walk: Walk, [first, ...others]: readonly PhpToken[]): void {
  if (first?.kind !== 'html' || first.text.length > SCRIPTS_CHARS_MAX || !SCRIPTS.test(first.text)) return;
  const isPage = others.some(
    ({ kind, text }) => (kind === 'html' && text.trim() !== '') || (kind === 'name' && PRINTS.has(text)),
  );
  if (!isPage && !walk.facts.has('readsRequest')) walk.report(PHP.scriptBefore, first.at);
}

/** Judges combinations of calls and texts. */
export function judgeSideEffects(walk: Walk, tokens: readonly PhpToken[], textsAt: readonly number[]): void {
  notePages(walk, tokens, textsAt);
  judgeCombinations(walk);
  judgeTexts(walk, tokens, textsAt);
  if (tokens[0]?.kind === 'html') judgeFront(walk, tokens);
}

function judgeTexts(walk: Walk, tokens: readonly PhpToken[], textsAt: readonly number[]): void {
  const settings = new Set<string>();
  const logs = new Set<string>();
  const showsFile = walk.facts.has('showsFile');
  const deletes = DELETES.some((name) => walk.calls.has(name));
  const opensMailbox = walk.calls.has('imap_open');
  let accountAt: number | undefined;
  for (const index of textsAt) {
    const { kind, text, at } = tokens[index] as PhpToken;
    if (kind !== 'string' && kind !== 'template') continue;
    const name = showsFile && text.length < 80 ? SETTINGS.exec(text)?.[0] : undefined;
    if (name !== undefined) settings.add(name.slice(name.lastIndexOf('/') + 1));
    if (SELECTS.test(text) && names(tokens, index) && prints(walk, tokens)) walk.report(PHP.hashesShown, at);
    if (opensMailbox && text.includes(STARTS_PROGRAM)) walk.report(PHP.execHostile, at);
    const log = deletes && text.length < 80 ? LOGS.exec(text)?.[0] : undefined;
    if (log !== undefined) logs.add(log);
    if (text.includes('user_pass') || text.includes('admin_user')) {
      if (MAKES_ACCOUNT.test(text)) accountAt ??= at;
      if (SETS_PASSWORD.test(text)) walk.report(PHP.passwordSet, at);
    }
  }
  if (logs.size >= LOGS_MIN) walk.report(PHP.logsDeleted, WHOLE);
  if (accountAt !== undefined && textsAt.some((at) => makesAdministrator(tokens[at] as PhpToken)))
    walk.report(PHP.administratorBySql, accountAt);
  if (settings.size >= SETTINGS_MIN) walk.report(PHP.settingsShown, WHOLE);
}
