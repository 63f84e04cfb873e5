import { sqliteColumns } from './columns.ts';
import { defineSchema } from './define-schema.ts';

/** SQLite's tables. */
export const {
  licenses,
  licenseDomains,
  blockedDomains,
  auditLog,
  sites,
  events,
  threatReports,
  dailyUsage,
  dailyVolumes,
  feedSnapshots,
  generations,
  installation,
  signalHistory,
  signalSnapshots,
  siteSummaries,
  eventDays,
  alerts,
  arrivals,
  trials,
  subscriptions,
  disputes,
  paymentEvents,
  reconciliations,
  verdictCounts,
  mirror,
  siteInventories,
  siteImportances,
  exploitationAssertions,
} = defineSchema(sqliteColumns);
