/** Mining programs as complete file names; monitoring tools contain these in their own names. */
const NAME = '(?:xmrig|minerd|kinsing|kdevtmpfsi)(?:-\\d[\\w.+-]{0,60})?(?:\\.exe)?(?![\\w-]|\\.[a-z])';
const POOL = '[\\w.-]{0,100}(?:pool|xmr|monero|mine)[\\w.-]{0,100}:\\d{2,5}';

/** A protocol or option that only miners use, or a pool with an account. */
const MINES = new RegExp(
  `\\bstratum\\d?\\+(?:tcp|ssl|tls|udp):|--donate-level\\b|\\s(?:-o|--url)[ =]["']?${POOL}[^\\n]{0,80}\\s(?:-u|--user)[ =]`,
  'i',
);
/** A miner as a command. */
const IS_RUN = new RegExp(
  `(?:^|[;&|({]|\\b(?:nohup|sudo|exec|setsid|then|do|screen -\\w{1,8}|start|sh -c ["'])[ \\t])[ \\t]*["']?(?:[\\w.$~{}-]{0,60}/){0,12}${NAME}(?=["']?(?:[ \\t]*$|[ \\t]*[;&|>)}]|[ \\t]+-))`,
  'im',
);
const IS_FETCHED = new RegExp(`\\b(?:wget|curl|fetch|iwr)\\b[^\\n]{0,240}/${NAME}`, 'i');

/** Whether commands download or run a miner. */
export const minesInCommands = (text: string): boolean =>
  MINES.test(text) || IS_RUN.test(text) || IS_FETCHED.test(text);

const IN_LOG = new RegExp(
  `\\bcryptonight\\b|[/\\\\]${NAME}|\\b${NAME}(?:\\[\\d{1,9}\\]: |[ \\t]+-{1,2}\\w)|(?:comm|exe|cmd|command|process(?: name)?|image|name)["']?(?:[=:]| started:?) ?["']?${NAME}|\\bprocess ["'(]?${NAME}|^[^\\S\\r\\n\\u2028\\u2029]*\\d{1,8}\\s[^\\n]{0,200}\\s${NAME}[^\\S\\r\\n\\u2028\\u2029]*$`,
  'im',
);

/** Whether a log reports a running or stored miner. */
export const minesInLog = (text: string): boolean => MINES.test(text) || IN_LOG.test(text);
