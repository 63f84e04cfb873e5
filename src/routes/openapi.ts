import { Elysia, t } from 'elysia';
import { bareAnswers, NOT_MODIFIED } from '../http/answers.ts';
import { PUBLIC, TAGS } from '../http/contract.ts';
import { answerFrom, represent } from '../http/representations.ts';
import { once } from '../lib/once.ts';
import type { Parts } from '../parts.ts';

const HEADERS = { 'content-type': 'application/json;charset=utf-8', 'cache-control': 'no-cache' };

/** The contract itself, bare. */
export const openapi = ({ limits }: Parts, document: () => object) => {
  const content = once(() => represent(JSON.stringify(document()), HEADERS));
  return new Elysia()
    .derive(limits.perIp('public'))
    .get('/openapi', async ({ request, set }) => answerFrom({ request, set }, await content()), {
      response: {
        ...bareAnswers(
          t.Object({}, { description: 'OpenAPI 3.0 document', additionalProperties: true }),
          'RATE_LIMITED',
        ),
        ...NOT_MODIFIED,
      },
      detail: {
        summary: 'The machine-readable contract',
        description:
          'It changes only when the service does: send the ETag back in If-None-Match to get a 304.',
        tags: [TAGS.service],
        security: PUBLIC,
      },
    });
};
