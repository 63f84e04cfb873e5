import { licenseName } from '../../domain/license/license-name.ts';
import type { Job } from '../../storage/engine/jobs/jobs.ts';
import type { TargetRecord } from '../../storage/notifications/targets.ts';
import type { AuditedFacts } from '../../storage/operators/audit.ts';
import { type Act, audited, type PlannedAct } from '../act.ts';

interface TargetChange {
  readonly jobs?: readonly Job[];
  readonly before?: AuditedFacts;
  readonly after?: AuditedFacts;
}

/** The jobs of an act on a target with its audit entry, which belongs to the license of a tenant's target. */
export function auditedOnTarget(
  act: Act,
  action: string,
  { name, licenseId }: Pick<TargetRecord, 'name' | 'licenseId'>,
  { jobs = [], before, after }: TargetChange,
): PlannedAct {
  const named = licenseId === null ? {} : { target: name };
  const facts = { ...named, ...after };
  return audited(
    act,
    `notification.${action}`,
    licenseId === null ? `target:${name}` : licenseName(licenseId),
    jobs,
    {
      ...(before === undefined ? {} : { before }),
      ...(Object.keys(facts).length === 0 ? {} : { after: facts }),
    },
  );
}
