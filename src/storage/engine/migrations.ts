import first from '../../../drizzle/20261121014124_first/migration.sql' with { type: 'text' };
import rollups from '../../../drizzle/20261121074029_rollups/migration.sql' with { type: 'text' };
import signals from '../../../drizzle/20261121075003_signals/migration.sql' with { type: 'text' };
import payments from '../../../drizzle/20261121080104_payments/migration.sql' with { type: 'text' };
import verdicts from '../../../drizzle/20261121080705_verdicts/migration.sql' with { type: 'text' };
import paymentBackoff from '../../../drizzle/20261121104315_payment_backoff/migration.sql' with {
  type: 'text',
};
import retentionByTime from '../../../drizzle/20261121104806_retention_by_time/migration.sql' with {
  type: 'text',
};
import dailyBudgets from '../../../drizzle/20261122160805_daily_budgets/migration.sql' with { type: 'text' };
import trialSecrets from '../../../drizzle/20261122165324_trial_secrets/migration.sql' with { type: 'text' };
import trialsPerDay from '../../../drizzle/20261122165403_trials_per_day/migration.sql' with { type: 'text' };
import customers from '../../../drizzle/20261122165639_customers/migration.sql' with { type: 'text' };
import installationKey from '../../../drizzle/20261122165929_installation_key/migration.sql' with {
  type: 'text',
};
import operatorGrants from '../../../drizzle/20261122174519_operator_grants/migration.sql' with {
  type: 'text',
};
import payerEmail from '../../../drizzle/20261122175651_payer_email/migration.sql' with { type: 'text' };
import auditEntries from '../../../drizzle/20261122195152_audit_entries/migration.sql' with { type: 'text' };
import paymentStatuses from '../../../drizzle/20261123051120_payment_statuses/migration.sql' with {
  type: 'text',
};
import mirror from '../../../drizzle/20261123070856_mirror/migration.sql' with { type: 'text' };
import domainControls from '../../../drizzle/20261123092941_domain_controls/migration.sql' with {
  type: 'text',
};
import scans from '../../../drizzle/20261123094443_scans/migration.sql' with { type: 'text' };
import sinceMoments from '../../../drizzle/20261123104630_since_moments/migration.sql' with { type: 'text' };
import evidenceAndCredentials from '../../../drizzle/20261123133211_evidence_and_credentials/migration.sql' with {
  type: 'text',
};
import trustAndOperating from '../../../drizzle/20261123155331_trust_and_operating/migration.sql' with {
  type: 'text',
};
import adminApi from '../../../drizzle/20261123200603_admin_api/migration.sql' with { type: 'text' };
import operators from '../../../drizzle/20261123203935_operators/migration.sql' with { type: 'text' };
import consolePages from '../../../drizzle/20261123221246_console_pages/migration.sql' with { type: 'text' };
import portalSessions from '../../../drizzle/20261124002554_portal_sessions/migration.sql' with {
  type: 'text',
};
import backups from '../../../drizzle/20261124032227_backups/migration.sql' with { type: 'text' };
import nodes from '../../../drizzle/20261124173806_nodes/migration.sql' with { type: 'text' };
import signingKeys from '../../../drizzle/20261127025155_signing_keys/migration.sql' with { type: 'text' };
import feedExchange from '../../../drizzle/20261127032634_feed_exchange/migration.sql' with { type: 'text' };

/** By their folders in drizzle/, and in the order of these. */
const BY_NAME: Readonly<Record<string, string>> = {
  first,
  rollups,
  signals,
  payments,
  verdicts,
  paymentBackoff,
  retentionByTime,
  dailyBudgets,
  trialSecrets,
  trialsPerDay,
  customers,
  installationKey,
  operatorGrants,
  payerEmail,
  auditEntries,
  paymentStatuses,
  mirror,
  domainControls,
  scans,
  sinceMoments,
  evidenceAndCredentials,
  trustAndOperating,
  adminApi,
  operators,
  consolePages,
  portalSessions,
  backups,
  nodes,
  signingKeys,
  feedExchange,
};

/** A database's user_version counts those it has. */
export const MIGRATIONS: readonly string[] = Object.values(BY_NAME);

/** What they are called, as their folders are behind the date. */
export const MIGRATION_NAMES: readonly string[] = Object.keys(BY_NAME).map((name) =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
);
