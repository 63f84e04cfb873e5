import { Elysia } from 'elysia';
import { DAY_MS, iso } from '../lib/clock.ts';
import type { Parts } from './parts.ts';

/** For load balancers and supervisors; outside the contract. */
export const health = ({ peekLimits, health, clock }: Parts) =>
  new Elysia({ detail: { hide: true } })
    .derive(peekLimits)
    .get('/healthz', () => ({ status: 'alive' }))
    .get('/readyz', async ({ set }) => {
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
    });
