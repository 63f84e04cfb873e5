/** Windows commands with command syntax: switches, paths, downloads. */
const WINDOWS = new RegExp(
  [
    '(?:\\bcmd(?:\\.exe)?|%comspec%)[\\s,;"]{0,5}/[ckr](?![\\w/])',
    '\\b(?:powershell|pwsh)(?:\\.exe)?["\\s]{1,5}-(?:e|ec|enc\\w{0,12}|nop\\w{0,8}|noni\\w{0,12}|w\\w{0,12}|c|command|ep|ex\\w{0,14}|f|file|version|sta)\\b',
    '\\bcertutil(?:\\.exe)?\\s{1,5}[-/](?:urlcache|decode\\w{0,3}|encode\\w{0,3}|f|ping|verifyctl)\\b',
    '\\bbitsadmin(?:\\.exe)?\\s{1,5}/',
    '\\bmshta(?:\\.exe)?["\\s]{1,5}(?:https?:|vbscript:|javascript:|\\\\\\\\)',
    '\\brundll32(?:\\.exe)?\\s{1,5}(?:\\S{1,60},|javascript:|\\\\\\\\)',
    '\\bregsvr32(?:\\.exe)?\\s{1,5}/',
    '\\bmsiexec(?:\\.exe)?\\s{1,5}/[qi]',
    '\\bwmic(?:\\.exe)?\\s{1,5}(?:process|os|useraccount|computersystem|/node|service|qfe|product|logicaldisk|bios|cpu)\\b',
    '\\bnet1?\\s{1,5}(?:user|localgroup|group)\\s[^;|&\\n]{1,60}\\s/(?:add|del\\w{0,3}|active)\\b',
    '\\bschtasks(?:\\.exe)?\\s{1,5}/',
    '\\breg(?:\\.exe)?\\s{1,5}(?:add|query|delete|save|export)\\s{1,5}"?hk',
    '\\btype\\s{1,5}"?(?:%\\w{1,20}%|[a-z]:)[\\\\/]{1,2}\\w',
    '\\bdir\\s{1,5}(?:/\\w\\s{1,3}){0,3}(?:%\\w{1,20}%|[a-z]:)[\\\\/]',
    '\\bset\\s{1,5}/a\\s{1,5}["\\d]',
    '\\btimeout\\s{1,5}/t\\s{1,5}\\d',
    '\\b[cw]script(?:\\.exe)?\\s{1,5}(?://?[be]|\\S{1,60}\\.(?:vbs|js|wsf)\\b)',
    '[&|]\\s{0,5}(?:ping\\s{1,5}-n\\s|type\\s{1,5}[\\w.%\\\\-]{1,40}\\.\\w{2,4}\\b|dir\\s{1,5}[a-z]:|echo\\s{1,5}%\\w{1,30}%|ver\\s{0,5}(?:$|[&|]))',
    '\\bping\\s{1,5}-n\\s{1,5}\\d{1,4}\\s{1,5}[\\w.]',
    '\\bcmd(?:\\.exe)?\\|\\s?["\']?\\s?/[ck]',
    '\\b(?:x?copy|net\\s{1,3}use|robocopy)\\s{1,5}\\\\\\\\[\\w.-]{1,60}\\\\',
    '\\bforfiles\\s{1,5}/',
    '\\[(?:system\\.)?(?:net|io|text|convert|reflection|diagnostics|runtime|environment|math)(?:\\.\\w{1,30}){0,3}\\]::\\w',
    '\\biex\\s{0,5}\\(|\\|\\s{0,5}iex\\b|&\\s{0,5}\\(\\s{0,5}["\'][\\w-]{1,20}["\']\\s{0,5}\\+',
    '\\bif\\s{1,10}(?:/i\\s{1,10})?(?:not\\s{1,10})?\\S{1,40}(?:\\s{0,3}==|\\s{1,10}(?:equ|neq|lss|leq|gtr|geq)\\s).{0,40}[\\s(@](?:echo|goto|cmd|del)\\b',
    '\\bfor\\s{1,10}(?:/[a-z]\\s{1,10}){0,3}(?:"[^"]{0,60}"\\s{1,5}|[^\\s%]{1,30}\\s{1,5})?%{1,2}\\S?\\s{1,5}in\\s{0,5}\\(',
  ].join('|'),
  'i',
);

export const isWindowsCommand = (text: string): boolean => WINDOWS.test(text);
