import { minesInCommands } from './miners.ts';

/** Commands that open a shell to another host, run a download, or mine cryptocurrency. */
const HOSTILE: readonly RegExp[] = [
  /\/dev\/(?:tcp|udp)\//,
  /\b(?:nc|ncat|netcat)\b[^|;&\n]{0,80}\s-\w{0,4}[ec]\w{0,2}\s/,
  /\b(?:ba|da|z|k)?sh\s+-i\b/,
  /\bmkfifo\b[^\n]{0,120}\b(?:nc|ncat|openssl|telnet)\b/,
  /\b(?:wget|curl|fetch|lwp-download)\b[^\n]{0,200}(?:;|&&|\|\|?)\s*(?:sudo\s+)?(?:(?:ba|da|z)?sh|perl|python[23]?|php)\s+(?:-c\s+)?(?:\/(?:tmp|var\/tmp|dev\/shm)\/|\.\/|\S*\.(?:pl|py|jpg|png|txt)\b)/,
  /\b(?:wget|curl|fetch)\b[^\n]{0,300}\bchmod\s+(?:\+x|[0-6]*7[0-7]*)\s[^\n]{0,200}(?:;|&&)\s*(?:nohup\s+)?(?:\.\/|\/(?:tmp|var\/tmp|dev\/shm)\/)/,
  /\b(?:python[23]?|perl|ruby|php)\s+-\w{0,3}[cer]\s[^\n]{0,200}(?:\bsocket\b|Socket|fsockopen|b64decode|decode_base64)/,
  /\bbase64\s+(?:-d|--decode|-D)\b[^\n]{0,40}\|\s*(?:sudo\s+)?(?:ba|z|da)?sh\b/,
];
const COMMAND_CHARS_MAX = 4_000;

/** Whether a command is one that legitimate programs do not run. */
export const isHostileCommand = (command: string): boolean => {
  const text = command.slice(0, COMMAND_CHARS_MAX);
  return minesInCommands(text) || HOSTILE.some((pattern) => pattern.test(text));
};
