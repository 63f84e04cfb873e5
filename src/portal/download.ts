import { complete } from '../http/context.ts';
import { callerOf } from './session.ts';
import type { PortalParts, Visit } from './visit.ts';

/** Returns a function that returns whether a download may continue: the session is valid and the plan is unchanged. */
export const mayGoOn =
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
