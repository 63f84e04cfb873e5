import type { DerivedIdentities } from '../../domain/identity.ts';
import { licenseName } from '../../domain/license/license-name.ts';
import { CONFIRMATIONS_A_DAY } from '../../domain/notification/target.ts';
import type { Config } from '../../settings/config.ts';
import type { Database } from '../../storage/engine/database.ts';
import type { Job } from '../../storage/engine/jobs/jobs.ts';
import { readTargets, type TargetRecord } from '../../storage/notifications/targets.ts';
import type { Act, PlannedAct, RefusedAct } from '../act.ts';
import { addTarget, type WantedTarget } from './add-target.ts';
import { mayBePrivate } from './private-receivers.ts';
import { pauseTarget, removeTarget, resumeTarget, rotateTarget, testTarget } from './target-acts.ts';
import { CONFIRMATION_ROUTE, TENANT_ROUTE, tenantCap } from './tenant-cap.ts';

export const TENANT_ACTIONS = ['test', 'pause', 'resume', 'rotate', 'remove'] as const;
export type TenantAction = (typeof TENANT_ACTIONS)[number];

/** Actions that end something: they need neither the plan nor the operator's permission, and have no daily limit. */
export const ENDING_ACTIONS: readonly TenantAction[] = ['pause', 'remove'];

/** A plan, with the secret that it creates. */
export type TenantPlan = PlannedAct & { readonly secret?: string | undefined };

interface Grounds {
  readonly db: Database;
  readonly identities: Pick<DerivedIdentities, 'targetKey'>;
  readonly config: Pick<Config, 'notifyAllowPrivate' | 'tenantNotifyAllowPrivate' | 'dailyCap'>;
}

/** Plans acts of one license's tenant on its own targets. */
export function tenantActs({ db, identities: { targetKey }, config }: Grounds, licenseId: number) {
  const targets = readTargets(db);

  /** An act that changes something draws from the day's limit. */
  const limited = <Plan extends TenantPlan>(
    planned: Plan | RefusedAct,
    { now }: Act,
    isConfirmation = false,
  ): Plan | RefusedAct => {
    if ('refused' in planned) return planned;
    const spend = (route: string, dailyCap: number): Job => ({
      name: 'spendDailyUse',
      input: { licenseId, route, dailyCap, now },
    });
    const spent = [
      ...(planned.jobs.length === 0 ? [] : [spend(TENANT_ROUTE, tenantCap(config))]),
      ...(isConfirmation ? [spend(CONFIRMATION_ROUTE, CONFIRMATIONS_A_DAY)] : []),
    ];
    return { ...planned, jobs: [...spent, ...planned.jobs] };
  };

  const planned = (target: TargetRecord, action: TenantAction, act: Act): TenantPlan | RefusedAct => {
    switch (action) {
      case 'test':
        return testTarget(target, act);
      case 'pause':
        return pauseTarget(target, act);
      case 'resume':
        return resumeTarget(target, act);
      case 'rotate':
        return rotateTarget(target, targetKey, act);
      case 'remove':
        return removeTarget(target, act);
    }
  };

  return {
    /** One of its targets; undefined for those of others. */
    async find(publicId: string): Promise<TargetRecord | undefined> {
      const found = await targets.find(publicId);
      return found?.licenseId === licenseId ? found : undefined;
    },

    list: (): Promise<TargetRecord[]> => targets.list(licenseId),

    async add(wanted: Omit<WantedTarget, 'licenseId'>, act: Act) {
      const allowPrivate = mayBePrivate(config)({ licenseId });
      const grounds = { all: await targets.list(licenseId), targetKey, allowPrivate };
      const plan = addTarget({ ...wanted, licenseId }, grounds, act);
      return limited(plan, act, 'isUnconfirmed' in plan && plan.isUnconfirmed);
    },

    do(target: TargetRecord, action: TenantAction, act: Act): TenantPlan | RefusedAct {
      const plan = planned(target, action, act);
      const isConfirmation = action === 'test' && target.pausedReason === 'unconfirmed';
      return ENDING_ACTIONS.includes(action) ? plan : limited(plan, act, isConfirmation);
    },
  };
}

/** The actor of acts by a license's key. */
export const tenantActor = (licenseId: number) => `tenant:${licenseName(licenseId)}` as const;
