/** An error whose message contains no foreign text and may be logged. */
export class Fault extends Error {}

const FRAMES_MAX = 5;

interface Coded {
  readonly code?: unknown;
  /** SQLite's message for its code. */
  readonly errstr?: unknown;
}

/** The first fault in the chain of causes. */
const faultIn = (error: unknown): Fault | undefined => {
  if (error instanceof Fault) return error;
  return error instanceof Error ? faultIn(error.cause) : undefined;
};

/** The loggable part of any error: a fault's message, or name, code and frames. Other messages may contain callers' input. */
export function faultOf(error: unknown): string {
  if (!(error instanceof Error) || faultIn(error)) return reasonOf(error);
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return [reasonOf(error), ...frames.slice(0, FRAMES_MAX).map((line) => line.trim())].join(' | ');
}

/** Like {@link faultOf} without frames, for operators. */
export function reasonOf(error: unknown): string {
  const fault = faultIn(error);
  if (fault) return fault.message;
  if (!(error instanceof Error)) return typeof error;
  const { code, errstr } = (error.cause instanceof Error ? error.cause : error) as Coded;
  return [error.name, ...[code, errstr].filter((word) => typeof word === 'string')].join(' | ');
}
