import type { Catalog } from '../domain/license/catalog.ts';
import type { License } from '../domain/license/license.ts';
import type { FindLicense } from '../http/caller.ts';
import type { Caller, HookContext } from '../http/context.ts';
import type { InsideRequests } from '../http/inside-requests.ts';
import type { Limits } from '../http/limits.ts';
import type { SeenAddress } from '../http/own-origin.ts';
import type { Clock } from '../lib/clock.ts';
import type { Downloads } from '../pages/downloads.ts';
import type { Frame } from '../pages/html.tsx';
import type { Config } from '../settings/config.ts';
import type { Writer } from '../storage/engine/writer.ts';
import type { UnprovenSite } from '../storage/sites/unproven-sites.ts';

/**
 * What the pages of the portal are made from. All that they show of a tenant, the interface answers, but for what a license is called
 * and what its menu counts.
 */
export interface PortalParts {
  readonly config: Pick<Config, 'baseUrl'>;
  readonly catalog: Catalog;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  readonly limits: Pick<Limits, 'perIp' | 'spendPage' | 'countFailedAuthentication'>;
  readonly writer: Pick<Writer, 'write'>;
  readonly findLicense: FindLicense;
  readonly portal: {
    /** The license of a session, by the hash of its token, if it began after a moment. */
    readonly sessionOf: (tokenHash: string, startedAfter: number) => Promise<number | undefined>;
    readonly licenseOf: (id: number) => Promise<License | undefined>;
    /** Whom a license was issued for, as its operator notes it. */
    readonly customerOf: (licenseId: number) => Promise<string | null>;
    /** How many alerts of its sites are open. */
    readonly openAlertsOf: (licenseId: number) => Promise<number>;
    /** Its sites with a domain that it could prove, and has not. */
    readonly unprovenOf: (licenseId: number) => Promise<readonly UnprovenSite[]>;
    readonly seen: (request: Request) => SeenAddress;
    readonly downloads: Downloads;
  };
  readonly inside: InsideRequests;
  readonly frame: Frame;
  /** What the service answers to a request. */
  readonly fetch: (request: Request) => Response | Promise<Response>;
}

/** A request of a signed-in person. */
export interface Visit extends HookContext {
  /** What its pages have around them. */
  readonly frame: Frame;
  readonly caller: Caller;
  /** Whom the license was issued for, where that is noted. */
  readonly customer: string | null;
  readonly openAlerts: number;
  /** The token of the session. */
  readonly token: string;
  /** What its path names. */
  readonly params: Readonly<Record<string, string>>;
}
