import type { KeptBackup } from '../storage/installation/backups.ts';

/** How the last reload went. */
export interface ReloadState {
  hasLastFailed: boolean;
  /** Why it failed, for operators; undefined when it did not. */
  reason?: string | undefined;
  /** The names of settings that were not taken over, because they need a restart. */
  needRestart?: readonly string[];
}

/** What the service is doing, as far as an operator must know. */
export interface Health {
  /** Current problems, in public words. */
  problems(): readonly string[];
  /** Expected problems for the operator, in public words. */
  warnings(): Promise<readonly string[]>;
  /** The newest good backup. */
  lastBackup(): Promise<KeptBackup | undefined>;
  /** When the certificate of our own TLS ends, if there is one, in milliseconds since the Unix epoch. */
  certificateEndsAt(): number | undefined;
  readonly reloads: Readonly<ReloadState>;
}
