import { Elysia } from 'elysia';
import { contractAnswers } from '../http/contract/answers.ts';
import { PUBLIC, TAGS } from '../http/contract/contract.ts';
import { PUBLIC_API } from '../http/contract/public-api.ts';
import { answerFixed } from '../http/representations.ts';
import type { Parts } from './parts.ts';

const HEADERS = { 'content-type': 'application/json;charset=utf-8', 'cache-control': 'no-cache' };

/** The contract itself, bare. */
export const openapi = ({ limits }: Parts, document: () => Promise<object>) =>
  new Elysia().derive(limits.perIp('public')).get(
    '/openapi',
    answerFixed(async () => JSON.stringify(await document()), HEADERS),
    {
      response: contractAnswers({ title: PUBLIC_API.title, version: PUBLIC_API.version }, 'RATE_LIMITED'),
      detail: {
        operationId: 'getContract',
        summary: 'Get the OpenAPI document',
        description: 'Changes only with the service version. Send the ETag in If-None-Match to get a 304.',
        tags: [TAGS.service],
        security: PUBLIC,
      },
    },
  );
