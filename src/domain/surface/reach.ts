import type { FindingRule } from '../finding.ts';
import { homePage, homeVisit, isResponse, type SurfaceObservation } from './observation.ts';
import { PROBE_IDS } from './probes.ts';

/** What a scan could not look at: a short list of findings must not be read as a good one. */
export const REACH_RULES: readonly FindingRule<SurfaceObservation>[] = [
  {
    id: 'site_unreachable',
    severity: 'high',
    title: 'The site could not be reached',
    recommendation:
      'Visitors may not reach it either. Check its DNS and web server, and that a firewall does not block this ' +
      'service; then scan again.',
    // One text for every reason: what a name resolves to inside the operator's network is not told.
    see: (observation) =>
      homeVisit(observation)
        ? undefined
        : 'Nothing answered by HTTP or HTTPS at a public address of the site.',
  },
  {
    id: 'home_page_not_judged',
    severity: 'info',
    title: 'The home page did not come back',
    recommendation:
      'Its headers, cookies and content could not be judged. If a firewall refuses this check, let its User-Agent ' +
      'through and scan again; if the site has moved, scan its new address.',
    see(observation) {
      const home = homeVisit(observation);
      return home && !homePage(observation) ? `The site answered ${home.answer.status}.` : undefined;
    },
  },
  {
    id: 'scan_incomplete',
    severity: 'info',
    title: 'Not every check was answered',
    recommendation:
      'What was not answered was not judged. If the site is slow or limits visitors, scan again at a quieter time.',
    see(observation) {
      if (!homeVisit(observation)) return undefined;
      const answered = PROBE_IDS.filter((id) => isResponse(observation.probes[id]));
      return answered.length < PROBE_IDS.length
        ? `${answered.length} of ${PROBE_IDS.length} paths were answered in time.`
        : undefined;
    },
  },
];
