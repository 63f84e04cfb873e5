import { gappedList, LIST_WITH_GAPS } from '../../lib/gapped-list.ts';
import { type Refusal, refuse } from '../refusal.ts';

export const ANALYTICS_SECTIONS = [
  'sites',
  'siteDetails',
  'severityBuckets',
  'securityScores',
  'aiVerdicts',
] as const;
export type AnalyticsSection = (typeof ANALYTICS_SECTIONS)[number];

export const SECTIONS_MAX = 16;

/** The sections that a body asks for: all of them when it names none. */
export function sectionsAsked(body: unknown): ReadonlySet<AnalyticsSection> | Refusal {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return refuse('ANALYTICS_INVALID_PAYLOAD', 'The body is not a JSON object.');
  }
  if (Object.keys(body).some((name) => name !== 'sections')) {
    return refuse('ANALYTICS_UNKNOWN_FIELD', 'The only field of the body is sections.');
  }
  const { sections = ANALYTICS_SECTIONS } = body as { sections?: unknown };
  if (!Array.isArray(sections)) {
    const problem = gappedList(sections) ? LIST_WITH_GAPS : 'is not an array';
    return refuse('ANALYTICS_INVALID_QUERY', `sections: ${problem}`);
  }
  if (sections.length > SECTIONS_MAX) {
    return refuse('ANALYTICS_QUERY_TOO_LARGE', `sections: has more than ${SECTIONS_MAX} entries`);
  }
  const notText = sections.findIndex((section) => typeof section !== 'string');
  if (notText >= 0) return refuse('ANALYTICS_INVALID_QUERY', `sections[${notText}]: is not a string`);
  const unknown = sections.findIndex((section) => !ANALYTICS_SECTIONS.includes(section));
  if (unknown >= 0) return refuse('ANALYTICS_UNKNOWN_SECTION', `sections[${unknown}]: is an unknown section`);
  return new Set(sections as AnalyticsSection[]);
}
