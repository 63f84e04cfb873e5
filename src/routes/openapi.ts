import { Elysia, t } from 'elysia';
import { bareAnswers, NOT_MODIFIED, show } from '../http/contract/answers.ts';
import { PUBLIC, TAGS } from '../http/contract/contract.ts';
import { answerFixed } from '../http/representations.ts';
import type { Parts } from './parts.ts';

const HEADERS = { 'content-type': 'application/json;charset=utf-8', 'cache-control': 'no-cache' };

/** The contract itself, bare. */
export const openapi = ({ limits }: Parts, document: () => Promise<object>) =>
  new Elysia().derive(limits.perIp('public')).get(
    '/openapi',
    answerFixed(async () => JSON.stringify(await document()), HEADERS),
    {
      response: {
        ...bareAnswers(
          show(
            t.Object(
              {},
              { title: 'Contract', description: 'This document, in OpenAPI 3.0, without an envelope.' },
            ),
            { openapi: '3.0.3', info: { title: 'Public Security Service API', version: '1.1.0' }, paths: {} },
          ),
          'RATE_LIMITED',
        ),
        ...NOT_MODIFIED,
      },
      detail: {
        operationId: 'getContract',
        summary: 'The machine-readable contract',
        description:
          'It changes only when the service does: send the ETag back in If-None-Match to get a 304.',
        tags: [TAGS.service],
        security: PUBLIC,
      },
    },
  );
