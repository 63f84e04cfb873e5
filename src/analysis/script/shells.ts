import { minesInCommands } from '../miners.ts';
import { HASHES, type Language } from './language.ts';
import { SCRIPT } from './signals.ts';

export const POWERSHELL: Language = {
  words: ['powershell', 'invoke-', 'new-object', 'iex', 'param', 'get-', '['],
  isIn: [
    /\bpowershell(?:\.exe)?\b\s+-|\bInvoke-(?:Expression|WebRequest|RestMethod)\b|\bNew-Object\s+(?:System\.)?Net\.|^[ \t]*\$\w{1,60}[ \t]*=[ \t]*(?:\[|New-Object|Get-)|\bIEX\b|^[ \t]*param[ \t]*\(/im,
  ],
  isProgram: true,
  comment: HASHES,
  rules: [
    [
      SCRIPT.reverseShell,
      /Net\.Sockets\.TCPClient|Net\.Sockets\.TcpListener/i,
      /\biex\b|invoke-expression|\bcmd(?:\.exe)?\b|ProcessStartInfo|Diagnostics\.Process|Start-Process|powershell|scriptblock/i,
      /GetStream/i,
    ],
    [
      SCRIPT.hiddenWindow,
      /powershell(?:\.exe)?[^\n]{0,200}\s-(?:w(?:in(?:dowstyle)?)?\s+(?:h|1)(?![^\n]{0,200}\s-f(?:ile)?\s+["']?[a-z]:\\(?!users\\|temp\\|windows\\|programdata\\[^\\\n]{1,60}\.ps1)[^\n]{1,200}\.ps1)|e(?:nc?|c|ncodedcommand)?\s+[A-Za-z0-9+/=]{16})/i,
    ],
    [
      SCRIPT.hiddenRun,
      /\b(?:iex|invoke-expression)\b(?!\s*(?:\(\s*)?["'][^"'$\n]{1,200}["'])/i,
      /FromBase64String|GzipStream|DeflateStream|-bxor|\[char\[?\]?\]/i,
    ],
    [
      SCRIPT.hostileCommand,
      /(?:DownloadString|DownloadFile|Invoke-WebRequest|\biwr\b|\bcurl\b|Start-BitsTransfer)[^\n]{0,160}(?:https?:\/\/(?!(?:10|127|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.)\d{1,3}(?:\.\d{1,3}){3}|pastebin|raw\.githack|transfer\.sh|ngrok|discordapp)/i,
    ],
    [
      SCRIPT.hostileCommand,
      /DownloadFile|Invoke-WebRequest|\biwr\b/i,
      /\$env:(?:temp|appdata|public)|\\Users\\Public/i,
      /Start-Process|Invoke-Item|&\s*["'$]/i,
      /hidden|-ExecutionPolicy\s+bypass|-ep\s+bypass|Add-MpPreference/i,
    ],
    [SCRIPT.hiddenRun, /AmsiUtils|amsiInitFailed|AmsiScanBuffer/i],
    [
      SCRIPT.persistence,
      /CurrentVersion\\Run|Register-ScheduledTask|schtasks/i,
      /powershell[^\n]{0,80}-(?:w|e)|\.ps1|hidden|DownloadString/i,
      /hidden|-enc|DownloadString|iex/i,
    ],
    [SCRIPT.coversTracks, /Clear-EventLog|wevtutil\s+cl|vssadmin\s+delete/i],
  ],
};

export const SHELL: Language = {
  words: 'sh|wget|curl|chmod|crontab|echo|sudo|nc |exec|python|perl|* *|/dev/tcp'.split('|'),
  isIn: [
    /^#!\s*\S*(?:sh|bash|zsh|dash|ksh)\b|^[ \t(]*(?:export|cd|wget|curl|chmod|echo|sudo|apt|apt-get|yum|crontab|mkdir|rm|nohup|bash|sh|exec|nc|perl|python3?|if \[|for \w+ in|set -[a-z]+)\s|^[ \t]*(?:[\d*/,-]{1,20}[ \t]+){5}\S|\/dev\/tcp\//m,
  ],
  isProgram: true,
  comment: HASHES,
  rules: [
    [
      SCRIPT.reverseShell,
      /\/dev\/(?:tcp|udp)\/[\w.$"'{}-]{1,80}\/[\w$"'{}]{1,40}/,
      /\b(?:ba|z|k|da)?sh\b(?!\s+-c)[^\n;|]{0,60}?(?:\s-i\b|[<>]&\s?\d|&?[<>]&?\s*\/dev\/(?:tcp|udp))|<&\s?\d[^\n]{0,40}\|\s*(?:\/bin\/)?(?:ba)?sh\b|\bdo\s+(?:eval\s|(?:\(\s*)?\$|(?:ba)?sh\b)/,
    ],
    [
      SCRIPT.reverseShell,
      /\b(?:nc|ncat|netcat)\b[^|;&\n]{0,80}\s-\w{0,4}[ec]\w{0,2}\s+\S{0,20}sh\b|mkfifo[^\n]{0,160}\b(?:nc|ncat|telnet|openssl\s+s_client)\b|\b(?:python[23]?|perl|ruby|php)\s+-\w{0,3}[cer]\s[^\n]{0,120}(?:socket|fsockopen)[^\n]{0,400}sh\b|\bsocat\b[^\n]{0,160}exec:[^\n]{0,40}sh\b/i,
    ],
    [
      SCRIPT.hostileCommand,
      /\b(?:wget|curl|tftp|lwp-download)\b[^\n]{0,60}\/\/(?!(?:10|127|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.)\d{1,3}(?:\.\d{1,3}){3}[^\n]{0,120}(?:\|\s*(?:ba)?sh\b|\bchmod\s|[;&]\s*(?:ba)?sh\s|\.\/)/,
    ],
    [
      SCRIPT.hostileCommand,
      /\b(?:wget|curl|tftp)\b[^\n]{0,160}\/\/?(?!(?:10|127|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.)\d{1,3}(?:\.\d{1,3}){3}/,
      /\bchmod\s+(?:\+x|[0-7]*7[0-7]{2})/,
      /^[ \t]*(?:nohup[ \t]+)?(?:\.\/|\/tmp\/|\/var\/tmp\/|\/dev\/shm\/)\S+|;\s*\.\/\S+/m,
    ],
    [
      SCRIPT.hostileCommand,
      /\b(?:wget|curl)\b[^\n]{0,240}(?:\/tmp|\/var\/tmp|\/dev\/shm)\/\.\w/,
      /(?:^|[;&|({]|\b(?:chmod|(?:ba)?sh|nohup|exec|perl|python3?|php|cd|source|setsid|sudo)[ \t][^\n;&|]{0,40}?)[ \t]*["']?(?:\/tmp|\/var\/tmp|\/dev\/shm)\/\.\w/m,
    ],
    [SCRIPT.hostileCommand, /\b(?:wget|curl)\b/, /\bcd\s+\/tmp\b[^\n]{0,40}\bcd\s+\/var\/run\b/],
    [
      SCRIPT.hiddenRun,
      /base64\s+(?:-d|--decode|-D)\b[^\n]{0,40}\|\s*(?:sudo\s+)?(?:ba|z|da)?sh\b|\beval\s+["']?\$\(\s*(?:echo|printf)[^\n]{0,400}\|\s*(?:base64|xxd|rev|gunzip)|\bxxd\s+-r[^\n]{0,40}\|\s*(?:ba)?sh\b/,
    ],
    [
      SCRIPT.persistence,
      /(?:^|["'])[ \t]*(?:(?:[\d*/,-]{1,20}[ \t]+){5}|@\w{5,8}[ \t])[^\n]{0,80}\b(?:wget|curl)\b[^\n]{0,200}\|\s*(?:ba)?sh\b|^[ \t]*@reboot[^\n]{0,40}(?:\/tmp\/|\/dev\/shm\/|\/\.(?!(?:local|config|cargo|nvm|rbenv|pyenv|rvm|v?env|virtualenvs|npm-\w{1,20}|bun|deno|dotnet|asdf|tmux|vim)\/))/m,
    ],
    [
      SCRIPT.persistence,
      />>?\s*\S{0,60}\.ssh\/authorized_keys/,
      /ssh-(?:rsa|ed25519)\s+AAAA/,
      /chattr\s+\+[ia]|history\s+-c|HISTFILE|crontab\s|\b(?:wget|curl)\b[^\n]{0,240}(?:\|\s*(?:ba)?sh\b|chmod\s)/,
    ],
    [SCRIPT.persistence, />>?\s*\/etc\/ld\.so\.preload/],
    [
      SCRIPT.coversTracks,
      /history\s+-[cw]+\b|HISTFILE=\/dev\/null|>\s*\/var\/log\/(?:wtmp|auth\.log|secure|lastlog)|rm\s+-rf?\s+\/var\/log\b|unset\s+HISTFILE/,
    ],
    [SCRIPT.miner, { test: minesInCommands }],
  ],
};
