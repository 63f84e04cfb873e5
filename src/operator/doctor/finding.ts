/** Something that an operator should see to. None holds a secret. */
export interface Finding {
  /** What kind of finding it is, in lower case and for good, such as `clock-behind`. */
  readonly id: string;
  /** An error keeps somebody from their work now or at the next start; a warning will, or may. */
  readonly severity: 'error' | 'warning';
  readonly what: string;
  readonly do: string;
}

const findingOf =
  (severity: Finding['severity']) =>
  (id: string, what: string, todo: string): Finding => ({ id, severity, what, do: todo });

export const failure = findingOf('error');
export const warning = findingOf('warning');

/** What an error for operators says, whose message tells behind its first colon what to do. */
export function worded(id: string, { message }: Error, otherwise: string): Finding {
  const colon = message.indexOf(': ');
  return colon < 0
    ? failure(id, message, otherwise)
    : failure(id, message.slice(0, colon), message.slice(colon + 2));
}

/** The exit code of a look: 0 nothing was found, 1 an error, 3 warnings only. */
export function exitCodeOf(findings: readonly Finding[]): 0 | 1 | 3 {
  if (findings.length === 0) return 0;
  return findings.some(({ severity }) => severity === 'error') ? 1 : 3;
}

const MB = 1_000_000;

/** Bytes for people. */
export const inMb = (bytes: number): string => `${Math.floor(bytes / MB)} MB`;
