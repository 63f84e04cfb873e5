import { Type as t } from '@sinclair/typebox';
import { CURSOR } from '../../http/cursor.ts';

/** Default number of entries per page. */
export const PAGE_DEFAULT = 50;

/**
 * Query parameters of a paged list.
 *
 * @param cursor the format of the list's cursors
 */
export const PAGE = (what: string, cursor = CURSOR) => ({
  limit: t.Optional(
    t.Integer({ minimum: 1, maximum: 200, default: PAGE_DEFAULT, description: `number of ${what} per page` }),
  ),
  cursor: Cursor(cursor, '`next_cursor` of the previous page'),
});

export const Cursor = ({ source }: RegExp, description: string) =>
  t.Optional(t.String({ pattern: source, description }));
