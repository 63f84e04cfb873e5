import { BARE, conditional, contractOf } from '../http/contract/answers.ts';
import { TAGS } from '../http/contract/contract.ts';
import { PUBLIC_API } from '../http/contract/public-api.ts';
import { answerFixed } from '../http/representations.ts';
import { created, openRoute } from '../http/route/index.ts';
import type { Parts } from './parts.ts';

const HEADERS = { 'content-type': 'application/json;charset=utf-8', 'cache-control': 'no-cache' };

/** The OpenAPI document, without the envelope of other answers. */
export const openapi = openRoute({
  at: 'GET /openapi',
  limit: 'public',
  operationId: 'getContract',
  summary: 'Get the OpenAPI document',
  description: 'Changes only with the service version. Send the ETag in If-None-Match to get a 304.',
  tag: TAGS.service,
  answer: contractOf(PUBLIC_API),
  answers: conditional(BARE),
  codes: ['RATE_LIMITED'],
  handle: created(({ document }: Parts<'document'>) =>
    answerFixed(async () => JSON.stringify(await document()), HEADERS),
  ),
});
