import { REQUEST, type Report } from './signals.ts';
import { wordsOf } from './writing.ts';

/** Sensitive files and folders by name: system files, secrets, sources, logs. */
const SENSITIVE =
  /(?:^|[/\\:=."'\s])(?:php\.ini|my\.cnf|httpd\.conf|\.rhosts|\.shosts|\.netrc|\.pass$|var[/\\]+adm|etc[/\\]+(?:[a-z]{2,20}(?:\.conf|$)|passwd(?!-[a-z])|shadow|group|hosts|issue|motd|fstab|crontab|mysql|apache2?|httpd|nginx|php|ssh|sudoers|resolv|network|security|ftp|proftpd|vsftpd|pure-ftpd|logrotate|init\.d|rc\.d|master\.passwd|environment|profile|bashrc|inittab|release|redhat-release|debian_version|samba|my\.cnf)|proc[/\\]+(?:self|version|cmdline|mounts|\d|net|cpuinfo|sched)|boot\.ini|win\.ini|system\.ini|system32|windows[/\\]+(?:system|win|php|repair|panther)|winnt[/\\]|autoexec\.bat|sam\b.{0,5}$|config[/\\]+sam|inetpub[/\\]|wp-config(?:\.php)?|\.htaccess|\.htpasswd|\.env\b(?!\.(?:example|dist|sample|template)\b)|\.git[/\\]|\.svn[/\\]|\.ssh[/\\]|\.aws[/\\]|\.bash_history|\.bashrc|\.mysql_history|id_rsa|id_dsa|authorized_keys|web\.config|web-inf[/\\]|meta-inf[/\\]|run[/\\]+secrets|var[/\\]+(?:log|lib|mail|spool|www|run)[/\\]|usr[/\\]+(?:local[/\\]+)?(?:apache2?|etc|lib|share|bin|pkg)[/\\]|opt[/\\]+(?:lampp|xampp|apache|nginx)|(?:access|error)[_.]log|logs[/\\](?:access|error)|apache2?[/\\]+(?:logs?|conf)|xampp[/\\]|global\.asa|config\.inc\.php|configuration\.php|localsettings\.php|settings\.py|database\.yml|root[/\\]+\.|home[/\\]+\w+[/\\]+\.|library[/\\]+webserver|private[/\\]+etc|volumes[/\\]+\w+|passwd$|shadow$|dev[/\\]+(?:tcp|random|null|zero))/i;

const STEP =
  /(?:\.|\u2024|\uff0e|%2e|%252e|0x2e){2,8};?(?:\\|\/|\u2215|\u2216|\uff0f|\u005c|%2f|%5c|%252f|%255c|0x2f|0x5c|%c0%af|%c1%9c|%uff0f|%u2215|%u2216)+/gi;
const DOTS = /\.\.|[\u2024\uff0e]|%2|0x2e/i;
/** An absolute path to a file of the server. */
const ABSOLUTE =
  /^[/\\]{1,3}(?:etc|proc|var|usr|opt|root|home|dev|sys|boot|srv|mnt|s?bin|lib(?:64)?|apache2?|nginx|logs?)[/\\][\w./\\-]{2,200}(?<!\.(?:js|mjs|ts|css|map))$|^[a-z]:[/\\]{1,2}(?!fakepath[/\\])(?:(?:windows|winnt|inetpub|xampp|wamp\w{0,3}|php\d?|apache\w{0,5}|boot|sysprep|recycler|mysql|appserv)[/\\.][\w ./\\~-]{1,200}|[\w ./\\~-]{1,200}\.(?:ini|log|sys|conf|cnf|config|inc|php\d?|aspx?|jsp|bat|cmd|dat|sql|bak|evtx?))$/i;
/** Sensitive files in headers; other paths are normal there, because programs send their own folders. */
const SECRET_PATH =
  /^\s{0,3}[/\\](?:[\w.-]{1,60}[/\\]+){0,6}(?:etc[/\\]+(?:passwd|shadow|hosts)|proc[/\\]+self|web-inf|\.ssh|\.env|\.git|win\.ini|wp-config)\b\S{0,100}$/i;
/** Pages may be named `home` or `dev` too; they have no file extension and no second folder. */
const SECTION = /^\/(?:home|dev|opt|logs?|root|sys)\/[a-z][\w-]{1,60}\/?$/i;
/** Redundant parts of a path: `/./`, doubled separators, mixed separators. */
const DETOUR = /\/\.(?=\/)|(?<=(?:^|[^/\\])[/\\])[/\\]+(?=\w)|(?<=\w)\\(?=\/)/g;
/** A relative path up to source code or configuration. */
const UP_TO_SOURCE =
  /^[./\\]{0,20}\.\.[/\\](?:[\w-]{1,40}[/\\]){0,3}[\w.-]{1,40}\.(?:php\d?|phtml|aspx?|jsp|cfm|inc|ini|conf|cnf|env|bak|sql|log|db)$/i;
/** Steps with control characters in between, which a server removes. */
const SPACED_STEP = /(?:\.[\u0000-\u0008\u000e-\u001f]{0,3}\.[\u0000-\u0008\u000e-\u001f]{0,3}[/\\]){2}/;
const REMOTE_SHARE = /^\\\\(?:\d{1,3}(?:\.\d{1,3}){3}|[\w-]{1,60}(?:\.[\w-]{1,60}){1,5}@?\w{0,5})\\[\w$.-]+/;

const WRAPPER =
  /(?:^|[=\s"'(;,|])(?:\$INCLUDE\s{1,3}\/\w|php:\/\/(?:filter|input|stdin|fd|memory|temp|output)|data:(?:text\/plain|\/\/text|text\/html|,|;base64|\/\/,|application\/x-httpd-php)|expect:\/\/|phar:\/\/|zip:\/\/|zlib:|glob:\/\/|ogg:\/\/|rar:\/\/|ssh2\.|compress\.(?:zlib|bzip2):|file:\/{1,3}\w|convert\.(?:base64|iconv))/i;
const REMOTE =
  /^(?:https?|ftps?):\/\/[^\s?#]{3,200}(?:\.(?:txt|php\d?|phtml|jpe?g|gif|png|dat|inc|log|bak|ico|htm)\?{0,4}$|\?{1,4}$|\?[&=]?(?:cmd|c|exec)=|\/\w{1,12}\?\s*$|%00)/i;
/** Remote scripts in fields for URLs: a URL that cuts off an appended suffix, or passes a command. */
const REMOTE_RUN =
  /^(?:https?|ftps?):\/\/[^\s?#]{3,200}(?:\.(?:txt|php\d?|phtml|inc|dat|log|bak)\?{1,4}$|\?{1,4}$|\?[&=]?(?:cmd|c|exec)=|%00)/i;
const REMOTE_BY_IP = /^(?:https?|ftps?):\/\/\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\//i;

/** The path of an installed Windows program, as reported by agents. */
export const INSTALLED =
  /^(?:[a-z]:|%systemroot%|\\systemroot)\\(?:[\w .()-]{1,60}\\){1,8}[\w .-]{1,60}\.(?:exe|dll|sys)$/i;
/** Maximum length of a file name with its folders. */
const NAME_CHARS_MAX = 2_000;
const MENTIONING_WORDS_MIN = 3;
/** Whether a file is mentioned in a sentence, without syntax that would read it. */
const isMentioned = (value: string): boolean =>
  !/[<>{}$();|&=[\]]|:\/\//.test(value) && wordsOf(value) >= MENTIONING_WORDS_MIN;

/** Context of a value that may be a path. */
export interface PathContext {
  /** Whether the value may be a whole path, unlike a header. */
  readonly isWhole: boolean;
  /** Whether it is a parameter as sent, where slashes must be encoded. */
  readonly isEncoded: boolean;
  /** Whether it is in a body, where programs report their own folders. */
  readonly isInBody: boolean;
  readonly name: string;
}

/** Names of fields with URLs of pages and pictures, which have file extensions too. */
const ADDRESS =
  /(?:^|[_\-[.])(?:ur[li]s?|links?|href|website|redirect\w{0,6}|return\w{0,6}|next|images?|img|src|avatar|photo|logo|webhook|callback|referr?er|canonical|homepage|site|feed|goto|source)\]?$|ur[li]$/i;

/** Finds paths that leave their folder, or lead to files that visitors never request. */
export function findPaths(
  value: string,
  report: Report,
  { isWhole, isEncoded, isInBody, name }: PathContext,
): void {
  let steps = 0;
  let isHidden = false;
  // A quick test: most values have no two dots in any encoding.
  const hasDots = DOTS.test(value);
  for (const [step] of hasDots ? value.matchAll(STEP) : []) {
    steps++;
    // In parameters, slashes must be encoded, dots never.
    if (!(isEncoded ? /^\.\.(?:[/\\]|%2f|%5c)$/i : /^\.\.[/\\]$/).test(step)) isHidden = true;
  }
  if (steps >= 2) report(REQUEST.traversalDeep);
  else if (steps === 1) report(REQUEST.traversalStep);
  if (isHidden) report(REQUEST.traversalHidden);
  if (hasDots && steps === 0 && /(?:\.\.(?:2f|5c)){2}/i.test(value)) report(REQUEST.traversalHidden);
  if (
    hasDots &&
    steps < 2 &&
    !/\s|%20|%0[ad]|\.{4}/i.test(value) &&
    (value.match(/\.\.[^.\w]/g)?.length ?? 0) >= 3
  )
    report(REQUEST.traversalHidden);
  if (hasDots && /[/\\]\.\.(?:;|[\u0000%]|$)|^\.\.[/\\]?$|^[/\\]?\.{2,3}[/\\]{2}/.test(value))
    report(REQUEST.traversalStep);
  if (isEncoded && UP_TO_SOURCE.test(value)) report(REQUEST.sensitiveFile);
  if (SPACED_STEP.test(value) && !hasDots) report(REQUEST.traversalHidden);
  const direct = value.includes('://') ? value : value.replace(DETOUR, '');
  // In a header, a sensitive file counts only if it is the whole value.
  const isAsked = isWhole && !isMentioned(value) && !(isInBody && INSTALLED.test(value));
  if ((SENSITIVE.test(value) || SENSITIVE.test(direct)) && (isAsked || steps > 0 || SECRET_PATH.test(value)))
    report(REQUEST.sensitiveFile);
  else if (isWhole && !isInBody && ABSOLUTE.test(value) && !SECTION.test(value)) report(REQUEST.absolutePath);
  if (isWhole && REMOTE_SHARE.test(value)) report(REQUEST.remoteFile);
  const isText = value.length <= NAME_CHARS_MAX && !/[\u0001-\u0008\u000e-\u001f\ufffd]/.test(value);
  if (
    isText &&
    /[\u0000%]/.test(value) &&
    /\u0000(?:\.\w{2,5})?$|\.\w{2,5}\u0000|%00(?:\.\w{2,5})?$|%2500/.test(value)
  )
    report(REQUEST.nullByte);
  if (WRAPPER.test(value)) report(REQUEST.streamWrapper);
  const isScript = (ADDRESS.test(name) ? REMOTE_RUN : REMOTE).test(value);
  if (isWhole && (isScript || REMOTE_BY_IP.test(value))) report(REQUEST.remoteFile);
}
