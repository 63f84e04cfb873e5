import { Type } from '@sinclair/typebox';
import { t } from 'elysia';

/** How much a page of a list holds where the query does not say. */
export const PAGE_DEFAULT = 50;

/** How a query asks for a page of a list, and for the next one. */
export const PAGE = (what: string) => ({
  limit: t.Optional(
    Type.Integer({ minimum: 1, maximum: 200, default: PAGE_DEFAULT, description: `${what} of one page` }),
  ),
  cursor: t.Optional(t.String({ description: '`next_cursor` of the page before' })),
});
