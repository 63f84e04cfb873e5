import type { KeptBackup } from '../storage/installation/backups.ts';

/** The result of the last reload of settings. */
export interface ReloadState {
  hasLastFailed: boolean;
  /** The reason of a failure, for operators; undefined after a success. */
  reason?: string | undefined;
  /** Names of changed settings that need a restart. */
  needRestart?: readonly string[];
}

/** The state of the service, for operators and monitoring. */
export interface Health {
  /** Current problems, in words that may be public. */
  problems(): readonly string[];
  /** Imminent problems, in words that may be public. */
  warnings(): Promise<readonly string[]>;
  /** The newest good backup. */
  lastBackup(): Promise<KeptBackup | undefined>;
  /** Expiry of the service's TLS certificate, in milliseconds since the Unix epoch; undefined without TLS. */
  certificateEndsAt(): number | undefined;
  readonly reloads: Readonly<ReloadState>;
}
