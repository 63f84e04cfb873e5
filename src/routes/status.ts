import { Type as t } from '@sinclair/typebox';
import { show, typed } from '../http/contract/answers.ts';
import { TAGS } from '../http/contract/contract.ts';
import { count } from '../http/fields.ts';
import { openRoute } from '../http/route/index.ts';
import type { Parts } from './parts.ts';

export const API_VERSION = 'v1';

const Status = typed('ServiceStatus', {
  status: t.Union([t.Literal('ok'), t.Literal('degraded')], {
    description: '`degraded`: the database, the threat feed or the analysis has a problem',
  }),
  api_version: t.String({ description: 'API version, as in the paths' }),
  ai_available: t.Boolean({
    description: 'whether the AI analysis component, a part of this service, is available',
  }),
  uptime_seconds: count('seconds since the process started'),
});
const EXAMPLE = { status: 'ok', api_version: API_VERSION, ai_available: true, uptime_seconds: 86_400 };

interface StatusParts extends Parts<'health' | 'peekLimits'> {
  readonly isAnalysisAvailable: () => boolean;
}

export const status = openRoute({
  at: 'GET /status',
  before: ({ peekLimits }: StatusParts) => peekLimits,
  operationId: 'getStatus',
  summary: 'Get the service status',
  description: 'Not rate limited.',
  tag: TAGS.service,
  answer: show(Status, EXAMPLE, 'Returns the status of the service and its components.'),
  handle: (_, { health, isAnalysisAvailable }: StatusParts) => ({
    status: health.problems().length === 0 ? ('ok' as const) : ('degraded' as const),
    api_version: API_VERSION,
    ai_available: isAnalysisAvailable(),
    uptime_seconds: Math.floor(process.uptime()),
  }),
});
