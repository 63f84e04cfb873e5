import { Elysia } from 'elysia';
import { contractAnswers } from '../../http/contract/answers.ts';
import { answerFixed } from '../../http/representations.ts';
import { ADMIN_API, SECURITY, TAGS, TOKEN_CODES } from './contract.ts';
import type { AdminParts } from './parts.ts';

const HEADERS = { 'content-type': 'application/json;charset=utf-8', 'cache-control': 'private, no-cache' };

/** The contract of the admin API itself, bare. */
export const openapi = ({ authenticate }: AdminParts, document: () => Promise<object>) =>
  new Elysia().derive(authenticate).get(
    '/openapi',
    answerFixed(async () => JSON.stringify(await document()), HEADERS),
    {
      response: contractAnswers(
        { title: ADMIN_API.title, version: ADMIN_API.version },
        ...TOKEN_CODES.filter((code) => code !== 'SCOPE_REQUIRED'),
      ),
      detail: {
        operationId: 'getContract',
        summary: 'Get the OpenAPI document',
        description: 'Requires a token of any scope.',
        tags: [TAGS.watching],
        security: SECURITY,
      },
    },
  );
