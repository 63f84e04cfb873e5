import { SESSION_MS } from '../domain/admin/operator.ts';
import { SECOND_MS } from '../lib/clock.ts';

/** The value of a cookie that a request came with; undefined when it has none, or two that differ. */
export function cookieOf({ headers }: Request, name: string): string | undefined {
  const values = (headers.get('cookie') ?? '').split(';').flatMap((pair) => {
    const at = pair.indexOf('=');
    return at >= 0 && pair.slice(0, at).trim() === name ? [pair.slice(at + 1).trim()] : [];
  });
  return new Set(values).size === 1 ? values[0] : undefined;
}

/** What a session's cookie is called; the prefix binds it to the host, and to TLS (RFC 6265bis, section 4.1.3.2). */
export const sessionCookieName = (name: string, overTls: boolean): string =>
  overTls ? `__Host-${name}` : name;

/** A cookie that no script reads and no other site sends; an empty value takes it away. */
export const sessionCookie = (name: string, value: string, overTls: boolean): string =>
  cookie(name, value, { overTls, lastsMs: SESSION_MS, sameSite: 'Strict' });

/** The same, but sent as well when a link of another site leads here. */
export const returnCookie = (name: string, value: string, overTls: boolean, lastsMs: number): string =>
  cookie(name, value, { overTls, lastsMs, sameSite: 'Lax' });

interface CookieTerms {
  readonly overTls: boolean;
  readonly lastsMs: number;
  readonly sameSite: 'Strict' | 'Lax';
}

function cookie(name: string, value: string, { overTls, lastsMs, sameSite }: CookieTerms): string {
  const seconds = value === '' ? 0 : lastsMs / SECOND_MS;
  const secure = overTls ? '; Secure' : '';
  return `${sessionCookieName(name, overTls)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=${sameSite}${secure}`;
}
