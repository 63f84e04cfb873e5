/** @jsxImportSource hono/jsx */
import type { Severity } from '../domain/severity.ts';
import type { SiteStatus } from '../domain/site/site-status.ts';
import { WORDS } from './words.ts';

const STATUS_LOOKS: Readonly<Record<SiteStatus, string>> = { active: 'good', stale: 'warn', silent: 'bad' };

export const SiteBadge = ({ status }: { readonly status: SiteStatus }) => (
  <span class={`badge ${STATUS_LOOKS[status]}`}>{WORDS.siteStates[status]}</span>
);

/** The same colors as in charts. */
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
