import { Type as t } from '@sinclair/typebox';
import { CURSOR } from '../../http/cursor.ts';

/** How much a page of a list holds where the query does not say. */
export const PAGE_DEFAULT = 50;

/**
 * How a query asks for a page of a list, and for the next one.
 *
 * @param cursor the form of its cursors
 */
export const PAGE = (what: string, cursor = CURSOR) => ({
  limit: t.Optional(
    t.Integer({ minimum: 1, maximum: 200, default: PAGE_DEFAULT, description: `number of ${what} per page` }),
  ),
  cursor: Cursor(cursor, '`next_cursor` of the previous page'),
});

/** Where a page of a list starts. */
export const Cursor = ({ source }: RegExp, description: string) =>
  t.Optional(t.String({ pattern: source, description }));
