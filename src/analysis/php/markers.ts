// Words that identify web shells and their authors, lower-case: names from published incident reports and public malware
// taxonomies.

/** Names: one is significant in code that can do harm. */
export const BRANDS: readonly string[] = (
  'c99shell|c99 shell|c99sh_|c99madshell|r57shell|r57 shell|filesman|b374k|wso 2|wso shell|web shell by|' +
  'indoxploit|indosec|alfa team|alfateam|alfashell|p0wny|weevely|phpspy|antichat|minishell|bypass shell|0byt3|' +
  'gel4y|leafmailer|leaf phpmailer|phpshell|locus7|safe0ver|simattacker|ayyildiz|ekin0x|h4x0r|h4cked|' +
  'defaced by|ironshell|dive shell|stres shell|fatal shell|fatalsh|zacosmall|k2ll33d|ani-shell|ani shell|' +
  'angel shell|milw0rm|ctt shell|nix remote|ru24post|dtool pro|phpjackal|phpremoteview|g00nshell|kacak fso|' +
  'lamashell|gfs web|spyshell|shellbot|cgitelnet|cgi-telnet|cyber shell|cybershell|gamma web|kadotshell|' +
  'mysql web interface version|myshell|phvayv|prishell|private-i3lue|rst mysql|saudi sh3ll|sh3ll|snipersa|' +
  'spygrup|stored-shell|tdshell|toolaspshell|wolfshell|anonymousfox|anonghost|d0mains|mass deface|massdeface|' +
  'cpanel crack|sym404|symlink sa|config grabber|config killer|antsword|一句话|大马|提权|шелл'
).split('|');

/** Terms that security software uses as well: significant in code that can do harm. */
export const TRADE_WORDS: readonly string[] = (
  'webshell|web-shell|backdoor|rootshell|root shell|hacked by|command shell|mini shell|udp flood|bind shell|' +
  'reverse shell|exploit-db|zone-h|hacking team|cyber army|木马|黑客|入侵|хакер|взлом|back connect|backconnect|' +
  'back-connect|back_connect|bypass safe|safe mode bypass|safe_mode bypass|safemode bypass'
).split('|');

/** Terms that ordinary programs use as well: several together are significant. */
export const WORDS: readonly string[] = (
  'uname -a|safe_mode|safe mode|disable_functions|open_basedir|/etc/passwd|/etc/shadow|cmd.exe|/bin/sh|' +
  '/bin/bash|bind port|run command|execute command|exec command|command execut|shell_exec|passthru|chmod|0day|' +
  'r00t|deface|wget |curl -|lynx |netcat|nc -|mysql dump|dump database|self remove|suicide|kill self|' +
  'bruteforce|brute force|port scan|portscan|keylog|drwx|suid|find / -|ps aux|ifconfig|ipconfig|netstat|' +
  'server ip|your ip|uploader|current dir|change dir|make dir|create file|edit file|delete file|rename file|' +
  'file manager|whoami|net user|cpanel|sql manager|文件|目录|上传|密码|命令|执行'
).split('|');

/** Words of defaced pages. */
export const DEFACEMENT: readonly string[] =
  'hacked by|h4cked by|defaced by|pwned by|greetz|greets to|we are anonymous|cyber army'.split('|');

/** Words that accompany these, but also occur in ordinary sentences. */
export const DEFACEMENT_BESIDE: readonly string[] = ['owned by', 'was here', 'your security'];

export const SEARCH_BOTS: readonly string[] =
  'googlebot|bingbot|yandex|baidu|slurp|msnbot|crawler|spider|rambler'.split('|');

/** Words in mails of phishing pages. */
export const CREDENTIALS: readonly string[] = (
  'password|passwd|cvv|card number|cardnumber|ssn|pin|expir|username|login|email|rezult|result|bank|account|' +
  'fullz|mother'
).split('|');
