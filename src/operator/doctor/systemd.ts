import type { Fault } from '../../lib/fault.ts';
import { readFile } from '../../lib/read-file.ts';
import { unitValues } from '../unit-credentials.ts';
import { type Finding, warning, worded } from './finding.ts';

/** A finding for a failed query of systemd. */
export const judgeSilence = (faults: readonly Fault[]): Finding[] =>
  faults.map((fault) => ({ ...worded('systemd-silent', fault, ''), severity: 'warning' }));

/** Files of EnvironmentFile= whose text a pattern finds, as far as this user may read them. */
export function environmentFilesWith(pattern: RegExp, unitText: string): string[] {
  const values = unitValues(unitText, 'EnvironmentFile');
  // As in every list of systemd, an empty value resets it.
  const paths = values.slice(values.lastIndexOf('') + 1).map((value) => value.replace(/^-/, ''));
  return paths.filter((path) => pattern.test(textOf(path)));
}

function textOf(path: string): string {
  try {
    return readFile(path);
  } catch {
    return '';
  }
}

/** What it means that a unit takes settings from files that are read by systemd alone. */
export const judgeEnvironmentFiles = (unit: string, paths: readonly string[]): Finding[] =>
  paths.map((path) =>
    warning(
      'environment-file',
      `${unit} has settings in EnvironmentFile=${path}, which commands do not read`,
      `systemctl edit ${unit}: set Environment=SERVICE_CONFIG=${path} instead, under [Service]`,
    ),
  );
