import type { FindingRule } from '../finding.ts';
import { homePage, homeVisit, type SurfaceObservation } from './observation.ts';
import { PROBE_IDS } from './probes.ts';
import { isResponse, type SiteResponse, type VisitFailure } from './visit.ts';

/** No time, too many requests, or a fault: it says nothing of the path. */
const isExcuse = (status: number) => [408, 425, 429].includes(status) || status >= 500;
const isAbsence = (status: number) => status === 404 || status === 410;

/** Whether an answer tells something of its path: a site that turns away at its door does so everywhere. */
function isTelling(
  answer: SiteResponse | VisitFailure | undefined,
  observation: SurfaceObservation,
): boolean {
  if (!isResponse(answer) || isExcuse(answer.status)) return false;
  const door = homePage(observation) ? undefined : homeVisit(observation)?.answer.status;
  return answer.status !== door || isAbsence(answer.status);
}

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
        : 'Nothing answered by HTTP or HTTPS at an address of the site that this service may visit.',
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
      'Whether files lie open at the others was not seen. If the site is slow or limits visitors, scan again at a quieter ' +
      'time; if a firewall refuses this check, let its User-Agent through.',
    see(observation) {
      if (!homeVisit(observation)) return undefined;
      const { length } = PROBE_IDS.filter((id) => isTelling(observation.probes[id], observation));
      return length < PROBE_IDS.length
        ? `${length} of ${PROBE_IDS.length} paths gave an answer in time that tells of them.`
        : undefined;
    },
  },
];
