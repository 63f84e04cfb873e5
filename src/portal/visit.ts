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
 * The parts of the portal's pages. They get all data of a tenant from the API, except the customer's name, alert counts and
 * unverified sites.
 */
export interface PortalParts {
  readonly config: Pick<Config, 'baseUrl'>;
  readonly catalog: Catalog;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  readonly limits: Pick<Limits, 'perIp' | 'spendPage' | 'countFailedAuthentication'>;
  readonly writer: Pick<Writer, 'write'>;
  readonly findLicense: FindLicense;
  readonly portal: {
    /** Finds the license of a session by the hash of its token, if the session started after the given time. */
    readonly sessionOf: (tokenHash: string, startedAfter: number) => Promise<number | undefined>;
    readonly licenseOf: (id: number) => Promise<License | undefined>;
    /** Name of the customer, as entered by the operator. */
    readonly customerOf: (licenseId: number) => Promise<string | null>;
    /** Counts the open alerts of the license's sites. */
    readonly openAlertsOf: (licenseId: number) => Promise<number>;
    /** Lists sites of the license whose domain could be verified, but is not. */
    readonly unprovenOf: (licenseId: number) => Promise<readonly UnprovenSite[]>;
    readonly seen: (request: Request) => SeenAddress;
    readonly downloads: Downloads;
  };
  readonly inside: InsideRequests;
  readonly frame: Frame;
  /** Handles a request like one from a client. */
  readonly fetch: (request: Request) => Response | Promise<Response>;
}

/** A request of a signed-in tenant. */
export interface Visit extends HookContext {
  readonly frame: Frame;
  readonly caller: Caller;
  /** Name of the customer; null if not entered. */
  readonly customer: string | null;
  readonly openAlerts: number;
  readonly token: string;
  /** Path parameters. */
  readonly params: Readonly<Record<string, string>>;
}
