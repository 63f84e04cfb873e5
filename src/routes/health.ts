import { Elysia } from 'elysia';
import type { Parts } from '../parts.ts';

/** For load balancers and supervisors; outside the contract. */
export const health = ({ peekLimits, health }: Parts) =>
  new Elysia({ detail: { hide: true } })
    .derive(peekLimits)
    .get('/healthz', () => ({ status: 'alive' }))
    .get('/readyz', ({ set }) => {
      const problems = health.problems();
      if (problems.length > 0) set.status = 503;
      return { status: problems.length > 0 ? 'not ready' : 'ready', problems };
    });
