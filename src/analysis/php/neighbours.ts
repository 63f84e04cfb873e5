import { hidesLinks } from '../hidden.ts';
import { judgeHiddenPlugins } from './hidden-plugins.ts';
import { LOGS_IN, type Overview } from './overview.ts';
import { judgeProtection } from './protections.ts';
import { judgeSideEffects } from './side-effects.ts';
import { PHP } from './signals.ts';
import type { PhpToken } from './token.ts';
import type { Walk } from './walk.ts';

const HIDES_ACCOUNT = /\b(?:user_login|user_email|\bID)\s*(?:!=|<>|NOT\s+IN)/i;
const LISTS_ACCOUNTS = new Set(['pre_user_query', 'pre_get_users']);
const ADDS_HOOK = new Set(['add_action', 'add_filter']);
/** PHP that is prepended to existing files. */
const RUNS_AT_ONCE = /^<\?(?:php|=)?\s*@?(?:include|require|eval|assert|if\s*\(\s*isset\s*\(\s*\$_)/;
const LOGIN_TOKENS_MAX = 60;

const KEY = /\b(?:ssh-(?:rsa|dss|ed25519)|ecdsa-sha2-nistp\d{3}) AAAA[\w+/]/;
const KEY_FILE = '.ssh/authorized_keys';
const RUNS_OR_WRITES = ['system', 'file_put_contents', 'fwrite', 'fputs'];

/** Reports an SSH key that is added to the authorized keys. */
function judgeKeys(walk: Walk, tokens: readonly PhpToken[], fileAt: number): void {
  if (tokens.some(({ text }) => text.includes(' AAAA') && KEY.test(text)))
    walk.report(PHP.persistence, fileAt);
}

/** Judges texts and names that are close together, independent of data flow. */
export function judgeNeighbours(walk: Walk, tokens: readonly PhpToken[], overview: Overview): void {
  judgeSideEffects(walk, tokens, overview.textsAt);
  const keepsKeys = RUNS_OR_WRITES.some((name) => walk.calls.has(name));
  let keysAt: number | undefined;
  let listsAccountsAt = -1;
  let gateAt = Number.NEGATIVE_INFINITY;
  let administratorAt = Number.NEGATIVE_INFINITY;
  // All tokens around a login matter; only few files contain one.
  for (const index of overview.logsIn ? tokens.keys() : overview.textsAt) {
    const { kind, text, at } = tokens[index] as PhpToken;
    if (walk.gates.has(index)) gateAt = index;
    if (kind === 'operator' || kind === 'variable') continue;
    if (kind === 'name') {
      if (text === LOGS_IN && index - Math.min(gateAt, administratorAt) < LOGIN_TOKENS_MAX)
        walk.report(PHP.loginAdministrator, at);
      continue;
    }
    if (kind !== 'string' && kind !== 'template' && kind !== 'html') continue;
    if (text === 'administrator') administratorAt = index;
    if (LISTS_ACCOUNTS.has(text) && ADDS_HOOK.has(tokens[index - 2]?.text ?? '')) listsAccountsAt = index;
    if (keepsKeys && text.includes(KEY_FILE)) keysAt ??= at;
    if (text[0] === 'I' && ENCODED_PROGRAMS.some((start) => text.startsWith(start)))
      walk.report(PHP.hiddenProgram, at);
    if (listsAccountsAt >= 0 && HIDES_ACCOUNT.test(text)) walk.report(PHP.accountHidden, at);
    if (hidesLinks(text)) walk.report(PHP.hiddenLinks, at);
    if (
      walk.facts.has('searchesPhp') &&
      RUNS_AT_ONCE.test(text) &&
      WRITES.some((name) => walk.calls.has(name))
    )
      walk.report(PHP.writeFound, at);
  }
  if (keysAt !== undefined) judgeKeys(walk, tokens, keysAt);
  judgeHiddenPlugins(walk, tokens);
  judgeProtection(walk, tokens);
  if (walk.facts.has('mayEncloseSecret') && tokens.some(({ text }) => /^https?:\/\//i.test(text)))
    walk.report(PHP.sendSecrets, walk.placeOf('mayEncloseSecret'));
}

/** Base64 beginnings of programs in Perl, shell and C: `#!/usr`, `#!/bin`, `#include`. */
const ENCODED_PROGRAMS = ['IyEvdXNy', 'IyEvYmlu', 'I2luY2x1ZGUg'];
const WRITES = ['file_put_contents', 'fwrite', 'fputs'];
