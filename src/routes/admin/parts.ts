import type { Offer } from '../../domain/payment/price-list.ts';
import type { FeedSnapshot } from '../../domain/threat/feed.ts';
import type { authenticateToken } from '../../http/admin-caller.ts';
import type { AdminLimits } from '../../http/admin-limits.ts';
import type { RequestMetrics } from '../../http/request-metrics.ts';
import type { Clock } from '../../lib/clock.ts';
import type { ActDesk } from '../../operator/act-desk.ts';
import type { Config } from '../../settings/config.ts';
import type { Database } from '../../storage/engine/database.ts';
import type { Feed } from '../../tasks/feed.ts';
import type { Mirror } from '../../tasks/mirror.ts';
import type { Health } from '../parts.ts';

/** What the controllers of the admin API are made from. */
export interface AdminParts {
  readonly config: Config;
  readonly offer: Offer;
  readonly clock: Clock;
  readonly db: Database;
  readonly desk: ActDesk;
  readonly limits: AdminLimits;
  readonly authenticate: ReturnType<typeof authenticateToken>;
  readonly health: Health;
  readonly feed: Pick<Feed, 'ageSeconds'>;
  readonly mirror: Pick<Mirror, 'current' | 'isBroken'>;
  readonly requestMetrics: Pick<RequestMetrics, 'verifications'>;
  /** What the feed should say at a moment, counted beside the requests; undefined when that is what it says. */
  readonly countFeed: (now: number) => Promise<FeedSnapshot | undefined>;
}
