import type { FindingRule } from '../finding.ts';
import { homeVisit, type SurfaceObservation } from './observation.ts';

interface Cookie {
  readonly name: string;
  readonly attributes: readonly string[];
}

/** Names by which applications call what keeps a user logged in. */
const SESSION_NAME = /sess|sid$|auth|token|login|logged_in/i;
const NAME_SHOWN = /^[A-Za-z0-9_.-]{1,64}$/;
const NAMES_SHOWN_MAX = 5;

const cookiesOf = (observation: SurfaceObservation): Cookie[] =>
  (homeVisit(observation)?.answer.headers.get('set-cookie') ?? []).map((line) => {
    const [pair = '', ...attributes] = line.split(';');
    return {
      name: (pair.split('=')[0] ?? '').trim(),
      attributes: attributes.map((text) => text.trim().toLowerCase()),
    };
  });

const lacks = (attribute: string) => (cookie: Cookie) =>
  !cookie.attributes.some((text) => text === attribute || text.startsWith(`${attribute}=`));

const cookieRule = (
  rule: Omit<FindingRule<SurfaceObservation>, 'see'>,
  attribute: string,
  concerns: (cookie: Cookie, overHttps: boolean) => boolean,
): FindingRule<SurfaceObservation> => ({
  ...rule,
  see(observation) {
    const overHttps = homeVisit(observation)?.url.protocol === 'https:';
    const cookies = cookiesOf(observation)
      .filter(lacks(attribute.toLowerCase()))
      .filter((cookie) => concerns(cookie, overHttps));
    if (cookies.length === 0) return undefined;
    const names = cookies.map(({ name }) => (NAME_SHOWN.test(name) ? name : '(unusual name)'));
    return `Set-Cookie without ${attribute}: ${[...new Set(names)].slice(0, NAMES_SHOWN_MAX).join(', ')}.`;
  },
});

export const COOKIE_RULES: readonly FindingRule<SurfaceObservation>[] = [
  cookieRule(
    {
      id: 'cookie_without_secure',
      severity: 'medium',
      title: 'Cookies may travel unencrypted',
      recommendation:
        'One request by http is enough to read them on the way, and a session with them. Set Secure on every cookie.',
    },
    'Secure',
    (_, overHttps) => overHttps,
  ),
  cookieRule(
    {
      id: 'session_cookie_without_httponly',
      severity: 'medium',
      title: 'Scripts can read a session cookie',
      recommendation:
        'One injected script then steals the session. Set HttpOnly on every cookie that keeps a user logged in.',
    },
    'HttpOnly',
    ({ name }) => SESSION_NAME.test(name),
  ),
  cookieRule(
    {
      id: 'cookie_without_samesite',
      severity: 'low',
      title: 'Cookies do not say whether other sites may send them',
      recommendation:
        'Browsers differ in what they assume, and older ones let other sites act in a user’s name. Set ' +
        'SameSite=Lax, or Strict where links from outside need no session.',
    },
    'SameSite',
    () => true,
  ),
];
