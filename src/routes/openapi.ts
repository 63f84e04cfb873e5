import { Elysia, t } from 'elysia';
import { bareAnswers } from '../http/answers.ts';
import { PUBLIC, TAGS } from '../http/contract.ts';
import type { Parts } from '../parts.ts';

/** The contract itself, bare. */
export const openapi = ({ peekLimits }: Parts, document: () => object) =>
  new Elysia().derive(peekLimits).get('/openapi', () => document(), {
    response: bareAnswers(t.Object({}, { description: 'OpenAPI 3.0 document', additionalProperties: true })),
    detail: {
      summary: 'The machine-readable contract',
      description: 'Consumes no rate limit.',
      tags: [TAGS.service],
      security: PUBLIC,
    },
  });
