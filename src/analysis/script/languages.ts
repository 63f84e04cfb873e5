import type { Signal } from '../signal.ts';
import { SCRIPT } from './signals.ts';

/** A finding and the patterns that must all match for it, each bounded in how far it looks. */
type Rule = readonly [Signal, ...RegExp[]];

export interface Language {
  /** One of these stands in every content in it, in lower case: found natively, before any pattern looks. */
  readonly words: readonly string[];
  /** What all of a content in it matches, to tell it from others. */
  readonly isIn: readonly RegExp[];
  /** Whether it is a program of its own, with no page around it. */
  readonly isProgram: boolean;
  /** Lines that are comments. */
  readonly comment: RegExp;
  readonly rules: readonly Rule[];
}

const SLASHES = /^[ \t]*(?:\/\/|\*|\/\*).*$/gm;
const HASHES = /^[ \t]*#(?!!).*$/gm;
const QUOTES = /^[ \t]*(?:'|rem[ \t]).*$/gim;

const JAVA_REQUEST =
  /request\s*\.\s*get(?:Parameter|Header|Reader|InputStream|QueryString|Cookies)|\$\{param\b/;
const JAVA: Language = {
  words: ['<%', '<jsp:'],
  isIn: [
    /<%[\s=@!#-]|<%\w{2}|<jsp:/i,
    /\brequest\s*\.\s*get(?:Parameter|Reader|Header|Cookies|InputStream|Query)|\bimport\s*=\s*["']\s*java|language\s*=\s*["']?java\b|\bjava\.(?:io|util|lang|net)\b/i,
  ],
  isProgram: false,
  comment: SLASHES,
  rules: [
    [
      SCRIPT.commandOfRequest,
      /\.\s*exec\s*\(|\bProcessBuilder\b|getRuntime|\\u0065\\u0078\\u0065\\u0063/,
      JAVA_REQUEST,
    ],
    [
      SCRIPT.codeOfRequest,
      /\bdefineClass\b|ClassLoader\b[^;]{0,80}\bextends\b|extends\s+ClassLoader|ScriptEngineManager|\.evaluate\s*\(/,
      JAVA_REQUEST,
    ],
    [
      SCRIPT.fileOfRequest,
      /new\s+(?:java\.io\.)?(?:FileOutputStream|FileWriter|RandomAccessFile|PrintWriter)\s*\(/,
      JAVA_REQUEST,
    ],
    [
      SCRIPT.reverseShell,
      /new\s+(?:java\.net\.)?Socket\s*\(/,
      /\bexec\s*\(|ProcessBuilder/,
      /getInputStream/,
    ],
    [SCRIPT.hiddenRun, /BASE64Decoder|Base64\.getDecoder|decodeBuffer/, /defineClass|\.invoke\s*\(/],
  ],
};

const ASP_REQUEST =
  /\brequest\s*(?:\.\s*(?:form|querystring|item|params|headers|cookies|binaryread|files|inputstream))?\s*[([.]|\bitem\s*\[/i;
const ASP: Language = {
  words: ['<%', 'runat'],
  isIn: [
    /<%[\s=@!#]|<%\w{2}|runat\s*=\s*["']?server/i,
    /\brequest\s*[.([]|\b(?:execute|eval|createobject)\b|\bserver\s*\.|\b(?:language|page|webhandler|webservice)\s/i,
  ],
  isProgram: false,
  comment: QUOTES,
  rules: [
    [
      SCRIPT.codeOfRequest,
      /(?<![.\w])(?:eval|execute|executeglobal|executestatement|addcode)\b\s*\(?[^\n]{0,80}\brequest\b|\beval\s*\(\s*\w+\s*,\s*["']unsafe/i,
    ],
    [
      SCRIPT.codeOfRequest,
      /Assembly\s*\.\s*Load\s*\(|CSharpCodeProvider|CompileAssemblyFromSource|CodeDomProvider/i,
      ASP_REQUEST,
    ],
    [
      SCRIPT.commandOfRequest,
      /ProcessStartInfo|Process\s*\.\s*Start|wscript\.shell|shell\.application|\bxp_cmdshell\b|72C24DD5-D70A-438B-8A42-98424B88AFB8|F935DC22-1CF0-11D0-ADB9-00C04FD58A0B/i,
      ASP_REQUEST,
    ],
    [
      SCRIPT.fileOfRequest,
      /\.\s*(?:saveas|savetofile|createtextfile|opentextfile|writealltext|writeallbytes|copyto)\b|new\s+streamwriter/i,
      ASP_REQUEST,
    ],
    [
      SCRIPT.hiddenRun,
      /\b(?:execute|eval|executeglobal)\b\s*\(?\s*\w{1,40}\s*\(\s*(?:"[^"\n]{20}|\w{1,30}\s*\))|vbscript\.encode|#@~\^/i,
    ],
    [SCRIPT.reverseShell, /TcpClient|new\s+Socket|WSASocket/i, /cmd(?:\.exe)?|Process/i, /connect/i],
  ],
};

const COLD_FUSION: Language = {
  words: ['<cf'],
  isIn: [/<cf(?:set|execute|output|param|file|query|if)\b/i],
  isProgram: false,
  comment: /<!---[\s\S]{0,2000}?--->/g,
  rules: [
    [SCRIPT.commandOfRequest, /<cfexecute\b/i, /#?\b(?:form|url|cgi|cookie)\s*[.[]/i],
    [SCRIPT.codeOfRequest, /\b(?:evaluate|defineClass)\s*\(/i, /\b(?:form|url)\s*[.[]|getHttpRequestData/i],
    [
      SCRIPT.fileOfRequest,
      /<cffile\b[^>]{0,200}action\s*=\s*["']?(?:write|upload|append)/i,
      /\b(?:form|url)\s*[.[]/i,
    ],
  ],
};

const PERL: Language = {
  words: ['perl', 'use ', 'use\t', 'my ', 'my\t'],
  isIn: [
    /^#!\s*\S{0,100}perl|^[ \t]*use[ \t]+(?:strict|CGI|Socket|IO::Socket|LWP|MIME)\b|^[ \t]*my[ \t]+[$@%]\w/m,
  ],
  isProgram: true,
  comment: HASHES,
  rules: [
    [
      SCRIPT.commandOfRequest,
      /\bparam\s*\(|QUERY_STRING|CONTENT_LENGTH|ReadParse/,
      /\bsystem\s*\(?\s*["']?[$@]|\bexec\s*\(?\s*["']?[$@]|`[^`\n]{0,200}[$@]\w[^`\n]{0,200}`|\bopen\s*\([^)\n]{0,80}\|/,
    ],
    [
      SCRIPT.reverseShell,
      /\bsocket\s*\(\s*\w|IO::Socket::INET\s*->\s*new/i,
      /\bexec\b[^\n]{0,80}\/sh\b|\bopen\s*\(\s*\*?STD(?:IN|OUT)\s*,\s*["']?[<>]&|\bsystem\b[^\n]{0,40}\/bin\/(?:ba)?sh/,
      /\bexec\b|\bsystem\b/,
    ],
    [SCRIPT.reverseShell, /IO::Socket/, /PRIVMSG/, /`\$\w+`|\bexec\b|\bsystem\b/],
    [SCRIPT.hiddenRun, /\beval\s*\(?\s*(?:unpack|decode_base64|pack)\b/],
  ],
};

const PYTHON_REQUEST =
  /\brequest\s*\.\s*(?:args|form|values|json|GET|POST|data|cookies|headers|get_json|query_params)\b|FieldStorage\s*\(|QUERY_STRING|self\.get_argument\s*\(/;
const PYTHON: Language = {
  words: ['python', 'import', 'from '],
  isIn: [
    /^#!\s*\S{0,100}python|^#!\s*\/usr\/bin\/env\s+python|^[ \t]*(?:import|from)[ \t]+[\w.]{1,100}(?:[ \t]+import[ \t]+[\w*]|[ \t]+as[ \t]+\w|[ \t]*[,;]|[ \t]*$)|\bexec\(__import__\(/m,
  ],
  isProgram: true,
  comment: HASHES,
  rules: [
    [
      SCRIPT.commandOfRequest,
      /\b(?:os\s*\.\s*(?:system|popen)|commands\s*\.\s*getoutput|subprocess\s*\.\s*(?:getoutput|getstatusoutput))\s*\(\s*(?!["'][^"'{%]*["']\s*\))|\bsubprocess\s*\.\s*\w+\s*\([^\n]{0,200}shell\s*=\s*True/,
      PYTHON_REQUEST,
    ],
    [
      SCRIPT.codeOfRequest,
      /\b(?:exec|eval)\s*\(\s*[\w.(]{0,40}(?:request\s*\.\s*(?:args|form|values|json|GET|POST|data|get_json)|getvalue|get_argument)/,
    ],
    [
      SCRIPT.reverseShell,
      /\.\s*(?:connect|bind)\s*\(/,
      /\bdup2\s*\(|pty\s*\.\s*spawn|\b(?:Popen|call|run|check_output|popen)\s*\(\s*(?:\[\s*)?(?:["'](?:\/bin\/(?:ba)?sh|cmd)|\w{1,30}\s*[,)])/,
      /["'](?:\/bin\/(?:ba)?sh|cmd(?:\.exe)?)["']|shell\s*=\s*True/,
      /\brecv\s*\(|fileno/,
    ],
    [
      SCRIPT.hiddenRun,
      /\b(?:exec|eval)\s*\(\s*(?:compile\s*\(\s*)?(?:__import__\s*\(\s*["'](?:base64|zlib|marshal|codecs)["']|base64\s*\.|zlib\s*\.|marshal\s*\.\s*loads|codecs\s*\.\s*decode|bytes\s*\.\s*fromhex|b64decode|\(?_\s*\)?\s*\()/,
    ],
    [
      SCRIPT.hostileCommand,
      /\b(?:exec|eval)\s*\(\s*(?:requests\s*\.\s*get|urllib|urlopen)\b[^\n]{0,160}(?:\.text|\.read\s*\(|\.content)/,
    ],
    [
      SCRIPT.stealer,
      /Login Data|Local State|wallet\.dat|\.ssh\/id_rsa|leveldb|cookies\.sqlite|logins\.json|key4\.db/,
      /requests\s*\.\s*post|urlopen|smtplib|sendDocument|webhooks?\b/,
      /discord|telegram|webhook|https?:\/\//i,
    ],
  ],
};

const RUBY: Language = {
  words: ['ruby', 'require'],
  isIn: [
    /^#!\s*\S{0,100}ruby|^[ \t]*require[ \t]+["'](?:socket|open3|sinatra|net\/http|base64|webrick|open-uri)["']/m,
  ],
  isProgram: true,
  comment: HASHES,
  rules: [
    [SCRIPT.reverseShell, /TCPSocket/, /\bexec\b|IO\s*\.\s*popen|`|spawn|\/bin\/sh/],
    [SCRIPT.hiddenRun, /\beval\s*\(?\s*(?:Base64|Zlib|open\s*\()/],
    [
      SCRIPT.commandOfRequest,
      /`[^`\n]{0,80}#\{\s*params|\b(?:system|exec|eval|open3\.\w+|IO\.popen)\s*\(?\s*params\b/i,
    ],
  ],
};

const POWERSHELL: Language = {
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
      /\biex\b|invoke-expression|cmd(?:\.exe)?|Process/i,
      /GetStream/i,
    ],
    [
      SCRIPT.hiddenWindow,
      /powershell(?:\.exe)?[^\n]{0,200}\s-(?:w(?:in(?:dowstyle)?)?\s+(?:h|1)|e(?:nc?|c|ncodedcommand)?\s+[A-Za-z0-9+/=]{16})/i,
    ],
    [
      SCRIPT.hiddenRun,
      /\b(?:iex|invoke-expression)\b/i,
      /FromBase64String|GzipStream|DeflateStream|-bxor|\[char\[?\]?\]/i,
    ],
    [
      SCRIPT.hostileCommand,
      /(?:DownloadString|DownloadFile|Invoke-WebRequest|\biwr\b|\bcurl\b|Start-BitsTransfer)[^\n]{0,160}(?:https?:\/\/\d{1,3}(?:\.\d{1,3}){3}|pastebin|raw\.githack|transfer\.sh|ngrok|discordapp)/i,
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

const SHELL: Language = {
  words: [
    'sh',
    'wget',
    'curl',
    'chmod',
    'crontab',
    'echo',
    'sudo',
    'nc ',
    'exec',
    'python',
    'perl',
    '* *',
    '/dev/tcp',
  ],
  isIn: [
    /^#!\s*\S*(?:sh|bash|zsh|dash|ksh)\b|^[ \t(]*(?:export|cd|wget|curl|chmod|echo|sudo|apt|apt-get|yum|crontab|mkdir|rm|nohup|bash|sh|exec|nc|perl|python3?|if \[|for \w+ in|set -[a-z]+)\s|^[ \t]*(?:[\d*/,-]{1,20}[ \t]+){5}\S|\/dev\/tcp\//m,
  ],
  isProgram: true,
  comment: HASHES,
  rules: [
    [
      SCRIPT.reverseShell,
      /\/dev\/(?:tcp|udp)\/[\w.$"'{}-]{1,80}\/[\w$"'{}]{1,40}/,
      /\b(?:ba|z|k)?sh\s+-i\b|exec\s+\d+<>|[<>]&\d|\bcat\s*<&\d/,
    ],
    [
      SCRIPT.reverseShell,
      /\b(?:nc|ncat|netcat)\b[^|;&\n]{0,80}\s-\w{0,4}[ec]\w{0,2}\s+\S{0,20}sh\b|mkfifo[^\n]{0,160}\b(?:nc|ncat|telnet|openssl\s+s_client)\b|\b(?:python[23]?|perl|ruby|php)\s+-\w{0,3}[cer]\s[^\n]{0,120}(?:socket|fsockopen)[^\n]{0,400}sh\b|\bsocat\b[^\n]{0,160}exec:[^\n]{0,40}sh\b/i,
    ],
    [
      SCRIPT.hostileCommand,
      /\b(?:wget|curl|tftp|lwp-download)\b[^\n]{0,60}\/\/\d{1,3}(?:\.\d{1,3}){3}[^\n]{0,120}(?:\|\s*(?:ba)?sh\b|\bchmod\s|[;&]\s*(?:ba)?sh\s|\.\/)/,
    ],
    [
      SCRIPT.hostileCommand,
      /\b(?:wget|curl|tftp)\b[^\n]{0,160}\/\/?\d{1,3}(?:\.\d{1,3}){3}/,
      /\bchmod\s+(?:\+x|[0-7]*7[0-7]{2})/,
      /^[ \t]*(?:nohup[ \t]+)?(?:\.\/|\/tmp\/|\/var\/tmp\/|\/dev\/shm\/)\S+|;\s*\.\/\S+/m,
    ],
    [
      SCRIPT.hostileCommand,
      /\b(?:wget|curl)\b[^\n]{0,240}(?:\/tmp|\/var\/tmp|\/dev\/shm)\/\.\w|\bcd\s+\/tmp\b[^\n]{0,40}\bcd\s+\/var\/run\b/,
    ],
    [
      SCRIPT.hiddenRun,
      /base64\s+(?:-d|--decode|-D)\b[^\n]{0,40}\|\s*(?:sudo\s+)?(?:ba|z|da)?sh\b|\beval\s+["']?\$\(\s*(?:echo|printf)[^\n]{0,400}\|\s*(?:base64|xxd|rev|gunzip)|\bxxd\s+-r[^\n]{0,40}\|\s*(?:ba)?sh\b/,
    ],
    [
      SCRIPT.persistence,
      /(?:^|["'])[ \t]*(?:(?:[\d*/,-]{1,20}[ \t]+){5}|@\w{5,8}[ \t])[^\n]{0,80}\b(?:wget|curl)\b[^\n]{0,200}\|\s*(?:ba)?sh\b|^[ \t]*@reboot[^\n]{0,40}(?:\/tmp\/|\/dev\/shm\/|\/\.)/m,
    ],
    [
      SCRIPT.persistence,
      />>?\s*\S{0,60}\.ssh\/authorized_keys/,
      /ssh-(?:rsa|ed25519)\s+AAAA/,
      /chattr\s+\+i|history\s+-c|crontab|wget|curl/,
    ],
    [SCRIPT.persistence, />>?\s*\/etc\/ld\.so\.preload/],
    [
      SCRIPT.coversTracks,
      /history\s+-[cw]+\b|HISTFILE=\/dev\/null|>\s*\/var\/log\/(?:wtmp|auth\.log|secure|lastlog)|rm\s+-rf?\s+\/var\/log\b|unset\s+HISTFILE/,
    ],
    [
      SCRIPT.miner,
      /\bxmrig\b|stratum\+(?:tcp|ssl):|--donate-level|\bminerd\b|(?:pool|xmr)\.\w+\.\w+:\d{4}/i,
      /wget|curl|nohup|chmod|-o\s/,
    ],
  ],
};

/** Languages that are read, those of pages first. */
export const LANGUAGES: readonly Language[] = [JAVA, ASP, COLD_FUSION, PERL, PYTHON, RUBY, POWERSHELL, SHELL];
