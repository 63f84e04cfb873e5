import { describeApi } from '../http/contract/openapi.ts';
import { PUBLIC_API } from '../http/contract/public-api.ts';
import { documented } from '../http/route/mount.ts';
import { ADMIN_API } from '../routes/admin/contract.ts';
import type { Config } from '../settings/config.ts';
import { loadOffer } from '../settings/offer.ts';
import { ADMIN_ROUTES } from './admin-routes.ts';
import { contractRoutes } from './public-routes.ts';

/** Generates the contract of the public API without a running service. */
export const describeContract = ({ catalogFile, baseUrl }: Config): Promise<object> =>
  describeApi(documented(contractRoutes(loadOffer(catalogFile))), PUBLIC_API, baseUrl ?? '/');

/** Generates the contract of the admin API without a running service. */
export const describeAdminContract = (): Promise<object> =>
  describeApi(documented(ADMIN_ROUTES), ADMIN_API, '/');
