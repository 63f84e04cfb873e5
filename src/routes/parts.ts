import type { KeyObject } from 'node:crypto';
import type { JudgeContent, JudgeContents } from '../analysis/analysis.ts';
import type { DerivedIdentities } from '../domain/identity.ts';
import type { Catalog } from '../domain/license/catalog.ts';
import type { IntegrationUse } from '../domain/site/integrations.ts';
import type { NoteAnswer } from '../http/access-log.ts';
import type { authenticate, FindLicense } from '../http/caller.ts';
import type { HookContext } from '../http/context.ts';
import type { Limits } from '../http/limits.ts';
import type { RequestMetrics } from '../http/request-metrics.ts';
import type { Clock } from '../lib/clock.ts';
import type { ConnectionCounts } from '../lib/crowd.ts';
import type { Log } from '../lib/log.ts';
import type { RecentUses } from '../lib/recent-uses.ts';
import type { CheckControl } from '../outside/control-check.ts';
import type { SurveySite } from '../outside/site-survey.ts';
import type { Config } from '../settings/config.ts';
import type { StatusLists } from '../storage/credentials/status-lists.ts';
import type { Writer } from '../storage/engine/writer.ts';
import type { KeptBackup } from '../storage/installation/backups.ts';
import type { TenantData } from '../storage/tenant-data.ts';
import type { CredentialKeys } from '../tasks/credential-keys.ts';
import type { EvidenceDesk } from '../tasks/evidence.ts';
import type { Feed } from '../tasks/feed.ts';
import type { Mirror } from '../tasks/mirror.ts';
import type { PaymentParts } from '../tasks/payments.ts';
import type { ScanDesk } from '../tasks/scans.ts';
import type { SigningKeys } from '../tasks/signing-keys.ts';
import type { CountVulnerabilities } from '../tasks/site-vulnerabilities.ts';
import type { TrustDesk } from '../tasks/trust.ts';

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
  /** What is wrong at the moment, in public words; empty when nothing is. */
  problems(): readonly string[];
  /** What an operator should see to before it is wrong, in public words. */
  warnings(): Promise<readonly string[]>;
  /** The newest good backup. */
  lastBackup(): Promise<KeptBackup | undefined>;
  /** When the certificate of our own TLS ends, if there is one, in milliseconds since the Unix epoch. */
  certificateEndsAt(): number | undefined;
  readonly reloads: Readonly<ReloadState>;
}

/** What controllers are made from. server/assemble.ts builds it for each input. */
export interface Parts {
  readonly config: Config;
  readonly catalog: Catalog;
  readonly clock: Clock;
  /** The public address of this service, without a path: as configured, else where it listens. */
  readonly publicUrl: () => string;
  readonly log: Log;
  readonly identities: DerivedIdentities;
  readonly findLicense: FindLicense;
  readonly writer: Pick<Writer, 'write'>;
  readonly tenantData: TenantData;
  readonly statusLists: StatusLists;
  readonly feed: Pick<Feed, 'current' | 'ageSeconds'>;
  readonly mirror: Pick<Mirror, 'current' | 'ask' | 'isBroken'>;
  readonly countVulnerabilities: CountVulnerabilities;
  /** Looks at a site from outside. */
  readonly surveySite: SurveySite;
  /** Looks for the proof that a license controls a domain. */
  readonly checkControl: CheckControl;
  readonly scanDesk: Pick<ScanDesk, 'add' | 'cancel' | 'progressOf'>;
  readonly evidenceDesk: Pick<EvidenceDesk, 'signed' | 'covering'>;
  readonly credentialKeys: CredentialKeys;
  readonly signingKeys: SigningKeys;
  /** Signs the evidence; its public half is published. */
  readonly evidenceKey: KeyObject;
  readonly trustDesk: TrustDesk;
  /** The operator's security.txt, if there is one. */
  readonly securityTxt: string | undefined;
  readonly payments: PaymentParts;
  /** Analyses a content, with the second opinion of an endpoint if one is set. */
  readonly judgeContent: JudgeContent;
  /** The same for a batch, with second opinions on a few. */
  readonly judgeContents: JudgeContents;
  readonly isAnalysisAvailable: () => boolean;
  readonly health: Health;
  readonly uses: RecentUses<IntegrationUse>;
  /** Whether what is logged goes to a file or another process. */
  readonly logCollected: boolean;
  readonly limits: Limits;
  readonly requestMetrics: RequestMetrics;
  readonly noteAnswer: NoteAnswer;
  /** Undefined where the runtime does not tell of connections. */
  readonly connections: () => ConnectionCounts | undefined;
  /** Whether a request may be answered with metrics. */
  readonly mayReadMetrics: (request: Request) => boolean;
  /** Whether a request's path may be another one than was sent. */
  readonly isTidied: (request: Request) => boolean;
  readonly authenticate: ReturnType<typeof authenticate>;
  /** The same for the feed: a license must be active or in trial. */
  readonly authenticateValid: ReturnType<typeof authenticate>;
  /** A hook for routes that consume nothing: shows what the caller could draw from. */
  readonly peekLimits: (context: HookContext) => void | Promise<void>;
}
