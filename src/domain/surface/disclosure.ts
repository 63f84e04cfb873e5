import type { FindingRule } from '../finding.ts';
import { headerOf, homePage, homeVisit, type SurfaceObservation } from './observation.ts';

/** Headers whose only use is to name what the site is made with. */
const PRODUCT_HEADERS = ['X-Powered-By', 'X-AspNet-Version', 'X-AspNetMvc-Version', 'X-Generator'];
const META_TAG = /<meta\b[^>]{0,300}>/gi;
const NAMES_GENERATOR = /\bname=["']?generator\b/i;
const VERSION = /[0-9]+\.[0-9]+/;

const WHY =
  'Attackers search for versions with known holes. Hiding them repairs nothing, but keeps the site out of such lists. ';

export const DISCLOSURE_RULES: readonly FindingRule<SurfaceObservation>[] = [
  {
    id: 'server_version',
    severity: 'low',
    title: 'The web server tells its version',
    recommendation: `${WHY}Apache: "ServerTokens Prod"; nginx: "server_tokens off".`,
    see(observation) {
      const home = homeVisit(observation);
      return home && VERSION.test(headerOf(home.answer, 'server') ?? '')
        ? 'The Server header holds a version number.'
        : undefined;
    },
  },
  {
    id: 'product_headers',
    severity: 'low',
    title: 'Headers tell what the site is made with',
    recommendation: `${WHY}Remove these headers; for PHP: "expose_php = Off".`,
    see(observation) {
      const home = homeVisit(observation);
      const seen = PRODUCT_HEADERS.filter((name) => home?.answer.headers.has(name.toLowerCase()));
      return seen.length > 0 ? `Headers sent: ${seen.join(', ')}.` : undefined;
    },
  },
  {
    id: 'generator_version',
    severity: 'low',
    title: 'The page tells the version of its software',
    recommendation: `${WHY}Remove the generator tag; in WordPress: remove_action('wp_head', 'wp_generator').`,
    see(observation) {
      const tags = homePage(observation)?.answer.body.match(META_TAG) ?? [];
      return tags.some((tag) => NAMES_GENERATOR.test(tag) && VERSION.test(tag))
        ? 'A meta tag named generator on the home page holds a version number.'
        : undefined;
    },
  },
];
