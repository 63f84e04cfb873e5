import { isHostileCommand } from '../command.ts';
import { ShellCommands } from '../shell-commands.ts';

/** Names of fields for commands of jobs, builds, checks or services. */
const NAME =
  /(?:^|[_\-.[ ])(?:cmds?|commands?|cmd_?line|command_?line|args?|arguments?|scripts?|runs?|exec\w{0,8}|entrypoint|shell|check\w{0,6}|steps?|hooks?|deploy\w{0,6}|install|build|test|lint|start|stop|restart|reload|clean|prepare|pre|post|pre\w{2,8}|post\w{2,8}|before\w{0,8}|after\w{0,8}|cron\w{0,6}|jobs?|tasks?|unit|user_?data|init|ExecStart\w{0,5}|toml|plan)\]?$/i;
/** A program by its path or name, from the first character. */
const BEGINS =
  /^\s{0,5}(?:#!\s?\/|(?:[A-Z_]{2,30}=\S{0,60}\s{1,3}){0,4}(?:sudo\s{1,3}(?:-\w\s{1,3}){0,2})?(?:\/[\w.-]{1,40}){1,8}(?:\s|$)|(?:[A-Z_]{2,30}=\S{0,60}\s{1,3}){0,4}(?:sudo\s{1,3}(?:-\w\s{1,3}){0,2})?[a-z][\w.-]{1,30}(?:\s{1,3}\S|$))/;
/** Reconnaissance commands, an intruder's first steps. */
const RECONNAISSANCE =
  /^\s{0,5}(?:sudo\s)?(?:\/[\w/]{1,20}\/)?(?:id|whoami|uname|hostname|ls|pwd|cat|ps|w|who|ifconfig|ipconfig|netstat|printenv|env|set|dir|type|net|systeminfo|ping|nslookup|dig|sleep|echo|(?:ba|z|k)?sh\s{1,3}-c\s{1,3}["']?(?:id|whoami|cat|ls|uname|env)\b)(?:\s[^|;&\n]{0,200})?$/;
/** Commands that read or send secrets, gain privileges, hide code, or write to a site. */
const HARMFUL =
  /etc\/(?:shadow|sudoers|cron)|\.ssh\/|id_(?:rsa|ed25519|dsa)|\/proc\/|\/pki\/|\.(?:npmrc|env|aws|git-credentials|kube|htpasswd)\b|\benv\s{0,3}\||--(?:data|upload|post)|\s-(?:d|F|T)\s{0,3}["']?@|\bnc(?:at)?\s|\bnsenter\b|chmod\s{1,3}(?:[ug]{0,2}\+s|[2-7][0-7]{3}\b)|-enc\w{0,12}\b|\biex\b|certutil|mshta|bitsadmin|base64|\/dev\/(?:tcp|udp)|telnetd?\b|(?:>|tee(?:\s-a)?)\s{0,3}\S{0,100}(?:\/www\/|public_html|\.php|\.jsp|\.aspx)|\beval\b|\b(?:python[\d.]*|perl|ruby|php|node)\s{1,3}-\w{0,3}[cer]\b|169\.254\.|\$\{?IFS|\$\(\$|xxd|\bsocat\b|\bmkfifo\b|useradd|adduser|passwd\s{1,3}\w|\bhistory\s{1,3}-c|\/tmp\/\S{1,60}\s{0,3}(?:;|&&|&|$)/i;
const CHARS_MAX = 8_000;

/** Whether a field is for a command and contains an ordinary one. */
export const isJob = (name: string, text: string): boolean =>
  NAME.test(name) &&
  text.length <= CHARS_MAX &&
  BEGINS.test(text) &&
  !RECONNAISSANCE.test(text) &&
  !HARMFUL.test(text) &&
  !isHostileCommand(text) &&
  !new ShellCommands().runsFetched(text);
