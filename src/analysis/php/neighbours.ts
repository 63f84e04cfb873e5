import { hidesLinks } from '../hidden.ts';
import { judgeDeeds } from './deeds.ts';
import { judgeHiding } from './hiding.ts';
import { judgeMasters } from './masters.ts';
import { LOGS_IN, type Overview } from './overview.ts';
import { judgeProtection } from './protections.ts';
import { PHP } from './signals.ts';
import { isFromCaller } from './superglobals.ts';
import type { PhpToken } from './token.ts';
import type { Walk } from './walk.ts';

/** A text that changes contents by SQL and brings a script with it. */
const SCRIPT_BY_SQL = /\bUPDATE\s[^\n]{0,60}\bSET\s[\s\S]{0,300}<script\b/i;
const HIDES_ACCOUNT = /\b(?:user_login|user_email|\bID)\s*(?:!=|<>|NOT\s+IN)/i;
const LISTS_ACCOUNTS = new Set(['pre_user_query', 'pre_get_users']);
const ADDS_HOOK = new Set(['add_action', 'add_filter']);
const SEARCHES = /google|bing|yahoo|yandex|baidu|duckduckgo/i;
/** PHP that is put before what a file has. */
const RUNS_AT_ONCE = /^<\?(?:php|=)?\s*@?(?:include|require|eval|assert|if\s*\(\s*isset\s*\(\s*\$_)/;
const AWAY = /^\s*(?:Location|Refresh)\s*:[\s\S]{0,20}https?:\/\//i;
/** Tokens before a redirect among which its condition stands. */
const CONDITION_TOKENS_MAX = 100;
const LOGIN_TOKENS_MAX = 60;

const KEY = /\b(?:ssh-(?:rsa|dss|ed25519)|ecdsa-sha2-nistp\d{3}) AAAA[\w+/]/;
const KEY_FILE = '.ssh/authorized_keys';
const RUNS_OR_WRITES = ['system', 'file_put_contents', 'fwrite', 'fputs'];

/** A key of its own is put where who has it may log in. */
function judgeKeys(walk: Walk, tokens: readonly PhpToken[], fileAt: number): void {
  if (tokens.some(({ text }) => text.includes(' AAAA') && KEY.test(text)))
    walk.report(PHP.persistence, fileAt);
}

const KINDS_OF_PHP = /^(?:php\d?|phtml|phar)(?:\||$)/;

/** Whether an item with the ending of PHP files is set: `$mimes['php'] = ...`. */
const setsPhp = (tokens: readonly PhpToken[], index: number): boolean =>
  tokens[index + 1]?.text === ']' &&
  tokens[index + 2]?.text === '=' &&
  KINDS_OF_PHP.test(tokens[index]?.text ?? '');

/** Judges what texts and names stand near each other, which no value shows. */
export function judgeNeighbours(walk: Walk, tokens: readonly PhpToken[], overview: Overview): void {
  judgeDeeds(walk, tokens, overview.textsAt);
  const keepsKeys = RUNS_OR_WRITES.some((name) => walk.calls.has(name));
  let keysAt: number | undefined;
  let changesKinds = false;
  let listsAccountsAt = -1;
  let requestAt = Number.NEGATIVE_INFINITY;
  let administratorAt = Number.NEGATIVE_INFINITY;
  let referrerAt = Number.NEGATIVE_INFINITY;
  const namesSearch = searchesNear(tokens);
  // What stands around a login matters in the few files that have one.
  for (const index of overview.logsIn ? tokens.keys() : overview.textsAt) {
    const { kind, text, at } = tokens[index] as PhpToken;
    if (kind === 'operator') continue;
    if (kind === 'variable') {
      if (isFromCaller(text)) requestAt = index;
      continue;
    }
    if (kind === 'name') {
      if (text === LOGS_IN && index - Math.min(requestAt, administratorAt) < LOGIN_TOKENS_MAX)
        walk.report(PHP.loginAdministrator, at);
      continue;
    }
    if (kind !== 'string' && kind !== 'template' && kind !== 'html') continue;
    if (text === 'upload_mimes') changesKinds = true;
    if (changesKinds && setsPhp(tokens, index)) walk.report(PHP.uploadOfPhp, at);
    if (text === 'administrator') administratorAt = index;
    if (LISTS_ACCOUNTS.has(text) && ADDS_HOOK.has(tokens[index - 2]?.text ?? '')) listsAccountsAt = index;
    else if (text === 'HTTP_REFERER') referrerAt = index;
    if (keepsKeys && text.includes(KEY_FILE)) keysAt ??= at;
    if (text[0] === 'I' && ENCODED_PROGRAMS.some((start) => text.startsWith(start)))
      walk.report(PHP.hiddenProgram, at);
    if (AWAY.test(text) && index - referrerAt < CONDITION_TOKENS_MAX && namesSearch(index))
      walk.report(PHP.redirectVisitors, at);
    if (listsAccountsAt >= 0 && HIDES_ACCOUNT.test(text)) walk.report(PHP.accountHidden, at);
    if (kind !== 'html' && text.includes('<script') && SCRIPT_BY_SQL.test(text))
      walk.report(PHP.scriptIntoDatabase, at);
    if (hidesLinks(text)) walk.report(PHP.hiddenLinks, at);
    if (walk.findsPhp && RUNS_AT_ONCE.test(text) && WRITES.some((name) => walk.calls.has(name)))
      walk.report(PHP.writeFound, at);
  }
  if (keysAt !== undefined) judgeKeys(walk, tokens, keysAt);
  judgeHiding(walk, tokens);
  judgeMasters(walk, tokens);
  judgeProtection(walk, tokens);
  if (walk.sendsAt !== undefined && tokens.some(({ text }) => /^https?:\/\//i.test(text)))
    walk.report(PHP.sendSecrets, walk.sendsAt);
}

/** Tells whether a search engine is named in a text up to a token and near it; tokens are to be asked for in their order. */
function searchesNear(tokens: readonly PhpToken[]): (index: number) => boolean {
  let searchesAt = Number.NEGATIVE_INFINITY;
  let searched = -1;
  return (index) => {
    let at = Math.max(searched + 1, index - CONDITION_TOKENS_MAX + 1);
    for (; at <= index; at++) {
      const { kind, text } = tokens[at] as PhpToken;
      const isText = kind === 'string' || kind === 'template' || kind === 'html';
      if (isText && text.length < CONDITION_CHARS_MAX && SEARCHES.test(text)) searchesAt = at;
    }
    searched = index;
    return index - searchesAt < CONDITION_TOKENS_MAX;
  };
}

/** How programs in Perl, shell and C begin in base64: `#!/usr`, `#!/bin`, `#include`. */
const ENCODED_PROGRAMS = ['IyEvdXNy', 'IyEvYmlu', 'I2luY2x1ZGUg'];
const CONDITION_CHARS_MAX = 300;
const WRITES = ['file_put_contents', 'fwrite', 'fputs'];
