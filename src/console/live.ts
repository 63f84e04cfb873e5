import type { EventStreams } from '../http/event-streams.ts';
import { filtersOf } from '../pages/query.ts';
import { page, type VisitParts } from './visit.ts';

export interface LiveParts extends VisitParts {
  readonly streams: EventStreams;
}

/**
 * Tells a page, while its session lasts, that it would say something else now.
 *
 * @param look what it would say, in short
 */
export const telling = (parts: LiveParts, look: () => Promise<string>) =>
  page(parts, 'viewer', async ({ request, set, token, operator }) => {
    const { seen } = filtersOf(request, ['seen']);
    const whileItLasts = async () =>
      (await parts.signIn.sessionOf(token)) === undefined ? undefined : look();
    return parts.streams.answer({ request, set }, operator.id, whileItLasts, seen);
  });
