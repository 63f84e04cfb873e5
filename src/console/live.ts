import type { EventStreams } from '../http/event-streams.ts';
import { filtersOf } from '../pages/query.ts';
import { page, type VisitParts } from './visit.ts';

export interface LiveParts extends VisitParts {
  readonly streams: EventStreams;
}

/**
 * Returns a handler that streams an event to a page when its content changes, until the session ends.
 *
 * @param digest returns a value that changes with the content
 */
export const liveUpdates = (parts: LiveParts, digest: () => Promise<string>) =>
  page(parts, 'viewer', async ({ request, set, token, operator }) => {
    const { seen } = filtersOf(request, ['seen']);
    const digestOfSession = async () =>
      (await parts.signIn.sessionOf(token)) === undefined ? undefined : digest();
    return parts.streams.answer({ request, set }, operator.id, digestOfSession, seen);
  });
