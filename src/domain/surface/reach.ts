import type { FindingRule } from '../finding.ts';
import { homePage, homeVisit, type SurfaceObservation } from './observation.ts';
import { PROBE_IDS } from './probes.ts';
import { isResponse, type SiteResponse, type VisitFailure } from './visit.ts';

/** No time, too many requests, or a fault: it says nothing of the path. */
const isExcuse = (status: number) => [408, 425, 429].includes(status) || status >= 500;
const isAbsence = (status: number) => status === 404 || status === 410;

/** Whether an answer tells something of its path: a site that turns away at its door does so everywhere. */
function isConclusive(
  answer: SiteResponse | VisitFailure | undefined,
  observation: SurfaceObservation,
): boolean {
  if (!isResponse(answer) || isExcuse(answer.status)) return false;
  const door = homePage(observation) ? undefined : homeVisit(observation)?.answer.status;
  return answer.status !== door || isAbsence(answer.status);
}

/** Incomplete observations: a short list of findings must not look like a good result. */
export const REACH_RULES: readonly FindingRule<SurfaceObservation>[] = [
  {
    id: 'site_unreachable',
    severity: 'high',
    title: 'The site could not be reached',
    recommendation:
      'It may also be unreachable for visitors. Check its DNS and web server, and whether a firewall blocks this ' +
      'service; then scan again.',
    // One text for every reason: what a name resolves to inside the operator's network is not told.
    see: (observation) =>
      homeVisit(observation)
        ? undefined
        : 'No address of the site that this service can visit responded by HTTP or HTTPS.',
  },
  {
    id: 'home_page_not_judged',
    severity: 'info',
    title: 'The home page was not returned',
    recommendation:
      'Its headers, cookies and content could not be checked. If a firewall blocks this check, allow its User-Agent ' +
      'and scan again; if the site has moved, scan its new address.',
    see(observation) {
      const home = homeVisit(observation);
      return home && !homePage(observation) ? `The site returned ${home.answer.status}.` : undefined;
    },
  },
  {
    id: 'scan_incomplete',
    severity: 'info',
    title: 'Not every check received a response',
    recommendation:
      'Whether the other paths expose files is unknown. If the site is slow or limits visitors, scan again at a quieter ' +
      'time; if a firewall blocks this check, allow its User-Agent.',
    see(observation) {
      if (!homeVisit(observation)) return undefined;
      const { length } = PROBE_IDS.filter((id) => isConclusive(observation.probes[id], observation));
      return length < PROBE_IDS.length
        ? `${length} of ${PROBE_IDS.length} paths returned a conclusive response in time.`
        : undefined;
    },
  },
];
