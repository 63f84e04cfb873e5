import type { FindingRule } from '../finding.ts';
import { homePage, type SurfaceObservation } from './observation.ts';

interface Cookie {
  readonly name: string;
  /** In lower case, values and all. */
  readonly attributes: readonly string[];
}

/** Words by which applications call what keeps a user logged in. */
const SESSION_WORD =
  /^(?:(?:php|j|s)?sess(?:ion)?(?:id)?[0-9a-f]*|aspsessionid[a-z]*|sid|(?:aspx)?auth|identity|jwt|(?:auth|access|refresh|cf)?token|login|logged|remember)$/;
/** Read by a script that sends it back (double submit); it is not a session. */
const FORGERY_TOKEN = /csrf|xsrf|requestverification|antiforgery/i;
/** Words for visitors' preferences and consent, which are useless to attackers. */
const PREFERENCE_WORD = /^(?:lang|locale|i18n|theme|currenc|country|timezone|consent|gdpr|ccpa|cookie)/;
/** Marks of load balancers, filters and counters, whose flags a site's owner cannot change. */
const FOREIGN_MARK =
  /^(?:AWSALB|AWSELB|BIGipServer|ARRAffinity|incap_ses_|visid_incap_|nlbi_|_ga|_gid$|_fbp$)/;

const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
const keepsLoggedIn = ({ name }: Cookie) =>
  !FORGERY_TOKEN.test(name) && wordsOf(name).some((word) => SESSION_WORD.test(word));
const isOfUse = (cookie: Cookie) =>
  keepsLoggedIn(cookie) ||
  !(FOREIGN_MARK.test(cookie.name) || wordsOf(cookie.name).some((word) => PREFERENCE_WORD.test(word)));

const NAME_SHOWN = /^[A-Za-z0-9_.-]{1,64}$/;
const NAMES_SHOWN_MAX = 5;

function parseCookie(line: string): Cookie {
  const [pair = '', ...attributes] = line.split(';');
  return {
    name: (pair.split('=')[0] ?? '').trim(),
    attributes: attributes.map((text) => text.trim().toLowerCase()),
  };
}

const attributeValue = ({ attributes }: Cookie, name: string): string | undefined =>
  attributes.find((text) => text.startsWith(`${name}=`))?.slice(name.length + 1);

/** Whether it is there only to be forgotten at once: then no request will carry it. */
function isDeleted(cookie: Cookie, atMs: number): boolean {
  const maxAge = attributeValue(cookie, 'max-age');
  return maxAge === undefined
    ? Date.parse(attributeValue(cookie, 'expires') ?? '') <= atMs
    : Number(maxAge) <= 0;
}

const lacks = (attribute: string) => (cookie: Cookie) =>
  !cookie.attributes.some((text) => text === attribute || text.startsWith(`${attribute}=`));

const cookieRule = (
  rule: Omit<FindingRule<SurfaceObservation>, 'see'>,
  attribute: string,
  concerns: (cookie: Cookie, overHttps: boolean) => boolean,
): FindingRule<SurfaceObservation> => ({
  ...rule,
  see(observation) {
    const home = homePage(observation);
    const cookies = (home?.answer.headers.get('set-cookie') ?? [])
      .map(parseCookie)
      .filter(lacks(attribute.toLowerCase()))
      .filter((cookie) => concerns(cookie, home?.url.protocol === 'https:'))
      .filter((cookie) => !isDeleted(cookie, observation.at));
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
      title: 'Cookies can be sent unencrypted',
      recommendation:
        'One http request is enough for others on the network to read them, possibly including a session. Set ' +
        'Secure on every cookie.',
    },
    'Secure',
    (cookie, overHttps) => overHttps && isOfUse(cookie),
  ),
  cookieRule(
    {
      id: 'session_cookie_without_httponly',
      severity: 'medium',
      title: 'Scripts can read a session cookie',
      recommendation:
        'An injected script can then steal the session. Set HttpOnly on every cookie that keeps a user signed in.',
    },
    'HttpOnly',
    keepsLoggedIn,
  ),
  cookieRule(
    {
      id: 'cookie_without_samesite',
      severity: 'low',
      title: 'Cookies do not restrict cross-site requests',
      recommendation:
        'Browsers differ in their defaults, and older ones let other sites act in a user’s name. Set ' +
        'SameSite=Lax, or Strict if links from other sites need no session.',
    },
    'SameSite',
    (cookie) => isOfUse(cookie) && !FORGERY_TOKEN.test(cookie.name),
  ),
];
