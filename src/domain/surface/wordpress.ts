import type { FindingRule } from '../finding.ts';
import { exposureRule } from './exposure.ts';
import { headerOf, type SiteResponse, type SurfaceObservation } from './observation.ts';

function leadsToAuthor(response: SiteResponse): boolean {
  if (response.status >= 300 && response.status < 400) {
    return /\/author\/[^/?#]+/.test(headerOf(response, 'location') ?? '');
  }
  // WordPress marks such a page by a class of its body.
  const [, afterTagName = ''] = response.body.split('<body', 2);
  const [tag = ''] = afterTagName.split('>', 1);
  return response.status === 200 && /\bauthor-[0-9]+\b/.test(tag);
}

export const WORDPRESS_RULES: readonly FindingRule<SurfaceObservation>[] = [
  exposureRule(
    {
      id: 'xmlrpc_enabled',
      severity: 'medium',
      title: 'XML-RPC is open',
      recommendation:
        'One request can try hundreds of passwords (system.multicall), and pingbacks let others use the site to ' +
        'attack third ones. Deny /xmlrpc.php unless an app or Jetpack needs it; then allow only its addresses.',
    },
    ['xmlrpc'],
    ({ body }) => body.includes('XML-RPC server accepts POST requests only'),
    'an XML-RPC server answered',
  ),
  exposureRule(
    {
      id: 'user_enumeration_api',
      severity: 'medium',
      title: 'The public API lists users',
      recommendation:
        'Login names are half of what password guessing needs. Require authentication for /wp-json/wp/v2/users, ' +
        'and give accounts a public name other than their login.',
    },
    ['users_api'],
    ({ status, body }) => status === 200 && /^\s*\[\s*\{\s*"id":/.test(body) && body.includes('"slug":'),
    'a list of users came back',
  ),
  exposureRule(
    {
      id: 'user_enumeration_author',
      severity: 'medium',
      title: 'Author archives tell login names',
      recommendation:
        'Counting up ?author=1, 2, 3 gives the login name of everybody who may write, administrators included. ' +
        'Switch author archives off, or answer ?author= with 404.',
    },
    ['author_archive'],
    leadsToAuthor,
    'it led to the archive of an author',
  ),
];
