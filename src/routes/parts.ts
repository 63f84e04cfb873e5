import type { Brand } from '../domain/brand/brand.ts';
import type { DerivedIdentities } from '../domain/identity.ts';
import type { Catalog } from '../domain/license/catalog.ts';
import type { SendTest } from '../domain/notification/test-delivery.ts';
import type { Offer } from '../domain/payment/price-list.ts';
import type { IntegrationUse } from '../domain/site/integrations.ts';
import type { FindLicense } from '../http/caller.ts';
import type { ClientAddress } from '../http/client-address.ts';
import type { Limits, PeekLimits } from '../http/limits.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { RecentUses } from '../lib/recent-uses.ts';
import type { ActDesk } from '../operator/act-desk.ts';
import type { FeedDesk } from '../operator/feed-desk.ts';
import type { Config } from '../settings/config.ts';
import type { StatusLists } from '../storage/credentials/status-lists.ts';
import type { Database } from '../storage/engine/database.ts';
import type { Writer } from '../storage/engine/writer.ts';
import type { readOperators } from '../storage/operators/operators.ts';
import type { TenantData } from '../storage/tenant-data.ts';
import type { CredentialKeys } from '../tasks/credential-keys.ts';
import type { CountEvents } from '../tasks/event-counts.ts';
import type { EvidenceDesk } from '../tasks/evidence.ts';
import type { Feed } from '../tasks/feed.ts';
import type { Mirror } from '../tasks/mirror.ts';
import type { PaymentParts } from '../tasks/payments.ts';
import type { ScanDesk } from '../tasks/scans.ts';
import type { CountVulnerabilities } from '../tasks/site-vulnerabilities.ts';
import type { TrustDesk } from '../tasks/trust.ts';
import type { Health } from './service-health.ts';

/** Types of the parts that routes and pages use, by name. No object has all of them; see {@link Parts}. */
interface Vocabulary {
  readonly addressOf: ClientAddress;
  readonly brand: Brand;
  readonly catalog: Catalog;
  readonly clock: Clock;
  readonly config: Config;
  /** Counts stored events for the operator's Overview. */
  readonly countEvents: CountEvents;
  /** Counts the open vulnerabilities of a site. */
  readonly countVulnerabilities: CountVulnerabilities;
  readonly credentialKeys: CredentialKeys;
  readonly db: Database;
  readonly desk: ActDesk;
  /** Returns the OpenAPI document, created on first use. */
  readonly document: () => Promise<object>;
  readonly evidenceDesk: Pick<EvidenceDesk, 'signed' | 'covering'>;
  readonly feed: Pick<Feed, 'current' | 'ageSeconds'>;
  readonly feedDesk: FeedDesk;
  readonly findLicense: FindLicense;
  readonly health: Health;
  readonly identities: DerivedIdentities;
  readonly limits: Limits;
  readonly log: Log;
  readonly mirror: Pick<Mirror, 'current' | 'ask' | 'isBroken'>;
  /** Logs a failed sign-in to the console. */
  readonly noteFailedSignIn: (request: Request) => void;
  readonly offer: Offer;
  readonly operators: ReturnType<typeof readOperators>;
  readonly payments: PaymentParts;
  readonly peekLimits: PeekLimits;
  /** The configured public URL without a path, otherwise the URL of the listener. */
  readonly publicUrl: () => string;
  readonly scanDesk: Pick<ScanDesk, 'add' | 'cancel' | 'progressOf'>;
  /** Sends a test to a notification target. */
  readonly sendTest: SendTest;
  /** Starts settling due payments now. */
  readonly settlePayments: () => void;
  readonly statusLists: StatusLists;
  /** Reads the data of tenants. */
  readonly tenantData: TenantData;
  readonly trustDesk: TrustDesk;
  /** Recently used integrations. */
  readonly uses: RecentUses<IntegrationUse>;
  readonly writer: Pick<Writer, 'write'>;
}

/** The parts of one route, page or function, such as `Parts<'clock' | 'config'>`. */
export type Parts<Name extends keyof Vocabulary> = Pick<Vocabulary, Name>;
