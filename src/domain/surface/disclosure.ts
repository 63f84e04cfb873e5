import type { FindingRule } from '../finding.ts';
import { metaContents } from './html.ts';
import { homePage, type SurfaceObservation } from './observation.ts';
import { headerOf } from './visit.ts';

/** Headers whose only use is to name what the site is made with. */
const PRODUCT_HEADERS = ['X-Powered-By', 'X-AspNet-Version', 'X-AspNetMvc-Version', 'X-Generator'];
/** A number behind a product's name; as a part of another word, as in `W3` or a host's address, it is none. */
const VERSION = /(?:^|[\s/])v?\.?[0-9]+(?:\.[0-9]|[\s,]|$)/i;

const WHY =
  'Attackers search for versions with known vulnerabilities. Hiding the version fixes nothing, but keeps the site out of such lists. ';

export const DISCLOSURE_RULES: readonly FindingRule<SurfaceObservation>[] = [
  {
    id: 'server_version',
    severity: 'low',
    title: 'The web server discloses its version',
    recommendation: `${WHY}Apache: "ServerTokens Prod"; nginx: "server_tokens off".`,
    see(observation) {
      const home = homePage(observation);
      return home && VERSION.test(headerOf(home.answer, 'server') ?? '')
        ? 'The Server header contains a version number.'
        : undefined;
    },
  },
  {
    id: 'product_headers',
    severity: 'low',
    title: 'Headers disclose software versions',
    recommendation: `${WHY}Remove these headers; for PHP: "expose_php = Off".`,
    see(observation) {
      const home = homePage(observation);
      const seen = PRODUCT_HEADERS.filter(
        (name) => home && VERSION.test(headerOf(home.answer, name.toLowerCase()) ?? ''),
      );
      return seen.length > 0 ? `Headers with a version number: ${seen.join(', ')}.` : undefined;
    },
  },
  {
    id: 'generator_version',
    severity: 'low',
    title: 'The page discloses the version of its software',
    recommendation: `${WHY}Remove the generator tag; in WordPress: remove_action('wp_head', 'wp_generator').`,
    see(observation) {
      const home = homePage(observation);
      const generators = home ? metaContents(home.answer, 'name', 'generator') : [];
      return generators.some((generator) => VERSION.test(generator))
        ? 'A meta tag named generator on the home page contains a version number.'
        : undefined;
    },
  },
];
