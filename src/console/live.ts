import type { EventStreams } from '../http/event-streams.ts';
import { filtersOf } from '../pages/query.ts';
import { page, type VisitParts } from './visit.ts';

export interface LiveParts extends VisitParts {
  readonly streams: EventStreams;
}

/**
 * Notifies a page, while its session lasts, that its content has changed.
 *
 * @param look its content in short
 */
export const telling = (parts: LiveParts, look: () => Promise<string>) =>
  page(parts, 'viewer', async ({ request, set, token, operator }) => {
    const { seen } = filtersOf(request, ['seen']);
    const whileItLasts = async () =>
      (await parts.signIn.sessionOf(token)) === undefined ? undefined : look();
    return parts.streams.answer({ request, set }, operator.id, whileItLasts, seen);
  });
