const FETCHES = /^(?:wget|curl|fetch|lwp-download|lynx|aria2c|GET)$/;
const RUNNERS = /^(?:(?:ba|da|k|z|a)?sh|perl|python[23]?(?:\.\d+)?|php\d?|ruby|node|source|\.)$/;
/** Words before a command that do not change its meaning. */
const LEADING = /^(?:sudo|nohup|exec|env|command|time|nice|setsid|then|do|if|\(|\{|\w+=\S*)$/;
/** Programs whose own instructions use this installation method. */
const INSTALLERS =
  /^https?:\/\/(?:getcomposer\.org|deb\.nodesource\.com|rpm\.nodesource\.com|get\.docker\.com|sh\.rustup\.rs|install\.python-poetry\.org)\//;
export const isInstaller = (address: string): boolean => INSTALLERS.test(address);

const PIECES = /(?:\|\||&&|[;|&\n])/;
const PIECES_MAX = 100;
const WORDS_MAX = 60;

/** The query and fragment after the path. Searches from the beginnings of lines, so each is read once. */
const ASKED = /^([^?#\n\r\u2028\u2029]*)[?#].*(?![\s\S])/m;
const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1).replace(ASKED, '$1');
const unquoted = (word: string): string => word.replace(/^["'`(]+/, '').replace(/(?<!["'`)])["'`)]+$/, '');

/** Detects whether one of several consecutive commands, in one line or several calls, runs what another downloaded. */
export class ShellCommands {
  readonly #fetched = new Set<string>();

  /** Records that a file was downloaded. */
  noteFetched(path: string): void {
    const name = baseName(path);
    if (name !== '') this.#fetched.add(name);
  }

  /** Whether a path is that of a downloaded file. */
  hasFetched(path: string): boolean {
    return this.#fetched.has(baseName(path));
  }

  /** Reads a line of commands; true if it runs a download. */
  runsFetched(line: string): boolean {
    let fetches = false;
    let found = false;
    for (const piece of line.split(PIECES).slice(0, PIECES_MAX)) {
      const words = piece.trim().split(/\s+/).slice(0, WORDS_MAX).map(unquoted);
      while (LEADING.test(words[0] ?? '')) words.shift();
      const [program = '', ...rest] = words;
      const name = baseName(program);
      if (FETCHES.test(name)) {
        fetches = this.#note(rest);
        continue;
      }
      const isRunner = RUNNERS.test(name);
      const script = isRunner ? rest.find((word) => !word.startsWith('-')) : program;
      if (fetches && isRunner && isPiped(line, piece) && !rest.some((word) => /^-[rec]$/.test(word)))
        found = true;
      else if (
        script !== undefined &&
        (isRunner || program.includes('/')) &&
        this.#fetched.has(baseName(script))
      )
        found = true;
    }
    return found;
  }

  /** Records the output file of a download; false if the host is a known installer. */
  #note(words: readonly string[]): boolean {
    const address = words.find((word) => /^(?:https?|ftp):\/\//.test(word)) ?? '';
    if (isInstaller(address)) return false;
    const output = words.findIndex((word) => /^(?:-[a-zA-Z]*[oO]|--output(?:-document)?|>)$/.test(word));
    const target = words[output + 1] ?? '';
    const isNamed = output >= 0 && target !== '' && !/^(?:-|https?:)/.test(target);
    this.noteFetched(isNamed ? target : address || (words.at(-1) ?? ''));
    return true;
  }
}

/** Whether a piece of a line reads the output of the previous piece. */
const isPiped = (line: string, piece: string): boolean => {
  const at = line.indexOf(piece);
  return at > 0 && line[at - 1] === '|' && line[at - 2] !== '|';
};

const JOB = /(?:(?:[\d*/,-]{1,20}[ \t]+){5}|@(?:reboot|hourly|daily)[ \t])/;
const COMES_BACK =
  /\b(?:wget|curl|fetch)\b[^\n]{0,300}(?:\|\s*(?:ba|da)?sh\b|\|\s*(?:php|perl|python)|-O\s*-)|\/(?:tmp|shm|uploads)\/|\/\.\w|base64|php\s+-r|\bbash\s+-i\b/;

/** Whether a command or crontab installs a job that runs a download or a hidden program. */
export function installsHiddenJob(text: string): boolean {
  if (!text.includes('crontab') && !text.includes('* *') && !text.includes('@')) return false;
  const start = JOB.exec(text);
  return start !== null && COMES_BACK.test(text.slice(start.index, start.index + 600));
}
