import { REFUSALS, type RefusalCode } from '../domain/refusal.ts';
import type { AnsweredContext, LogAccess } from './access-log.ts';
import type { Limits } from './limits.ts';

/** What keeps the runtime from reading a request, as the code and the words of its answer. */
export const UNREADABLE = {
  HEADERS_TOO_LARGE: 'The request line and its headers are over 32 KiB.',
  REQUEST_TIMEOUT: 'The request did not arrive in time.',
  MALFORMED_REQUEST: 'This is not a valid HTTP/1.1 request.',
} as const satisfies Partial<Record<RefusalCode, string>>;

export type Unreadable = keyof typeof UNREADABLE;

export type AnswerUnreadable = (problem: Unreadable, address: string) => Response;

/**
 * Answers what the runtime could not read as a request, as every other refusal is answered.
 *
 * @param stamp sets the headers of every answer
 */
export const answerUnreadable =
  (
    stamp: (context: Pick<AnsweredContext, 'set'>) => void,
    peekAddress: Limits['peekAddress'],
    log: LogAccess,
  ): AnswerUnreadable =>
  (problem, address) => {
    const { status } = REFUSALS[problem];
    const set: AnsweredContext['set'] = { headers: {}, status };
    stamp({ set });
    peekAddress(set, address);
    log({ request: { method: '-' }, set, code: problem });
    const error = { code: problem, message: UNREADABLE[problem] };
    return Response.json(
      { success: false, error },
      { status, headers: set.headers as Record<string, string> },
    );
  };
