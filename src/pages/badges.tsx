/** @jsxImportSource hono/jsx */
import type { Severity } from '../domain/severity.ts';
import type { SiteStatus } from '../domain/site/site-status.ts';
import { WORDS } from './words.ts';

const STATUS_LOOKS: Readonly<Record<SiteStatus, string>> = { active: 'good', stale: 'warn', silent: 'bad' };

/** Whether a site reports as often as it should. */
export const SiteBadge = ({ status }: { readonly status: SiteStatus }) => (
  <span class={`badge ${STATUS_LOOKS[status]}`}>{WORDS.siteStates[status]}</span>
);

/** The colors of charts. */
const SEVERITY_LOOKS: Readonly<Record<Severity, string>> = {
  critical: 'bad',
  high: 'high',
  medium: 'warn',
  low: 'low',
  info: 'info',
};

export const SeverityBadge = ({ severity }: { readonly severity: Severity }) => (
  <span class={`badge ${SEVERITY_LOOKS[severity]}`}>{severity}</span>
);
