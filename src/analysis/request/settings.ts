import type { Purpose } from './purpose.ts';

/** Longer values are not passwords. */
export const SECRET_CHARS_MAX = 64;
/** A password before a quote: longer than what precedes an injection. */
const OWN_SECRET = /^(?=[^'"]{0,40}[A-Za-z])[^'"\s]{4,40}['"]/;
const SQL_WORD = /\b(?:or|and|xor|union|select|like|sleep|having|where|in|is)\b|\|\||&&|=/i;
/** Fields named after the file they contain. */
const SOURCE_NAME = /^[\w./-]{1,100}\.(?:html?|css|jsx?|tsx?|vue|svelte|md|py|rb|go|rs|sql|sh|ya?ml)$/i;
const SCRIPT_NAME = /(?:^|_)(?:script|user_?data|cloud_?init|docker_?file|startup|deploy|build)$/i;
/** A shell script or Dockerfile, from the first line. */
const SCRIPT = /^(?:#!\s?\/[^\n]{3,60}\n|FROM [\w./:@-]{1,100}(?: AS \w{1,40})?\s*\n)/;
/** Names of fields for patterns, which are matched and never run. */
const PATTERN =
  /(?:^|[_\-[.])(?:regexp?|patterns?|match(?:es|er)?|exclu\w{2,6}|ignore\w{0,8}|den(?:y|ied)\w{0,8}|block\w{0,10}|disallow\w{0,8})\]?$/i;
/** Names of block lists. */
const LIST =
  /(?:block|deny|denied|black|bad|stop|forbidden|banned|moderation)(?:_?(?:list|words?|terms?))?$/i;
const LISTED_CHARS_MAX = 40;
const REGEX = /\\[./wsdb(]|\(\?|\.[*+]|[)\]][*+?]|\^|\$$/;
/** Names of settings for paths, and sensitive files, which are never settings. */
const PLACE =
  /(?:^|_)(?:path|dir|directory|folder|root|docroot|document_root|log|logs|log_file|logfile|storage|binary|bin|executable|socket|source|target|exclude|dest(?:ination)?)$/i;
const SECRETS_OF_HOST =
  /etc[/\\](?:passwd|shadow|sudoers|ssh)|\.(?:ssh|aws|env|git|htpasswd|bash_history)\b|id_rsa|wp-config|proc[/\\]|dev[/\\]tcp|\.\.|https?:|[|`<]|\$\(|\b(?:nc|ncat|bash|sh) -/i;
/** A schedule, alone or at the beginning of a crontab line. */
const TIMES =
  /^\s*(?:@(?:daily|hourly|weekly|monthly|yearly|reboot)|(?:[\d*][\d*/,-]{0,20}\s+){4}[\d*A-Za-z][\w*/,-]{0,20})(?=\s|$)/;
const JOB = /cron|schedul|job|task|command|cmd|line|entry/i;

/** Names of password fields in forms that change it. */
const SECRET_AGAIN = /^(?:current|old|new|confirm\w{0,8}|repeat\w{0,8}|verify|again)$/i;
const SECRET = /pass(?:word|wd|wort)?|pwd|kennwort|secret|mot_?de_?passe|contrase|pin$/i;

export const isSecret = (name: string, { isChangingSecret }: Purpose): boolean =>
  SECRET.test(name) || (isChangingSecret && SECRET_AGAIN.test(name));

/** Whether a value is a password with a quote, rather than a quote followed by a condition. */
export const isOwnSecret = (text: string): boolean =>
  OWN_SECRET.test(text) && !/\s(?:#|--)\s*$/.test(text) && !SQL_WORD.test(text.slice(text.search(/['"]/)));

/** Whether a password contains no SQL words and no comment. */
export const isMadeOfSigns = (text: string): boolean =>
  /(?:[A-Za-z][^A-Za-z]{0,10}){4}/.test(text) &&
  !/\b(?:or|and|xor|union|select|like|sleep|having|where|drop|insert|update|delete|exec|null|true)\b|\|\||&&|[=(]|(?:--|#|\/\*)\s*$/i.test(
    text,
  );

/** Whether a field is a block list. */
export const isListed = (name: string, text: string): boolean =>
  LIST.test(name) && text.length <= LISTED_CHARS_MAX && !text.includes('=');

/** Whether a field contains a pattern or path to match. */
export const isPattern = (name: string, text: string): boolean =>
  PATTERN.test(name) &&
  (REGEX.test(text) || /^\/[\w./*-]{1,200}$/.test(text)) &&
  !/['"]\s{0,5}(?:or|and|union|;|--)/i.test(text);

export const isSourceFile = (name: string | undefined): boolean =>
  name !== undefined && SOURCE_NAME.test(name);

/** Whether a field contains a shell script for setting up machines. */
export const isProgram = (name: string, text: string): boolean => SCRIPT_NAME.test(name) && SCRIPT.test(text);

/** Whether a setting is a path on the server, or a scheduled command. */
export function isPlace(name: string, text: string, purpose: Purpose): boolean {
  if (SECRETS_OF_HOST.test(text) || text.startsWith('-')) return false;
  if (JOB.test(name) && (TIMES.test(text) || purpose.isScheduling)) return true;
  return (purpose.isSettings || purpose.isScheduling) && PLACE.test(name);
}
