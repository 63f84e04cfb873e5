/** Plans from least to most; "Pro and above" means this one or a later one. */
export const PLANS = ['free', 'starter', 'pro', 'enterprise'] as const;
export type Plan = (typeof PLANS)[number];

/** Whether a plan is at least another one. */
export const reachesPlan = (plan: Plan, least: Plan): boolean => PLANS.indexOf(plan) >= PLANS.indexOf(least);

export interface PlanTerms {
  readonly sitesAllowed: number;
  readonly modules: readonly string[];
}

/** The terms of each plan. */
export type Catalog = Readonly<Record<Plan, PlanTerms>>;

const FREE = ['firewall', 'login_protection', 'telemetry'];
const STARTER = [...FREE, 'malware_scan', 'threat_feed', 'site_overview'];
const PRO = [...STARTER, 'ai_analysis', 'key_hygiene', 'restore_assessment', 'saas_guard', 'server_guard'];
const ENTERPRISE = [...PRO, 'pc_guard', 'cloud_immunity', 'digital_immunity', 'decoys'];

export const defaultCatalog: Catalog = {
  free: { sitesAllowed: 1, modules: FREE },
  starter: { sitesAllowed: 3, modules: STARTER },
  pro: { sitesAllowed: 25, modules: PRO },
  enterprise: { sitesAllowed: 1000, modules: ENTERPRISE },
};

/** A module's name: lower-case words joined by underscores. */
export const MODULE_NAME = /^[a-z][a-z0-9_]{0,63}$/;
