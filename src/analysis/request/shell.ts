import { isProse } from '../words.ts';
import { isWindowsCommand } from './shell-windows.ts';
import { isDisguised, isExpanded, shellReading } from './shell-words.ts';
import { REQUEST, type Report } from './signals.ts';

/** Commands that are not ordinary words: sufficient after a separator. */
const COMMANDS =
  'cat|tac|nl|wget|curl|lynx|nc|ncat|netcat|bash|sh|zsh|ksh|csh|ash|tcsh|powershell|pwsh|cmd(?:\\.exe)?|ping\\d?|whoami|uname|ifconfig|ipconfig|netstat|nslookup|dig|telnet|ssh|scp|ftp|tftp|chmod|chown|chgrp|perl|python\\d?(?:\\.\\d+)?|ruby|php\\d?|node|gcc|awk|gawk|sed|grep|egrep|xxd|base64(?!(?<=data:(?:image|audio|video|font)/[\\w.+-]{0,40};base64),)|systeminfo|tasklist|taskkill|certutil|bitsadmin|regsvr32|rundll32|mshta|wmic|cscript|wscript|schtasks|vssadmin|crontab|useradd|adduser|passwd|sudo|su|mkfifo|mknod|xterm|busybox|socat|traceroute|tracert|dmesg|hostname|lsof|printenv|rmdir|mkdir|shutdown|reboot|killall|pkill|nohup|eval|exec|cp|mv|rm|rev|rcp|rsync|ps|df|du|tr|tee|xargs|ln|dir|del|xcopy|ver|vol|net|reg|phpinfo|usr|getent|sleep|timeout|wc|netsh|sysinfo|wmic';
/** Commands that are ordinary words too: only with a command argument, or with nothing after them. */
const WORDS =
  'id|ls|echo|printf|jobs|touch|cut|dash|copy|which|fetch|kill|w|who|last|set|env|date|time|type|find|sort|head|tail|more|less|test|expr|read|source|mail|host|file|pwd|cd|history|export|finger|start|dir|man|vi|nano|at|arp|route|whois';
const END = '(?=$|[\\s;|&<>`)\'"}#/,:])';
const BIN = '(?:[\\w./~-]{0,40}/)?';

/** Programs that people list as skills, and that do nothing without arguments. */
const LANGUAGE =
  '(?:perl|python\\d?|ruby|php\\d?|node|sed|g?awk|e?grep|gcc|ssh|scp|ftp|telnet|powershell|pwsh|net|reg|ver|vol)';
const SEPARATED = new RegExp(
  `(?:[;|&\`\\n\\r]|\\$\\(|\\|\\||&&|[<>]\\(|%0a)[ \\t]{0,20}["']?\\(?[ \\t]{0,5}${BIN}(?!${LANGUAGE}\\s{0,5}(?:$|[;|,&]))(?:${COMMANDS})(?!://)${END}`,
  'gi',
);
const BEFORE_WORD = `(?:[;|&\`\\n\\r]|\\$\\(|\\|\\||&&)[ \\t]{0,20}["']?${BIN}`;
const SEPARATED_WORD = new RegExp(
  `${BEFORE_WORD}(?:(?:id|ls|w|set|env|pwd|dir|who|arp)\\s{0,5}(?:$|[;|&\`)"#]|'(?!\\w))|(?:${WORDS})(?:\\s{0,5}[;|&\`)#]|\\s+(?:[-/\\\\~.$*"']|\\d{1,6}\\s*(?:$|[;|&#)])|\\w+\\s*(?:[;|&>\`)'"]))|\\s*[<>]))`,
  'gi',
);
const SUBSTITUTED = new RegExp(
  `(?:\\$\\(|\`|[<>]\\()\\s{0,10}${BIN}(?:${COMMANDS}|${WORDS})(?:[\\s\`)$]|$)`,
  'i',
);
const DIRECT = new RegExp(
  `^\\s{0,20}["'(]{0,3}${BIN}(?!${LANGUAGE}\\s{0,5}[|>;&]|(?:head|find|type|which|touch)\\s{0,5}[|;&])(?:cat|wget|curl|nc|ncat|bash|sh|powershell|cmd(?:\\.exe)?|ping|uname|ifconfig|netstat|nslookup|chmod|perl|python\\d?|ruby|php|ls|echo|id|whoami|net|rm|dir|type|ps|tail|head|find|certutil|telnet|exec|system|grep|sed|awk|sleep|cp|mv|touch|netsh|reg|which|sysinfo|type|systeminfo)\\s+(?:-{1,2}[\\w-]+(?:\\s(?!\\s{0,3}(?:vs|or|and|not|explained|meaning|options?|flags?|commands?|examples?|difference|tutorial|error)\\b)|$|=)|/(?:etc|bin|usr|var|tmp|dev|proc|home|root|c\\b|k\\b|s\\b)|\\\\|https?://|[|>;]|&&|\\d{1,3}(?:\\.\\d{1,3}){3}|\\$[({]|[a-z]:\\\\|(?:users?|localgroup|share|view)(?:\\s{0,5}$|\\s{1,5}administrators?\\b))`,
  'i',
);
const TOOL =
  /(?:^|[\s=;|&`'"(,<>{])\/{1,3}(?:usr\/)?(?:local\/)?s?bin\/[a-z]\w{0,20}|(?:^|[\s;|&`=])(?:c:)?[/\\]{1,2}(?:windows|winnt)[/\\]{1,2}system32|cmd\.exe(?!-)|%comspec%\s{0,5}[/,]|\/bin\/(?:sh|bash|cat|ls|id|nc)\b|powershell(?:\.exe)?\s+-|command\.com/i;
const POWERSHELL =
  /\b(?:invoke-(?:webrequest|expression|command|item|restmethod|mimikatz|wmimethod)|new-object\s+(?:system\.)?net\.|start-process\s|get-(?:childitem|process|content|wmiobject|credential)\b|set-executionpolicy|downloadstring\s*\(|frombase64string|add-mppreference|start-bitstransfer)\b|[;|&]\s{0,5}(?:iwr|iex|iwmi|saps|gci)\b/i;
const LOOP =
  /\bfor\s+(?:\/[a-z]\s+)?%{1,2}\w+\s+in\s*\(|\bif\s+(?:\/i\s+)?(?:not\s+)?(?:exist|errorlevel|cmdextversion|defined)\s|\bwhile\s+(?:true|:)\s*(?:;\s*)?do\b|\bfor\s+\w+\s+in\s+[^;]{1,60};\s*do\b/i;
const REVERSE =
  /\/dev\/(?:tcp|udp)\/|\bbash\s+-i\b|\bnc(?:at)?\s+(?:-\w+\s+){0,4}-[a-z]{0,9}e[a-z]{0,9}\s|\bmkfifo\s+\/tmp|\bsocket\.socket\s*\(|\b0<&\d+|>&\s*\/dev\/|sh\s+-i\b|fsockopen\s*\(\s*["']|-e\s+\/bin\/(?:ba)?sh/i;
/** A download that is run, after a closed quote or in a substitution. */
const FETCHED =
  /(?:["']\s{0,3}[;|&]{1,2}|\$\(|\n)\s{0,3}(?:curl|wget|fetch)\s[^|;\n]{1,200}\|\s{0,3}(?:sudo\s)?(?:ba|da|z|k)?sh\b/;
const SHELLSHOCK =
  /(?<![:\w])\(\)\s{0,5}\{(?=[^}]{0,40}[:;_])[^}]{1,87}\}\s{0,5};|\(\)\s{0,3}\{\s{0,3}_;\s{0,3}\}|^\s*\(\)\s*\{\s*:/;
const GLOB = /(?:^|[\s;|&`$(=<])\/[\w?*[\]-]{0,20}[?*[][\w?*[\]-]{0,20}\/[\w?*[\]-]{1,30}[?*[\]]?/;
/** Options that make programs run others, and typical test commands. */
const ARGUMENT =
  /(?:^|\s)--(?:upload-pack|receive-pack|checkpoint-action|use-compress-program|use-askpass|to-command|open-files-in-pager)=\S|(?:^|\s)-o\s?(?:proxycommand|localcommand)=|\bext::(?:sh|bash)\b|\bgdb\s.{0,40}-ex\s|(?:^|&&|\|\||^[;|&])\s{0,3}echo\s{1,3}\S{1,60}\$\(\(|\$\(\(\s{0,3}\d{1,9}\s{0,3}[*+-]\s{0,3}\d{1,9}\s{0,3}\)\)|(?:^(?:[;|&]|%0a)|&&|\|\|)\s{0,3}echo\s{1,3}["'$\w]|^\s{0,3}-c\s{1,3}["']?(?:id|whoami|cat|ls|uname|curl|wget|bash|sh|nc|ping|echo|touch)\b|^\s{0,3}(?:sleep\s{1,3}\d{1,3}|kill\s{1,3}-(?:9|s\w*|kill)\s{1,3}\d{1,6}|chmod\s{1,3}(?:[0-7]{3,4}|[ugoa]{0,3}\+[rwxs]{1,3})\s{1,3}[\w./*~-]{1,200})\s{0,3}(?:$|[;|&#])/i;
/** Interpreters with code as an argument, and programs that run their arguments. */
const INTERPRETER = new RegExp(
  [
    `\\b(?:ba|z|k|c|tc|da|a)?sh\\s{1,5}-[a-z]{0,4}c\\s{1,5}(?:["'$\`{]|${BIN}(?:${COMMANDS}|id|ls|echo|touch|printf|env|find)${END})`,
    '\\b(?:perl|ruby|node|lua)[\\d.]{0,5}\\s{1,5}(?:-\\w{1,8}\\s{1,5}){0,2}-\\w{0,3}e\\s{0,3}(?:["\'`]|system|exec|print|require|use\\s)',
    '\\bpython[\\d.]{0,5}\\s{1,5}-c\\s{0,3}(?:["\'`]|import|print|exec|__)',
    '\\bphp[\\d.]{0,4}\\s{1,5}-r\\s{0,3}(?:["\'`]|system|exec|echo|print|eval|phpinfo)',
    '\\bg?awk\\s{1,5}["\']?BEGIN\\s{0,3}\\{',
    '\\bfind\\s{1,5}[\\w./~-]{1,40}\\s[^|;\\n]{0,80}-exec(?:dir)?\\s',
    '\\bxargs\\s{1,5}(?:-\\S{1,20}\\s{1,5}){0,4}(?:ba)?sh\\b',
    '\\bopenssl\\s{1,5}s_client\\b',
    '\\$(?:0|\\{?(?:SHELL|BASH)\\}?)\\s{1,5}-c\\s',
    '(?:\\$0|\\b(?:ba|z)?sh)\\s{0,3}<<<',
    `(?:^|[;|&\`\\n]|\\$\\()\\s{0,5}(?:(?:sudo|env|nohup|busybox|setsid|timeout|nice|stdbuf)\\s{1,5}(?:-\\w{1,10}\\s{1,5}|\\w{1,20}=\\S{0,20}\\s{1,5}|[\\d.]{1,6}[smh]?\\s{1,5}|root\\s{1,5}|www-data\\s{1,5}){0,4}){1,3}${BIN}(?:(?:id|whoami|(?:ba)?sh)(?:$|[\\s;|&])|cat\\s{1,5}[/~.]|(?:wget|curl)\\s{1,5}\\S|(?:nc|ncat|ping)\\s{1,5}[-\\d]|sleep\\s{1,5}\\d)`,
  ].join('|'),
  'i',
);
/** A command without arguments: counts only if disguised, or in a field for commands. */
const BARE =
  /^\s{0,5}(?:[\w./~-]{0,40}\/)?(?:whoami|id|uname|ifconfig|ipconfig|netstat|systeminfo|hostname|tasklist|printenv|phpinfo)(?:\s{1,5}[-/]\w{1,6})?\s{0,5}(?:$|[;|&#])/i;
const COMMAND_FIELD = /^(?:x-)?(?:cmd|command|exec|execute|shell|system|run_?cmd|ip_?cmd)$/i;
/** A command at the beginning. */
const START = new RegExp(`^\\s{0,5}${BIN}(?:${COMMANDS}|ls|id|ip|echo)(?:\\s|$|[;|&])`, 'i');
/** An apostrophe in the first word, which a shell would read as an opening quote. */
const OPEN_QUOTE = /^\s{0,5}\p{L}{1,20}'\p{L}{1,20}\s/u;
/** Templates, whose pipes are filters. */
const TEMPLATE = /\{\{[^{}]{0,300}\}\}/g;
/** A list of names, such as columns. */
const LIST = /^[a-z_]{2,20}(?:(?:[;|,][a-z_]{2,20}){2,20})$/i;

/** A quoted word in backticks within a sentence. */
const QUOTATION = /(?<=[A-Za-z,.:)] )`[^`\n]{1,80}`(?=[ ,;:)]|\.(?!\w)|$)/g;

/** Finds operating system commands in values that may be inserted into a command line. */
export function findShell(value: string, report: Report): void {
  if (value.includes('{') && SHELLSHOCK.test(value)) report(REQUEST.shellShock);
  findPrograms(value, report);
  if (/\|\s{0,3}(?:sudo\s)?(?:ba|da|z|k)?sh\b/.test(value) && FETCHED.test(value)) report(REQUEST.shellFetch);
  if (POWERSHELL.test(value) || LOOP.test(value)) report(REQUEST.shellDirect);
  if (/\?\?|\[/.test(value) && GLOB.test(value) && /[?*]{1,}\w{0,3}[?*]?/.test(value))
    report(REQUEST.shellDisguised);
  if (isProse(value) || LIST.test(value)) return;
  const commands = (value.includes('`') ? value.replace(QUOTATION, ' ') : value).replace(TEMPLATE, ' ');
  if (INTERPRETER.test(commands) || ARGUMENT.test(commands) || isWindowsCommand(commands))
    report(REQUEST.shellDirect);
  const isHidden = isExpanded(commands);
  if (!isHidden && !/[;|&`$\n\r(<>]/.test(commands) && !DIRECT.test(commands)) return;
  const isPlain = find(commands, report);
  if (isHidden) findDisguised(commands, report, isPlain);
}

/** Finds a command in a field named for commands. */
export function findShellInField(value: string, name: string, report: Report): void {
  if (COMMAND_FIELD.test(name) && BARE.test(value)) report(REQUEST.shellDirect);
}

/** Commands in a header, whose separators prove nothing, so the command must be unambiguous. */
const IN_HEADER = new RegExp(
  [
    `(?:[;|&\\n\\r]|%0a)[ \\t]{0,5}${BIN}(?:(?:whoami|id|uname|ifconfig|ipconfig)\\s{0,5}(?:$|[|&#])|uname\\s{1,5}-|(?:${COMMANDS}|ls|echo|touch|printf|head|tail|type|dir)\\s{1,5}(?:-{1,2}\\w|/\\w|\\$|["'\`|>]|https?:|[\\d.]{1,15}(?:$|[\\s;|&])|%\\w|[a-z]:\\\\))`,
    '^\\s{0,5}[;|&]{1,2}\\s{0,5}(?:env|set|ls|dir|pwd|who|w|ps|netstat)\\s{0,5}[;|&]?$',
    `^\\s{0,5}(?:cat|nc|ncat|bash|sh|ping|nslookup|chmod|rm|dig|sleep|whoami|uname)\\s{1,5}(?:-{1,2}\\w|/\\w|\\d{1,3}(?:$|\\.\\d))`,
  ].join('|'),
  'i',
);

/** Like {@link findShell}, for headers, where semicolons and parentheses are normal. */
export function findShellInHeader(value: string, report: Report): void {
  if (value.includes('{') && SHELLSHOCK.test(value)) report(REQUEST.shellShock);
  if (REVERSE.test(value)) report(REQUEST.shellReverse);
  if (SUBSTITUTED.test(value)) report(REQUEST.shellSubstitution);
  if (IN_HEADER.test(value)) report(REQUEST.shellCommand);
  if (INTERPRETER.test(value) || isWindowsCommand(value)) report(REQUEST.shellDirect);
  if (!isExpanded(value)) return;
  const plain = shellReading(value);
  if (plain !== value && !IN_HEADER.test(value) && IN_HEADER.test(plain)) {
    report(REQUEST.shellCommand);
    report(REQUEST.shellDisguised);
  }
}

function findPrograms(value: string, report: Report): boolean {
  const isReverse = REVERSE.test(value);
  const isPath = TOOL.test(value);
  if (isReverse) report(REQUEST.shellReverse);
  if (isPath) report(REQUEST.shellPath);
  return isReverse || isPath;
}

/** Finds commands after expansion; reports the disguise if they were not visible before. */
function findDisguised(value: string, report: Report, isPlain: boolean): void {
  const plain = shellReading(value);
  if (plain === value) return;
  const found = find(plain, report);
  const isProgram = !TOOL.test(value) && findPrograms(plain, report);
  const isRun = INTERPRETER.test(plain) && !INTERPRETER.test(value);
  const isWindows = isWindowsCommand(plain) && !isWindowsCommand(value);
  const isBare = isDisguised(value) && START.test(plain) && !START.test(value) && !OPEN_QUOTE.test(value);
  if (isRun || isWindows) report(REQUEST.shellDirect);
  if ((found && !isPlain) || isProgram || isRun || isWindows || isBare) report(REQUEST.shellDisguised);
}

/** Whether a command is lower-case: `; Set` begins a sentence or a name. */
function hasCommand(value: string, pattern: RegExp): boolean {
  for (const [found] of value.matchAll(pattern))
    if (!/^[^A-Za-z]*(?:[A-Za-z]{1,20}[/\\])*[A-Z][a-z]/.test(found)) return true;
  return false;
}

function find(value: string, report: Report): boolean {
  const found = [
    [hasCommand(value, SEPARATED) || hasCommand(value, SEPARATED_WORD), REQUEST.shellCommand],
    [SUBSTITUTED.test(value), REQUEST.shellSubstitution],
    [DIRECT.test(value), REQUEST.shellDirect],
  ] as const;
  for (const [isFound, signal] of found) if (isFound) report(signal);
  return found.some(([isFound]) => isFound);
}
