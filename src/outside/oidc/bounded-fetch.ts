import { Fault } from '../../lib/fault.ts';
import { readBounded, requestDirectly } from '../direct-post.ts';
import { OidcFault } from './oidc-fault.ts';

/** A token with 10,000 groups takes half of this. */
const ANSWER_BYTES_MAX = 1024 * 1024;
const TIMEOUT_MS = 10_000;

interface Asked {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: URLSearchParams | undefined;
}

/**
 * Returns a fetch for an identity provider that limits time and bytes and follows no redirects.
 *
 * @param ca PEM certificates to trust; undefined = the system's
 * @throws OidcFault
 */
export const boundedFetch =
  (ca: string | undefined, timeoutMs = TIMEOUT_MS) =>
  async (url: string, { method, headers, body }: Asked): Promise<Response> => {
    const { host } = new URL(url);
    const startedAt = performance.now();
    try {
      const answer = await requestDirectly({
        method,
        url,
        headers,
        timeoutMs,
        ca,
        body: body?.toString(),
      });
      try {
        const text = await readBounded(answer, ANSWER_BYTES_MAX);
        const { 'content-type': type = '', date } = answer.headers;
        const shown = new Headers(date === undefined ? {} : { date });
        if (type !== '') shown.set('content-type', type);
        return new Response(hasNoBody(answer.statusCode) ? null : text, {
          status: answer.statusCode ?? 200,
          headers: shown,
        });
      } finally {
        answer.destroy();
      }
    } catch (error) {
      if (error instanceof Fault) throw new OidcFault('provider', `${host}: ${error.message}`);
      // Runtimes report an aborted connection with different errors, so the time decides.
      const isLate = performance.now() - startedAt >= timeoutMs;
      const why = isLate ? `no complete response within ${timeoutMs / 1000} seconds` : whyUnreachable(error);
      throw new OidcFault('unreachable', `${host}: ${why}`);
    }
  };

/** A Response with one of these statuses must not have a body. */
const hasNoBody = (status = 200): boolean => status === 204 || status === 205 || status === 304;

/** OpenSSL's error codes for untrusted certificates. */
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO|ALTNAME|ISSUER/;

function whyUnreachable(error: unknown): string {
  if (!(error instanceof Error)) return 'the connection failed';
  const { cause } = error;
  const { code = (cause as NodeJS.ErrnoException | undefined)?.code } = error as NodeJS.ErrnoException;
  if (code === 'ETIMEDOUT') return 'no connection in time';
  if (code === 'ECONNREFUSED') return 'the connection was refused';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'the host name cannot be resolved';
  if (code !== undefined && CERTIFICATE.test(code))
    return `its certificate is not trusted (${code}). Set SERVICE_OIDC_CA to the certificate of its CA`;
  return code === undefined ? 'the connection failed' : `the connection failed (${code})`;
}
