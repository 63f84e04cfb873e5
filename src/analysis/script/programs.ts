import { HASHES, type Language } from './language.ts';
import { doneWithRequest } from './request-flow.ts';
import { SCRIPT } from './signals.ts';

export const PERL: Language = {
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
      /\bsystem\s*(?:\(\s*)?["']?[$@]|\bexec\s*(?:\(\s*)?["']?[$@]|`[^`\n]{0,200}[$@]\w[^`\n]{0,200}`|\bopen\s*\(?[^)\n]{0,80}(?:["'][^"'|\n]{0,60}[$@][^"'\n]{0,60}\|\s*["']|[$@]\w{1,40}\s*\.\s*["'][^"'|\n]{0,20}\||["']\s*\|\s*[$@](?!\w{0,20}(?:mail|prog)))|\bopen\s*\(?[^)\n]{0,40}["'](?:-\||\|-)["'][^)\n]{0,40}[$@]/i,
    ],
    [
      SCRIPT.reverseShell,
      /\bsocket\s*\(\s*\w|IO::Socket::INET\s*->\s*new/i,
      /\bexec\b[^\n]{0,80}\/sh\b|\bopen\s*\(\s*\*?STD(?:IN|OUT)\s*,\s*["']?[<>]&|\bsystem\b[^\n]{0,40}\/bin\/(?:ba)?sh/,
      /\bexec\b|\bsystem\b/,
    ],
    [SCRIPT.reverseShell, /IO::Socket/, /PRIVMSG/, /`\$\w+`|\bexec\b|\bsystem\b/],
    [SCRIPT.hiddenRun, /\beval\s*(?:\(\s*)?(?:unpack|decode_base64|pack)\b/],
  ],
};

const PYTHON_REQUEST =
  /\brequest\s*\.\s*(?:args|form|values|json|GET|POST|data|cookies|headers|get_json|query_params)\b|FieldStorage\s*\(|QUERY_STRING|self\.get_argument\s*\(/;
const PYTHON_RUNS = doneWithRequest({
  request: PYTHON_REQUEST,
  assigned: /\b(\w{1,60})\s*(?:=(?!=)|\bin\b)\s*([^\n]{1,300})/g,
  declared: /\bdef\s+(\w{1,60})\s*\(([^()]{1,200})\)/g,
  sink: /\b(?:os\s*\.\s*(?:system|popen)|commands\s*\.\s*getoutput|subprocess\s*\.\s*(?:getoutput|getstatusoutput))\s*\((?=([^\n]{1,300}))|\bsubprocess\s*\.\s*\w{1,30}\s*\((?=([^\n]{1,200}shell\s*=\s*True))/g,
});
/** Secrets of browsers, messengers and wallets, as a part of a path or as an opened file. */
const READS_PASSWORDS =
  /[\\/](?:Login Data|Local State|wallet\.dat|cookies\.sqlite|logins\.json|key4\.db)\b|\b(?:open|join|connect|Path|copy\w{0,8}|glob)\s*\([^\n]{0,160}["'](?:Login Data|Local State|wallet\.dat|cookies\.sqlite|logins\.json|key4\.db)["']|Local Storage["'\\/, ]{1,8}leveldb/;
const READS = /\bopen\s*\(|\.\s*connect\s*\(|\bcopy\w{0,8}\s*\(|\.\s*read\w{0,10}\s*\(/;
/** A private key that is opened, directly or through a variable. */
const READS_KEY =
  /\bopen\s*\([^\n]{0,80}\.ssh\/id_(?:rsa|ed25519)\b(?!\.pub)|\b(\w{1,40})\s*=\s*[^\n]{0,120}\.ssh\/id_(?:rsa|ed25519)\b(?!\.pub)[\s\S]{0,600}?\b(?:open|Path)\s*\(\s*\1\b|\.ssh\/id_(?:rsa|ed25519)["']\s*\)\s*\.\s*read_/;
/** Data sent to an attacker's channel. */
const SENDS =
  /(?:requests|session|httpx)\s*\.\s*(?:post|put)\s*\([^;]{0,300}?(?:files|data|json|content)\s*=|urlopen|smtplib|sendDocument|webhook\w{0,10}\s*[.(]/i;
export const PYTHON: Language = {
  words: ['python', 'import', 'from '],
  isIn: [
    /^#!\s*\S{0,100}python|^#!\s*\/usr\/bin\/env\s+python|^[ \t]*(?:import|from)[ \t]+[\w.]{1,100}(?:[ \t]+import[ \t]+[\w*]|[ \t]+as[ \t]+\w|[ \t]*[,;]|[ \t]*$)|\bexec\(__import__\(/m,
  ],
  isProgram: true,
  comment: HASHES,
  rules: [
    [SCRIPT.commandOfRequest, PYTHON_RUNS],
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
      /\b(?:exec|eval)\s*\(\s*(?:compile\s*\(\s*)?(?:__import__\s*\(\s*["'](?:base64|zlib|marshal|codecs)["']|base64\s*\.|zlib\s*\.|marshal\s*\.\s*loads|codecs\s*\.\s*decode|bytes\s*\.\s*fromhex|b64decode|\(?_\s*(?:\)\s*)?\()/,
    ],
    [
      SCRIPT.hostileCommand,
      /\b(?:exec|eval)\s*\(\s*(?:requests\s*\.\s*get|urllib|urlopen)\b[^\n]{0,160}(?:\.text|\.read\s*\(|\.content)/,
    ],
    [SCRIPT.stealer, READS_PASSWORDS, READS, SENDS],
    [SCRIPT.stealer, READS_KEY, SENDS],
  ],
};

export const RUBY: Language = {
  words: ['ruby', 'require'],
  isIn: [
    /^#!\s*\S{0,100}ruby|^[ \t]*require[ \t]+["'](?:socket|open3|sinatra|net\/http|base64|webrick|open-uri)["']/m,
  ],
  isProgram: true,
  comment: HASHES,
  rules: [
    [
      SCRIPT.reverseShell,
      /TCPSocket/,
      /\/bin\/(?:ba)?sh|cmd\.exe|`[^`\n]{0,40}#\{|\b(?:exec|spawn|system|popen\d?|capture\d\w?)\b\s*(?:\(\s*)?(?:\w{1,30}\s*[,)\n]|["'](?:ba)?sh\b|"#\{)/,
    ],
    [SCRIPT.hiddenRun, /\beval\s*(?:\(\s*)?(?:Base64|Zlib|open\s*\()/],
    [
      SCRIPT.commandOfRequest,
      /`[^`\n]{0,80}#\{\s*params|\b(?:system|exec|eval|open3\.\w+|IO\.popen)\s*(?:\(\s*)?params\b/i,
    ],
  ],
};
