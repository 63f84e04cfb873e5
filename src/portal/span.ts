import { parseDayOrTimestamp } from '../domain/event/events.ts';
import { type Refusal, refuse } from '../domain/refusal.ts';
import { iso } from '../lib/clock.ts';
import type { Filters } from '../pages/query.ts';
import { TEXTS } from './texts.ts';

const LABELS = { since: TEXTS.events.since, until: TEXTS.events.until };

/** A span of time as the interface takes it. */
export interface Span {
  readonly since: string | undefined;
  readonly until: string | undefined;
}

/** The span that a form names; a day alone stands for its start in UTC. */
export function spanOf(filters: Filters): Span | Refusal {
  const span: { since?: string; until?: string } = {};
  for (const name of ['since', 'until'] as const) {
    const text = filters[name];
    if (text === undefined) continue;
    const at = parseDayOrTimestamp(text);
    if (at === undefined) return refuse('INVALID_QUERY', TEXTS.events.noMoment(LABELS[name]));
    span[name] = iso(at);
  }
  return { since: span.since, until: span.until };
}
