import type { FindingRule } from '../finding.ts';
import { exposureRule } from './exposure.ts';
import type { SurfaceObservation } from './observation.ts';
import { headerOf, type SiteResponse } from './visit.ts';

function leadsToAuthor(response: SiteResponse): boolean {
  if (response.status >= 300 && response.status < 400) {
    const target = URL.parse(headerOf(response, 'location') ?? '', 'https://site.invalid');
    return /\/author\/(?![0-9]+(?:\/|$))[^/]/.test(target?.pathname ?? '');
  }
  // WordPress marks such a page by classes of its body.
  const [, afterTagName = ''] = response.body.split('<body', 2);
  const [tag = ''] = afterTagName.split('>', 1);
  return response.status === 200 && /\barchive author\b/.test(tag) && /\bauthor-[0-9]+\b/.test(tag);
}

/** The whole text, which articles only quote; WordPress sends it with 405, or with 200 before version 4.4. */
const isXmlRpc = ({ status, body }: SiteResponse) =>
  (status === 405 || status === 200) && /^\s*XML-RPC server accepts POST requests only\./.test(body);

export const WORDPRESS_RULES: readonly FindingRule<SurfaceObservation>[] = [
  exposureRule(
    {
      id: 'xmlrpc_enabled',
      severity: 'medium',
      title: 'XML-RPC is publicly reachable',
      recommendation:
        'It allows password guessing that bypasses the second factor and the login page’s limits, and pingbacks let ' +
        'others use the site to attack third parties. Block /xmlrpc.php unless an app or Jetpack requires it; then allow ' +
        'only its addresses.',
    },
    ['xmlrpc'],
    isXmlRpc,
    'an XML-RPC server responded',
  ),
  exposureRule(
    {
      id: 'user_enumeration_api',
      severity: 'medium',
      title: 'The public API lists users',
      recommendation:
        'Login names are half of what password guessing requires. Require authentication for /wp-json/wp/v2/users, ' +
        'and give accounts a public name that differs from their login.',
    },
    ['users_api'],
    ({ status, body }) => status === 200 && /^\s*\[\s*\{\s*"id":/.test(body) && body.includes('"slug":'),
    'a list of users was returned',
  ),
  exposureRule(
    {
      id: 'user_enumeration_author',
      severity: 'medium',
      title: 'Author archives disclose login names',
      recommendation:
        'Requests with ?author=1, 2, 3 return the login name of every author, including administrators. ' +
        'Turn author archives off, or respond to ?author= with 404.',
    },
    ['author_archive'],
    leadsToAuthor,
    'the request led to an author archive',
  ),
];
