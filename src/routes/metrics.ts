import { Elysia } from 'elysia';
import { refuse } from '../domain/refusal.ts';
import { gauge } from '../http/request-metrics.ts';
import type { Parts } from '../parts.ts';

const TEXT_FORMAT = 'text/plain; version=0.0.4; charset=utf-8';

/** For Prometheus and its like; outside the contract, and not there for anybody but the configured addresses. */
export const metrics = ({ peekLimits, limits, mayReadMetrics, requestMetrics, feed, health, uses }: Parts) =>
  new Elysia({ detail: { hide: true } }).get('/metrics', ({ request, set }) => {
    if (!mayReadMetrics(request)) {
      throw (
        limits.countUnknownPath({ request, set }) ?? refuse('NOT_FOUND', 'There is nothing at this path.')
      );
    }
    peekLimits({ request, set });
    uses.note('metrics');
    set.headers['content-type'] = TEXT_FORMAT;
    return (
      requestMetrics.exposition() +
      gauge('redoubt_ready', '1 when nothing is wrong.', health.problems().length === 0 ? 1 : 0) +
      gauge('redoubt_feed_age_seconds', 'Age of the feed as served.', feed.ageSeconds()) +
      gauge('redoubt_uptime_seconds', 'Time since the start.', process.uptime()) +
      gauge('process_resident_memory_bytes', 'Memory in use.', process.memoryUsage().rss)
    );
  });
