import { BARE, conditional, contractOf } from '../../http/contract/answers.ts';
import { answerFixed } from '../../http/representations.ts';
import { created } from '../../http/route/index.ts';
import type { Parts } from '../parts.ts';
import { ADMIN_API, TAGS } from './contract.ts';
import { tokenRoute } from './token-route.ts';

const HEADERS = { 'content-type': 'application/json;charset=utf-8', 'cache-control': 'private, no-cache' };

/** The OpenAPI document of the admin API, without the envelope of other answers. */
export const openapi = tokenRoute({
  at: 'GET /openapi',
  operationId: 'getContract',
  summary: 'Get the OpenAPI document',
  description: 'Requires a token of any scope.',
  tag: TAGS.watching,
  answer: contractOf(ADMIN_API),
  answers: conditional(BARE),
  handle: created(({ document }: Parts<'document'>) =>
    answerFixed(async () => JSON.stringify(await document()), HEADERS),
  ),
});
