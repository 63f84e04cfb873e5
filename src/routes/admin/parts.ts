import type { Offer } from '../../domain/payment/price-list.ts';
import type { authenticateToken } from '../../http/admin-caller.ts';
import type { AdminLimits } from '../../http/admin-limits.ts';
import type { ActDesk } from '../../operator/act-desk.ts';
import type { FeedDesk } from '../../operator/feed-desk.ts';
import type { Config } from '../../settings/config.ts';
import type { ServiceStatusNow, StatusParts } from './service-status.ts';

/** What the controllers of the admin API are made from. */
export interface AdminParts extends StatusParts {
  readonly config: Config;
  readonly offer: Offer;
  readonly desk: ActDesk;
  readonly feedDesk: FeedDesk;
  readonly limits: AdminLimits;
  readonly authenticate: ReturnType<typeof authenticateToken>;
  /** How the service does. */
  readonly serviceStatus: () => Promise<ServiceStatusNow>;
  /** Has the payments that are due settled at once. */
  readonly settlePayments: () => void;
}
