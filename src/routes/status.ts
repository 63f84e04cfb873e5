import { Type } from '@sinclair/typebox';
import { Elysia, t } from 'elysia';
import { answers, show, success, typed } from '../http/contract/answers.ts';
import { PUBLIC, TAGS } from '../http/contract/contract.ts';
import type { Parts } from './parts.ts';

export const API_VERSION = 'v1';

const Status = typed('ServiceStatus', {
  status: t.Union([t.Literal('ok'), t.Literal('degraded')], {
    description: '`degraded`: the store, the threat feed or the analysis is not keeping up',
  }),
  api_version: t.String({ description: 'as in the path of every route' }),
  ai_available: t.Boolean({
    description: 'whether the AI analysis component can be asked: it is a part of this service',
  }),
  uptime_seconds: Type.Integer({ minimum: 0, description: 'whole seconds since the process started' }),
});
const EXAMPLE = { status: 'ok', api_version: API_VERSION, ai_available: true, uptime_seconds: 86_400 };

export const status = ({ peekLimits, health, isAnalysisAvailable }: Parts) =>
  new Elysia().derive(peekLimits).get(
    '/status',
    () =>
      success({
        status: health.problems().length === 0 ? ('ok' as const) : ('degraded' as const),
        api_version: API_VERSION,
        ai_available: isAnalysisAvailable(),
        uptime_seconds: Math.floor(process.uptime()),
      }),
    {
      response: answers(show(Status, EXAMPLE, 'Whether the service and its parts work.')),
      detail: {
        operationId: 'getStatus',
        summary: 'Service status',
        description: 'Consumes no rate limit.',
        tags: [TAGS.service],
        security: PUBLIC,
      },
    },
  );
