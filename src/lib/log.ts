import { fstatSync } from 'node:fs';
import { printable } from './printable.ts';
import { writeAll } from './write-all.ts';

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Structured data of a log line. Callers must not pass keys, e-mail addresses, bodies or headers. */
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** Writes a line at every level, because every operator needs it. */
  announce(message: string, fields?: LogFields): void;
  /** Drops less severe lines from now on. */
  setLevel(level: LogLevel): void;
  /** Writes buffered lines. */
  flush(): void;
}

const STDERR = 2;
/** Prefixes that give a line's priority to systemd's journal (sd-daemon(3)). */
const PRIORITY = { debug: '<7>', info: '<6>', warn: '<4>', error: '<3>' } as const;
/** If the reader is further behind, lines are dropped: logging must not stop the service. */
const LATE_READER_MS_MAX = 20;
const FLUSH_AFTER_MS = 50;
const FLUSH_AT_CHARACTERS = 64 * 1024;

/**
 * Writes plain lines for terminals or JSON lines for machines. Lines are buffered briefly and written together, because a
 * system call per request would cost more than the request. Warnings and errors are written immediately. With `priorities`,
 * each line starts with its priority for the journal.
 */
export function createLog(options: {
  level: LogLevel;
  json: boolean;
  priorities?: boolean;
  write?: (text: string) => void;
}): Log {
  const write = options.write ?? ((text) => writeAll(STDERR, text, LATE_READER_MS_MAX));
  let lowest = LOG_LEVELS.indexOf(options.level);
  let pending = '';
  let timer: ReturnType<typeof setTimeout> | undefined;

  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (pending === '') return;
    const text = pending;
    pending = '';
    write(text);
  };

  const line =
    (level: LogLevel, always = false) =>
    (message: string, fields?: LogFields) => {
      const rank = LOG_LEVELS.indexOf(level);
      if (rank < lowest && !always) return;
      if (options.priorities) pending += PRIORITY[level];
      pending += options.json ? jsonLine(level, message, fields) : plainLine(level, message, fields);
      if (rank >= LOG_LEVELS.indexOf('warn') || pending.length >= FLUSH_AT_CHARACTERS) flush();
      else timer ??= setTimeout(flush, FLUSH_AFTER_MS);
    };

  return {
    debug: line('debug'),
    info: line('info'),
    warn: line('warn'),
    error: line('error'),
    announce: line('info', true),
    setLevel(level) {
      lowest = LOG_LEVELS.indexOf(level);
    },
    flush,
  };
}

/** Whether the log goes to a file or another process, not to a terminal or /dev/null. */
export function isCollected(): boolean {
  const target = fstatSync(STDERR);
  return target.isFile() || target.isFIFO() || target.isSocket();
}

/** Whether stderr is connected to systemd's journal (systemd.exec(5), `JOURNAL_STREAM`). */
export function isReadByJournal({ JOURNAL_STREAM: stream } = process.env): boolean {
  if (!stream) return false;
  const { dev, ino } = fstatSync(STDERR, { bigint: true });
  return stream === `${dev}:${ino}`;
}

/** Prints the error that ends a command. */
export const complain = (text: string): void => {
  process.stderr.write(`${isReadByJournal() ? PRIORITY.error : ''}redoubt: ${printable(text)}\n`);
};

/** A log without output, for commands and tests. */
export const silentLog: Log = createLog({ level: 'error', json: true, write: () => {} });

function jsonLine(level: LogLevel, message: string, fields: LogFields = {}): string {
  const begin = `{"time":"${timestamp()}","level":"${level}","message":${JSON.stringify(message)}`;
  // Concatenated, because copying the fields into one object costs as much as serializing the line.
  const facts = JSON.stringify(fields);
  return facts === '{}' ? `${begin}}\n` : `${begin},${facts.slice(1)}\n`;
}

let stamped = { atMs: 0, text: '' };

/** Cached, because many lines share a millisecond and formatting costs as much as the rest of a line. */
function timestamp(): string {
  const atMs = Date.now();
  if (atMs !== stamped.atMs) stamped = { atMs, text: new Date(atMs).toISOString() };
  return stamped.text;
}

function plainLine(level: LogLevel, message: string, fields: LogFields = {}): string {
  const facts = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}=${value}`)
    .join('');
  return `${timestamp().slice(11, 23)} ${level.padEnd(5)} ${withoutControls(message + facts)}\n`;
}

/** Prevents a fault's text from forging log lines or sending commands to the terminal. */
const withoutControls = (text: string): string => text.replace(/\p{Cc}+/gu, ' ');
