import { answerFixed } from '../http/representations.ts';
import { openRoute } from '../http/route/index.ts';

/**
 * A route for everyone to a text that never changes, which is made when it is first asked for. Clients keep it, and ask each time
 * whether it is still the same.
 *
 * @param type without its charset, which is UTF-8
 * @param policy what a browser may load and do there
 */
export const fixedRoute = (
  path: string,
  type: string,
  policy: string,
  text: () => string | Promise<string>,
  headers: Readonly<Record<string, string>> = {},
) =>
  openRoute({
    at: `GET ${path}`,
    limit: 'public',
    handle: answerFixed(text, {
      'content-type': `${type};charset=utf-8`,
      'cache-control': 'no-cache',
      'content-security-policy': policy,
      ...headers,
    }),
  });
