import { PHP } from './signals.ts';
import type { PhpToken } from './token.ts';
import type { Walk } from './walk.ts';

/** Hooks that filter the list of plugins. */
const LISTS = new Set(['all_plugins', 'pre_current_active_plugins']);
const ADDS_HOOK = new Set(['add_filter', 'add_action']);
/** CSS that hides a plugin's row in the list. */
const HIDES_ROW =
  /\btr\[data-(?:slug|plugin)\s{0,2}[*^$]?=[^\]]{1,100}\]\s{0,4}(?:,[^{}]{0,300})?\{\s{0,4}(?:display\s{0,2}:\s{0,2}none|visibility\s{0,2}:\s{0,2}hidden)/i;
/** Checks of code that hides plugins from some users, not from all. */
const ASKS = ['current_user_can', 'is_super_admin', 'is_multisite'];

/** Reports plugins that remove themselves from the list for all users. */
export function judgeHiddenPlugins(walk: Walk, tokens: readonly PhpToken[]): void {
  if (![...ADDS_HOOK].some((name) => walk.calls.has(name))) return;
  if (ASKS.some((name) => walk.calls.has(name))) return;
  let lists = false;
  const own = new Set<string>();
  for (let at = 0; at < tokens.length; at++) {
    const { kind, text } = tokens[at] as PhpToken;
    if (kind === 'operator') continue;
    if (LISTS.has(text) && ADDS_HOOK.has(tokens[at - 2]?.text ?? '')) lists = true;
    if (
      text === 'plugin_basename' &&
      hasTokens(tokens, at + 1, '(', '__file__', ')') &&
      tokens[at - 1]?.text === '='
    )
      own.add(tokens[at - 2]?.text ?? '');
    if (kind !== 'name' && text.includes('tr[data-') && HIDES_ROW.test(text))
      walk.report(PHP.pluginHidden, tokens[at]?.at ?? 0);
  }
  if (!lists) return;
  const hides = tokens.find(({ text }, at) => text === 'unset' && removesPlugin(tokens, at, own));
  if (hides) walk.report(PHP.pluginHidden, hides.at);
}

const hasTokens = (tokens: readonly PhpToken[], at: number, ...words: readonly string[]): boolean =>
  words.every((word, index) => tokens[at + index]?.text === word);

const PLUGIN_FILE = /^[\w-]{1,80}\/[\w-]{1,80}\.php$/;

/** Whether an item is removed that is a plugin named by the file: itself, or by its path. */
function removesPlugin(tokens: readonly PhpToken[], at: number, own: ReadonlySet<string>): boolean {
  // `unset($wp_list_table->items[...])`
  if (hasTokens(tokens, at + 3, '->', 'items', '[')) return true;
  if (!hasTokens(tokens, at + 3, '[')) return false;
  const key = tokens[at + 4];
  if (hasTokens(tokens, at + 4, 'plugin_basename', '(', '__file__', ')', ']')) return true;
  if (tokens[at + 5]?.text !== ']') return false;
  return key?.kind === 'variable' ? own.has(key.text) : key?.kind === 'string' && PLUGIN_FILE.test(key.text);
}
