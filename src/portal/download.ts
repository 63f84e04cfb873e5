import { complete } from '../http/context.ts';
import { callerOf } from './session.ts';
import type { PortalParts, Visit } from './visit.ts';

/** Whether a download may go on: as long as the session lasts, and the license is worth what it was when it began. */
export const goesOn =
  (parts: PortalParts, { token, caller: { standing } }: Visit) =>
  async (): Promise<boolean> =>
    (await callerOf(parts, token))?.standing.plan === standing.plan;

/** Answers with a short file. */
export function answerText(
  { set }: Visit,
  { name, type, text }: { readonly name: string; readonly type: string; readonly text: string },
): Response {
  Object.assign(set.headers, {
    'content-type': type,
    'content-disposition': `attachment; filename="${name}"`,
  });
  return complete(set, 200, text);
}
