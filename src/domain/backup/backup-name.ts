import { isoInName } from '../../lib/clock.ts';

const INSTALLATION_DIGITS = 8;
const NAME = /^redoubt-([0-9a-f]{8})-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z[.]tar(?:[.]age)?$/;

/** The parts of a backup's name. */
export interface BackupName {
  /** Its installation: the beginning of the fingerprint of its key, so that several may share a folder. */
  readonly installation: string;
  /** When it was made, in milliseconds since the Unix epoch; whole seconds. */
  readonly at: number;
}

/** Distinguishes the names of an installation's backups. */
export const installationTag = (keyFingerprint: string): string =>
  Buffer.from(keyFingerprint, 'base64url').toString('hex').slice(0, INSTALLATION_DIGITS);

/**
 * Such as `redoubt-3f9a1c2e-20261124T031426Z.tar`; names follow each other as backups do.
 *
 * @param at milliseconds since the Unix epoch
 */
export const backupName = (installation: string, at: number, isEncrypted: boolean): string =>
  `redoubt-${installation}-${isoInName(at)}.tar${isEncrypted ? '.age' : ''}`;

/** Reads such a name; undefined for any other. */
export function backupNameIn(name: string): BackupName | undefined {
  const [, installation, ...parts] = NAME.exec(name) ?? [];
  const [year, month, day, hours, minutes, seconds] = parts;
  const at = Date.parse(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}Z`);
  return installation === undefined || Number.isNaN(at) ? undefined : { installation, at };
}
