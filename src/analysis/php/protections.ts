import { PHP } from './signals.ts';
import type { PhpToken } from './token.ts';
import { UNKNOWN, type Value } from './value.ts';
import type { Walk } from './walk.ts';

/** Folders of WordPress security plugins. */
const GUARDIAN =
  /(?:^\/?|plugins\/)(wordfence|better-wp-security|ithemes-security(?:-pro)?|sucuri-scanner|all-in-one-wp-security-and-firewall|wp-cerber|bulletproof-security|ninjafirewall|wp-simple-firewall|malcare-security|gotmls|defender-security|security-ninja|secupress|exploit-scanner|quttera-web-malware-scanner|wp-security-audit-log|patchstack|limit-login-attempts(?:-reloaded)?|loginizer)(?:\/|$)/i;
const NAME_CHARS_MAX = 120;
const SEVERAL = 2;

const guardianIn = (text: string): string | undefined =>
  text.length <= NAME_CHARS_MAX ? GUARDIAN.exec(text)?.[1]?.toLowerCase() : undefined;

/** Checks in legitimate programs that replace a plugin of their own kind. */
const ASKS = ['current_user_can', 'check_admin_referer', 'check_ajax_referer', 'wp_verify_nonce'];
const isAsked = (walk: Walk): boolean => walk.guards.size > 0 || ASKS.some((name) => walk.calls.has(name));

/** Reports the deactivation of several security plugins. */
export function judgeDeactivation(walk: Walk, [plugins = UNKNOWN]: readonly Value[], at: number): void {
  const named = new Set<string>();
  for (const { text } of [plugins, ...walk.itemsOf(plugins)]) {
    const guardian = text === undefined ? undefined : guardianIn(text);
    if (guardian !== undefined) named.add(guardian);
  }
  if (named.size >= SEVERAL && !isAsked(walk)) walk.report(PHP.protectionOff, at);
}

const FORBIDS_CHANGES = /DISALLOW_FILE_(?:EDIT|MODS)/;

/** Reports removal of the setting that forbids changes to the site's files, if it happens whenever the page is called. */
export function judgeRemoval(walk: Walk, [looked = UNKNOWN, put]: readonly Value[], at: number): void {
  if (
    walk.scope !== '' ||
    isAsked(walk) ||
    !FORBIDS_CHANGES.test(looked.text?.slice(0, NAME_CHARS_MAX) ?? '')
  )
    return;
  if (!put?.text || put.text.includes('false')) walk.report(PHP.protectionOff, at);
}

/** Options and hooks with the list of active plugins. */
const ACTIVE = new Set(['active_plugins', 'option_active_plugins', 'pre_option_active_plugins']);
const TAKES_OUT = ['array_diff', 'array_diff_key', 'array_filter'];
const FOLDERS = /(?:^|\/)plugins\/?$|^WP_PLUGIN_DIR$/i;
const REMOVES = ['rename', 'rmdir'];

/** Reports manipulation of a site's security plugins. */
export function judgeProtection(walk: Walk, tokens: readonly PhpToken[]): void {
  const named = new Map<string, number>();
  let keepsList = false;
  let takesOut = TAKES_OUT.some((name) => walk.calls.has(name));
  let namesFolders = false;
  for (const { kind, text, at } of tokens) {
    if (kind === 'name') {
      if (text === 'unset') takesOut = true;
      else if (text === 'wp_plugin_dir') namesFolders = true;
    }
    if (kind !== 'string' && kind !== 'template') continue;
    const guardian = guardianIn(text);
    if (guardian !== undefined) named.set(guardian, at);
    if (ACTIVE.has(text)) keepsList = true;
    if (FOLDERS.test(text.slice(-NAME_CHARS_MAX))) namesFolders = true;
  }
  const [where] = named.values();
  if (where === undefined || named.size < SEVERAL || isAsked(walk)) return;
  const changesList =
    keepsList && takesOut && (walk.calls.has('update_option') || walk.calls.has('add_filter'));
  const removes = namesFolders && REMOVES.some((name) => walk.calls.has(name));
  if (changesList || removes) walk.report(PHP.protectionOff, where);
}
