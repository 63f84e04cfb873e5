import type { Config } from '../../settings/config.ts';

type Allowed = Pick<Config, 'notifyAllowPrivate' | 'tenantNotifyAllowPrivate'>;

/** Whether receivers may be in private networks: a setting each for operators and tenants, who must not reach the operator's network. */
export const mayBePrivate =
  (allowed: Allowed) =>
  ({ licenseId }: { readonly licenseId: number | null }): boolean =>
    licenseId === null ? allowed.notifyAllowPrivate : allowed.tenantNotifyAllowPrivate;
