import { answerFixed } from '../http/representations.ts';
import { openRoute } from '../http/route/index.ts';

/**
 * Defines a public route to a constant text, which is created on first request. Clients cache it, and revalidate it each time.
 *
 * @param type media type, without the charset, which is UTF-8
 * @param policy content security policy
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
