import { isProse } from '../words.ts';
import { REQUEST, type Report } from './signals.ts';

/** Commands that are no ordinary words: enough behind a separator. */
const COMMANDS =
  'cat|tac|nl|wget|curl|lynx|nc|ncat|netcat|bash|sh|zsh|ksh|csh|ash|tcsh|powershell|pwsh|cmd(?:\\.exe)?|ping\\d?|whoami|uname|ifconfig|ipconfig|netstat|nslookup|dig|telnet|ssh|scp|ftp|tftp|chmod|chown|chgrp|perl|python\\d?(?:\\.\\d+)?|ruby|php\\d?|node|gcc|awk|gawk|sed|grep|egrep|xxd|base64|systeminfo|tasklist|taskkill|certutil|bitsadmin|regsvr32|rundll32|mshta|wmic|cscript|wscript|schtasks|vssadmin|crontab|useradd|adduser|passwd|sudo|su|mkfifo|mknod|xterm|busybox|socat|traceroute|tracert|dmesg|hostname|lsof|printenv|rmdir|mkdir|shutdown|reboot|killall|pkill|nohup|eval|exec|cp|mv|rm|tftp|rcp|rsync|ps|df|du|tr|tee|xargs|ln|dir|del|xcopy|ver|vol|net|reg|phpinfo|usr|getent|sleep|timeout|wc|netsh|sysinfo|wmic';
/** Commands that are also words: only with an argument of a command, or with nothing behind them. */
const WORDS =
  'id|ls|echo|printf|jobs|touch|cut|dash|copy|which|fetch|kill|w|who|last|set|env|date|time|type|find|sort|head|tail|more|less|test|expr|read|source|mail|host|file|pwd|cd|history|export|finger|start|dir|man|vi|nano|at|arp|route|whois';
const END = '(?=$|[\\s;|&<>`)\'"}#/,:])';
const BIN = '(?:[\\w./~-]{0,40}/)?';

const SEPARATED = new RegExp(
  `(?:[;|&\`\\n\\r]|\\$\\(|\\|\\||&&|[<>]\\(|%0a)[ \\t]{0,20}["']?\\(?[ \\t]{0,5}${BIN}(?:${COMMANDS})(?!://)${END}`,
  'i',
);
const BEFORE_WORD = `(?:[;|&\`\\n\\r]|\\$\\(|\\|\\||&&)[ \\t]{0,20}["']?${BIN}`;
const SEPARATED_WORD = new RegExp(
  `${BEFORE_WORD}(?:(?:id|ls|w|set|env|pwd|dir|who|arp|date)\\s{0,5}(?:$|[;|&\`)"#]|'(?!\\w))|(?:${WORDS})(?:\\s{0,5}[;|&\`)#]|\\s+(?:[-/\\\\~.$*"']|\\d{1,6}\\s*(?:$|[;|&#)])|\\w+\\s*(?:[;|&>\`)'"]))|\\s*[<>]))`,
  'i',
);
const SUBSTITUTED = new RegExp(
  `(?:\\$\\(|\`|[<>]\\()\\s{0,10}${BIN}(?:${COMMANDS}|${WORDS})(?:[\\s\`)$]|$)`,
  'i',
);
const DIRECT = new RegExp(
  `^\\s{0,20}["'(]{0,3}${BIN}(?:cat|wget|curl|nc|ncat|bash|sh|powershell|cmd(?:\\.exe)?|ping|uname|ifconfig|netstat|nslookup|chmod|perl|python\\d?|ruby|php|ls|echo|id|whoami|net|rm|dir|type|ps|tail|head|find|certutil|telnet|exec|system|grep|sed|awk|sleep|cp|mv|touch|netsh|reg|which|sysinfo|type|systeminfo)\\s+(?:-{1,2}[\\w-]+(?:\\s|$|=)|/(?:etc|bin|usr|var|tmp|dev|proc|home|root|c\\b|k\\b|s\\b)|\\\\|https?://|[|>&;]|\\d{1,3}(?:\\.\\d{1,3}){3}|\\$[({]|[a-z]:\\\\|(?:user|localgroup|share|view)\\b)`,
  'i',
);
const TOOL =
  /(?:^|[\s=;|&`'"(,<>{])\/{1,3}(?:usr\/)?(?:local\/)?s?bin\/[a-z]\w{0,20}|(?:^|[\s;|&`=])(?:c:)?[/\\]{1,2}(?:windows|winnt)[/\\]{1,2}system32|cmd\.exe|%comspec%|\/bin\/(?:sh|bash|cat|ls|id|nc)\b|powershell(?:\.exe)?\s+-|command\.com/i;
const POWERSHELL =
  /\b(?:invoke-(?:webrequest|expression|command|item|restmethod|mimikatz|wmimethod)|new-object\s+(?:system\.)?net\.|start-process\s|get-(?:childitem|process|content|wmiobject|credential)\b|set-executionpolicy|downloadstring\s*\(|frombase64string|add-mppreference|start-bitstransfer)\b|[;|&]\s{0,5}(?:iwr|iex|iwmi|saps|gci)\b/i;
const LOOP =
  /\bfor\s+(?:\/[a-z]\s+)?%{1,2}\w+\s+in\s*\(|\bif\s+(?:\/i\s+)?(?:not\s+)?(?:exist|errorlevel|cmdextversion|defined)\s|\bwhile\s+(?:true|:)\s*(?:;\s*)?do\b|\bfor\s+\w+\s+in\s+[^;]{1,60};\s*do\b/i;
const REVERSE =
  /\/dev\/(?:tcp|udp)\/|\bbash\s+-i\b|\bnc(?:at)?\s+(?:-\w+\s+){0,4}-[a-z]{0,9}e[a-z]{0,9}\s|\bmkfifo\s+\/tmp|\bsocket\.socket\s*\(|\b0<&\d+|>&\s*\/dev\/|sh\s+-i\b|fsockopen\s*\(\s*["']|-e\s+\/bin\/(?:ba)?sh/i;
const SHELLSHOCK =
  /\(\)\s{0,5}\{(?=[^}]{0,40}[:;_])[^}]{1,87}\}\s{0,5};|\(\)\s{0,3}\{\s{0,3}_;\s{0,3}\}|^\s*\(\)\s*\{\s*:/;
const GLOB = /(?:^|[\s;|&`$(=<])\/[\w?*[\]-]{0,20}[?*[][\w?*[\]-]{0,20}\/[\w?*[\]-]{1,30}[?*[\]]?/;
const IFS =
  /\$\{?IFS\}?(?:\$\d)?|\$\{IFS%[^}]{0,10}\}|\{(?:cat|ls|echo|wget|curl|ping|nc|bash|sh|id|head|tail),[^}]{1,60}\}/gi;
/** Quotes, escapes and empty expansions inside of a word, which a shell takes out. */
const NOISE = /(?<=\w)(?:''|""|\\(?=\w)|\$@|\$\*|\$\{?[a-z]\}?(?=\w)|`{2}|\^(?=\w)|\$\(\))(?=\w|\/)/gi;
const SPLIT_WORD =
  /\b[a-z]{1,8}(?:'[a-z]{1,3}'|"[a-z]{1,3}"|\\[a-z]|\$@|''|""|\^[a-z])[a-z'"\\$@^]{0,10}(?=\s|\/|$)/i;

/** A word in back-ticks between words: how people quote code. */
const QUOTATION = /(?<=[A-Za-z,.:)] )`[^`\n]{1,80}`(?=[ .,;:)]|$)/g;

const undisguised = (value: string): string =>
  value
    .replace(NOISE, '')
    .replace(IFS, (found) => (found.startsWith('{') ? found.slice(1, -1).replaceAll(',', ' ') : ' '))
    .replace(/(?<=\w)["'](?=\w{1,3}["']\w|\w{1,2}["']?(?:\s|\/|$))|(?<=["']\w{0,3})["'](?=\w)/g, '');

/** Finds commands of an operating system where a value would be put into a command line. */
export function findShell(value: string, report: Report): void {
  if (value.includes('{') && SHELLSHOCK.test(value)) report(REQUEST.shellShock);
  if (REVERSE.test(value)) report(REQUEST.shellReverse);
  if (TOOL.test(value)) report(REQUEST.shellPath);
  if (POWERSHELL.test(value) || LOOP.test(value)) report(REQUEST.shellDirect);
  if (/\?\?|\[/.test(value) && GLOB.test(value) && /[?*]{1,}\w{0,3}[?*]?/.test(value))
    report(REQUEST.shellDisguised);
  if (/[{$]/.test(value) && /\$\{?IFS|\{(?:cat|ls|echo|wget|curl|ping|nc|id),/i.test(value))
    report(REQUEST.shellDisguised);
  if (isProse(value)) return;
  const commands = value.replace(QUOTATION, ' ');
  if (!/[;|&`$\n\r(<>]/.test(commands) && !DIRECT.test(commands) && !SPLIT_WORD.test(commands)) return;
  find(commands, report);
  const plain = undisguised(commands);
  if (plain === commands) return;
  if (find(plain, report) && SPLIT_WORD.test(commands)) report(REQUEST.shellDisguised);
}

/** The same for a header, where semicolons and parentheses are ordinary. */
export function findShellInHeader(value: string, report: Report): void {
  if (value.includes('{') && SHELLSHOCK.test(value)) report(REQUEST.shellShock);
  if (REVERSE.test(value)) report(REQUEST.shellReverse);
  if (SUBSTITUTED.test(value)) report(REQUEST.shellSubstitution);
}

function find(value: string, report: Report): boolean {
  const found = [
    [SEPARATED.test(value) || SEPARATED_WORD.test(value), REQUEST.shellCommand],
    [SUBSTITUTED.test(value), REQUEST.shellSubstitution],
    [DIRECT.test(value), REQUEST.shellDirect],
  ] as const;
  for (const [isFound, signal] of found) if (isFound) report(signal);
  return found.some(([isFound]) => isFound);
}
