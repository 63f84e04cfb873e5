import type { Config } from '../../settings/config.ts';

/** A test is a message to anyone, so that tenants have fewer in a day than of other things. */
const DAILY_MAX = 100;

/** The daily limit that changes and tests of a tenant's targets draw from. */
export const TENANT_ROUTE = 'notifications';

/** The daily limit of mails that ask a recipient to agree. */
export const CONFIRMATION_ROUTE = 'notification-confirmations';

/** Changes and tests of one license's targets in a day. */
export const tenantCap = ({ dailyCap }: Pick<Config, 'dailyCap'>): number => Math.min(dailyCap, DAILY_MAX);
