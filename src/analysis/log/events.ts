import { minesInLog } from '../miners.ts';
import type { Signal } from '../signal.ts';
import { withoutQuotedWords } from './quoted-words.ts';
import { LOG } from './signals.ts';

/** Prefilter: each rule requires one of these words. */
const WORTH_READING =
  /sudo|shadow|sudoers|uid=0|group|administrator|domain admins|edited|modified|cleared|wevtutil|eventlog|event ?id|w3wp|httpd|nginx|tomcat|sqlservr|powershell|pwsh|iex\b|expression|certutil|bitsadmin|mshta|regsvr32|curl|wget|fetch|base64|vssadmin|wbadmin|bcdedit|shadowcopy|comsvcs|mimikatz|sekurlsa|procdump|hklm|net1?(?:\.exe)? user|psexesvc|xmrig|kinsing|kdevtmpfsi|minerd|cryptonight|stratum\+tcp|preload|\/tmp\/|\/dev\/shm|chmod|-exec|blocked|denied|detected|prevented|modsecurity|\bban |found|malware/i;

/** Hidden folders that operating systems and desktops do not use. */
const HIDDEN_FOLDER =
  '(?:/tmp|/var/tmp|/dev/shm)/\\.(?!(?:X11|ICE|XIM|font|Test)-unix/|mount_)[\\w.-]{1,60}/[\\w.-]';
/** Text before a program that is run: a job, a command, a system event. */
const RUN =
  '(?:CMD \\(|COMMAND=|ExecStart=|argc=\\d{1,3} |\\b(?:exe|image|cmd|cmdline|command(?: line)?|process|program)["\']?[:=] ?["\']?|\\b(?:nohup|sudo|setsid|exec|bash|sh|perl|python3?|source|chmod \\S{1,9}) |[;&|] ?|started |sh\\[\\d{1,9}\\]: \\w{1,40}: )';
/** Setuid helpers of operating systems and browsers. */
const HELPER =
  '\\S{0,200}/(?:sudo|su|ping6?|u?mount|fusermount3?|passwd|chsh|chfn|newgrp|gpasswd|pkexec|bwrap|ssh-keysign|dbus-daemon-launch-helper|chrome[-_]sandbox)(?![\\w-])';

const RULES: readonly (readonly [{ test(text: string): boolean }, Signal])[] = [
  [
    /\bsudo(?:\[\d+\])?:\s+(?:www-data|apache2?|nginx|httpd?|nobody|daemon|mysql|tomcat\d*|php-fpm)\s+:/i,
    LOG.serviceSudo,
  ],
  [/\bsudo\b[^\n]{0,80}(?:command not allowed|not in (?:the )?sudoers)/i, LOG.notAllowed],
  [
    /COMMAND=\S{0,40}\b(?:cat|less|more|head|tail|cp|nano|vim?)\s[^\n]{0,80}\/etc\/(?:shadow|gshadow|sudoers(?!\.d\/))/,
    LOG.secretsRead,
  ],
  [/new user: name=[^,\s]{1,64}, UID=0\b/, LOG.rootAccount],
  [
    /to (?:shadow )?group '?(?:sudo|wheel|root)\b|\b(?:4728|4732|4756)\b[\s\S]{0,300}\b(?:administrators|administratoren|domain admins)\b|\blocalgroup\s+\S{1,40}\s+\S{1,60}\s+\/add|\buser (?:was )?(?:created|registered|added)\b[^\n]{0,120}\brole["']?[=: ]{1,3}["']?administrator/i,
    LOG.newAdministrator,
  ],
  [
    /\b(?:theme|plugin) file (?:edited|modified|changed)\b|\bfile (?:modified|changed): \S{0,80}wp-(?:includes|admin)\//i,
    LOG.codeEdited,
  ],
  [
    /\bevent ?id"?[:= ]{1,3}(?:1102|104)\b|\b(?:audit|security|system|event) log(?: file)? was cleared|\bwevtutil(?:\.exe)?\s+(?:cl|clear-log)\b|\bclear-eventlog\b/i,
    LOG.logCleared,
  ],
  [
    /\b(?:w3wp|httpd|nginx|php-cgi|tomcat\d{0,2}|sqlservr)\.exe\b[\s\S]{0,240}\b(?:cmd|powershell|pwsh|whoami|net1?|certutil)\.exe\b/i,
    LOG.webProcess,
  ],
  [
    /\b(?:powershell|pwsh)\b[^\n]{0,200}\s-(?:e|en|enc|enco\w{0,10}|encodedcommand)\s+[A-Za-z0-9+/=]{20}|\b(?:powershell|pwsh)\b[^\n]{0,200}\s-w(?:indowstyle)?\s+hidden(?![^\n]{0,200}\s-f(?:ile)?\s+["']?[a-z]:\\(?!users\\|temp\\|windows\\|programdata\\[^\\\n]{1,60}\.ps1)[^\n]{1,200}\.ps1)/i,
    LOG.hiddenPowerShell,
  ],
  [
    /\b(?:iex|invoke-expression)\b[^\n]{0,120}(?:downloadstring|downloadfile|invoke-webrequest|\biwr\b|net\.webclient)|\bbitsadmin(?:\.exe)?\b[^\n]{0,80}\/transfer|\bmshta(?:\.exe)?\s+["']?https?:|\bregsvr32(?:\.exe)?\b[^\n]{0,80}\/i:https?:/i,
    LOG.downloadAndRun,
  ],
  // Downloading revocation lists is its purpose, and cache entries can be deleted.
  [
    /\bcertutil(?:\.exe)?\b[^\n]{0,60}[-/]urlcache\b[^\n]{0,80}?\b(?:https?|ftp):\/\/(?![^\s"']{1,300}\.(?:crl|crt|cer|p7b)["']?(?:\s+[^\s"']{1,200}\.(?:crl|crt|cer|p7b)["']?|\s+delete)?\s*$)(?![^\n]{1,300}\sdelete\b)/im,
    LOG.downloadAndRun,
  ],
  // Build steps of an image come from its Dockerfile.
  [
    /^(?!(?:#\d{1,4} |\[[^\]\n]{1,30}\] |step \d{1,3}\/\d{1,3} ?: ?){1,3}RUN ).*\b(?:curl|wget|fetch)\s[^|\n]{8,400}\|\s{0,3}(?:sudo\s+)?(?:ba|z|da|k)?sh\b/im,
    LOG.pipedToShell,
  ],
  [
    /\b(?:curl|wget|fetch|certutil|urlcache)\b[^\n]{0,200}https?:\/\/\d{1,3}(?:\.\d{1,3}){3}\b/i,
    LOG.fromBareAddress,
  ],
  [/\bbase64\s+(?:-d|-D|--decode)\b[^|\n]{0,80}\|\s{0,3}(?:ba|z|da|k)?sh\b/, LOG.decodedToShell],
  [
    /\bvssadmin(?:\.exe)?\s+delete\s+shadows|\bwbadmin(?:\.exe)?\s+delete(?![^\n]{0,120}-keepversions:[1-9])|\bbcdedit(?:\.exe)?["']?\s+[/-]set\b[^\n]{0,80}recoveryenabled\s+no|\bshadowcopy\s+delete/i,
    LOG.copiesDeleted,
  ],
  [
    /\bcomsvcs\.dll[\s,]{1,4}(?:#24|minidump)|\bmimikatz(?:\.exe|["']?\s+["']?\w{3,12}::)|\bwin(?:32|64)\/mimikatz|[/\\]mimikatz(?![\w.-])|[!:-]mimikatz\b|\b(?:sekurlsa|lsadump)::|\b(?:detected|blocked|quarantined|found) (?:\w+ )?mimikatz|\bmimikatz (?:was |has been )?(?:detected|blocked|quarantined|executed|started)|\bprocdump\b[^\n]{0,60}lsass|\breg(?:\.exe)?\s+save\s+hklm\\(?:sam|security|system)/i,
    LOG.credentialsDumped,
  ],
  [/\bnet1?(?:\.exe)?\s+user\s+\S{1,60}\s+(?:\S{1,60}\s+)?\/add/i, LOG.accountByCommand],
  [
    /(?<!\b(?:no|not|without|removed|deleted|removing|deleting) (?:the )?(?:service )?)\bPSEXESVC(?![^\n]{0,40}\b(?:removed|deleted|uninstalled|absent|not (?:found|present|installed|running))\b)/i,
    LOG.remoteService,
  ],
  [{ test: minesInLog }, LOG.miner],
  [
    /(?:>|\btee(?: -a)?|\bchattr \+\w|\b(?:vim?|nano|touch|sed -i\S{0,20}[^\n;|&]{0,80}))\s*["']?\/etc\/ld\.so\.preload\b|\b(?:cp|mv|ln|install|mount)\b[^\n;|&]{1,160}\s["']?\/etc\/ld\.so\.preload["')]*\s*(?:$|[;&|])|\/etc\/ld\.so\.preload\b["']?[^\n]{0,80}(?:\bO_(?:WRONLY|RDWR|CREAT)|nametype=CREATE|\b(?:added|modified|created|changed|written)\b)|\b(?:added|modified|created|changed|wrote)\b[^\n]{0,30}["' ]\/etc\/ld\.so\.preload\b|object '\/(?:tmp|var\/tmp|dev\/shm)\/[^'\n]{1,200}' from \/etc\/ld\.so\.preload\b/im,
    LOG.preload,
  ],
  [new RegExp(`${RUN}${HIDDEN_FOLDER}`, 'i'), LOG.hiddenProgram],
  // In four digits, the first sets the user: 4 setuid, 2 only setgid, which shared folders have.
  [
    new RegExp(
      `\\bchmod\\s+(?:-\\w+\\s+)?(?:[ugoa]{0,4}u[ugoa]{0,3}\\+[rwx]{0,3}s|\\+[rwx]{0,3}s|0?[4-7][0-7]{3})\\s+(?!${HELPER})|-exec\\s+(?:/usr)?/bin/(?:ba)?sh\\s+-p\\b`,
    ),
    LOG.setUid,
  ],
  [/\bNOTICE\s+\[[\w-]{1,40}\] Ban /, LOG.banned],
];

const STOPPED =
  /modsecurity: (?:access denied|warning)|\bclamd\b[^\n]{0,400}\bFOUND\b|\bmalware (?:hit|found|detected)\b|\b(?:blocked|denied|detected|prevented)\b[^\n]{0,120}\b(?:sql injection|sqli|xss|cross-site scripting|(?:path|directory) traversal|(?:command|code) (?:injection|execution)|rce|web ?shell|malware|exploit|lfi|rfi)\b/i;
const NOTHING_FOUND =
  /\b(?:no|0|without|not) (?:new |known )?(?:\w+ ){0,2}(?:issues|threats|malware|infections)?\b[^\n]{0,20}(?:found|detected)/i;

/** Finds reports of intrusions in one line or several short ones. */
export function findEvents(line: string, report: (signal: Signal) => void): void {
  if (!WORTH_READING.test(line)) return;
  // auditd writes a command line as a0="..." a1="...".
  const text = withoutQuotedWords(line).replace(/ ?\ba\d{1,2}="([^"]{0,2000})"/g, ' $1');
  for (const [pattern, signal] of RULES) if (pattern.test(text)) report(signal);
  if (STOPPED.test(text) && !NOTHING_FOUND.test(text)) report(LOG.stopped);
}
