import { openRoute } from '../http/route/index.ts';
import { DAY_MS, iso } from '../lib/clock.ts';
import type { Parts } from './parts.ts';

type HealthParts = Parts<'clock' | 'health' | 'peekLimits'>;

/** Liveness and readiness for load balancers and supervisors; not in the contract. */
export const health = [
  openRoute({
    at: 'GET /healthz',
    before: ({ peekLimits }: HealthParts) => peekLimits,
    handle: () => ({ status: 'alive' }),
  }),
  openRoute({
    at: 'GET /readyz',
    before: ({ peekLimits }: HealthParts) => peekLimits,
    handle: async ({ set }, { health, clock }: HealthParts) => {
      const problems = health.problems();
      if (problems.length > 0) set.status = 503;
      const endsAt = health.certificateEndsAt();
      const certificate = endsAt !== undefined && {
        expires: iso(endsAt),
        days_left: Math.floor((endsAt - clock.now()) / DAY_MS),
      };
      return {
        status: problems.length > 0 ? 'not ready' : 'ready',
        problems,
        warnings: await health.warnings(),
        ...(certificate && { certificate }),
      };
    },
  }),
];
