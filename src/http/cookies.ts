import { SESSION_MS } from '../domain/admin/operator.ts';
import { SECOND_MS } from '../lib/clock.ts';

/** The value of a request's cookie; undefined if it is missing or has several different values. */
export function cookieOf({ headers }: Request, name: string): string | undefined {
  const values = (headers.get('cookie') ?? '').split(';').flatMap((pair) => {
    const at = pair.indexOf('=');
    return at >= 0 && pair.slice(0, at).trim() === name ? [pair.slice(at + 1).trim()] : [];
  });
  return new Set(values).size === 1 ? values[0] : undefined;
}

/** The name of a session cookie. The prefix binds it to the host and to TLS (RFC 6265bis, section 4.1.3.2). */
export const sessionCookieName = (name: string, overTls: boolean): string =>
  overTls ? `__Host-${name}` : name;

/** A cookie that scripts cannot read and other sites cannot send. An empty value deletes it. */
export const sessionCookie = (name: string, value: string, overTls: boolean): string =>
  cookie(name, value, { overTls, lastsMs: SESSION_MS, sameSite: 'Strict' });

/** A session cookie that is also sent when the user follows a link from another site. */
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
