import { sql } from 'drizzle-orm';
import type { Verdict } from '../../analysis/verdict.ts';
import type { Role } from '../../domain/admin/operator.ts';
import type { Scope } from '../../domain/admin/scope.ts';
import type { AssessmentParts, Grade } from '../../domain/assessment/assessment.ts';
import type { CredentialJwk, CredentialType, RevocationReason } from '../../domain/credential/credential.ts';
import type { ControlMethod, ControlProblem } from '../../domain/domain-control/control.ts';
import type { EvidenceType } from '../../domain/evidence/entry.ts';
import type { Finding } from '../../domain/finding.ts';
import type { Plan } from '../../domain/license/catalog.ts';
import type { BoundBy, Hold, Terms } from '../../domain/license/license.ts';
import type { LicenseEnvironment } from '../../domain/license/license-key.ts';
import type { DisputeStatus } from '../../domain/payment/dispute.ts';
import type { HoldCause } from '../../domain/payment/hold-cause.ts';
import type { SubjectKind } from '../../domain/payment/payment-event.ts';
import type { SubscriptionStatus } from '../../domain/payment/subscription.ts';
import type { Exploitation, Exposure, Importance } from '../../domain/risk/facts.ts';
import type { ScanFailure, ScanTrigger, ScanType } from '../../domain/scan/scan.ts';
import type { ScheduleHours } from '../../domain/scan/schedule.ts';
import type { Severity } from '../../domain/severity.ts';
import type { KeyPurpose } from '../../domain/signing/purposes.ts';
import type { FeedRuling } from '../../domain/threat/feed-ruling.ts';
import type { Columns } from './columns.ts';

/** The tables, as a dialect makes them. All moments are milliseconds since the Unix epoch, UTC. */
export function defineSchema({ table, primaryKey, index, uniqueIndex, ...columns }: Columns) {
  const { id, serial, int, flag, text, json, contains, isRange } = columns;

  const licenses = table(
    'licenses',
    {
      id: id(),
      keyHash: text('key_hash').notNull().unique(),
      keyPrefix: text('key_prefix').notNull(),
      keyLast4: text('key_last4').notNull(),
      kind: text().$type<'paid' | 'trial'>().notNull(),
      environment: text().$type<LicenseEnvironment>().notNull(),
      plan: text().$type<Plan>().notNull(),
      sitesOverride: int('sites_override'),
      dailyEventsOverride: int('daily_events_override'),
      dailyBytesOverride: int('daily_bytes_override'),
      modulesAllowed: json('modules_allowed').$type<readonly string[]>().notNull(),
      modulesDenied: json('modules_denied').$type<string[]>().notNull(),
      /** The subscription whose terms it has (kind, plan, sites, modules, end); null when nobody paid for them. */
      subscriptionId: text('subscription_id'),
      /** Whether its terms are what the operator granted. */
      operatorTerms: flag('operator_terms').notNull().default(false),
      /** What the operator granted before a subscription, or beside it. */
      granted: json().$type<Terms>(),
      /** Set by the operator. */
      holds: json().$type<Hold[]>().notNull(),
      /** Set by what the payment processor tells. */
      paymentHolds: json('payment_holds').$type<Hold[]>().notNull().default([]),
      note: text(),
      /** Whose license it is, in the operator's words. */
      customer: text(),
      email: text(),
      externalId: text('external_id'),
      createdAt: int('created_at').notNull(),
      expiresAt: int('expires_at'),
      revokedAt: int('revoked_at'),
      pendingUntil: int('pending_until'),
      paymentHoldFrom: int('payment_hold_from'),
    },
    (of) => [
      uniqueIndex('licenses_external_id')
        .on(of.externalId)
        .where(sql`${of.externalId} is not null and ${of.revokedAt} is null`),
      // Few among many, which pages for operators ask for again and again.
      index('licenses_revoked').on(of.id).where(sql`${of.revokedAt} is not null`),
      index('licenses_held')
        .on(of.id)
        .where(
          sql`${of.paymentHoldFrom} is not null or ${of.paymentHolds} <> '[]' or ${contains(of.holds, '"dispute"')}`,
        ),
    ],
  );

  const licenseDomains = table(
    'license_domains',
    {
      licenseId: int('license_id')
        .notNull()
        .references(() => licenses.id),
      domain: text().notNull(),
      boundBy: text('bound_by').$type<BoundBy>().notNull(),
      boundAt: int('bound_at').notNull(),
    },
    (of) => [
      primaryKey({ columns: [of.licenseId, of.domain] }),
      index('license_domains_domain').on(of.domain),
    ],
  );

  /** Domains that the operator keeps a license from registering. */
  const blockedDomains = table(
    'blocked_domains',
    {
      licenseId: int('license_id')
        .notNull()
        .references(() => licenses.id),
      domain: text().notNull(),
      blockedAt: int('blocked_at').notNull(),
    },
    (of) => [primaryKey({ columns: [of.licenseId, of.domain] })],
  );

  /** Whether a license controls a domain that it has registered. */
  const domainControls = table(
    'domain_controls',
    {
      licenseId: int('license_id')
        .notNull()
        .references(() => licenses.id),
      domain: text().notNull(),
      method: text().$type<ControlMethod>().notNull(),
      verifiedAt: int('verified_at'),
      checkedAt: int('checked_at').notNull(),
      failedSince: int('failed_since'),
      problem: text().$type<ControlProblem>(),
      /** Null when the service does not check by itself. */
      nextCheckAt: int('next_check_at'),
    },
    (of) => [
      primaryKey({ columns: [of.licenseId, of.domain] }),
      index('domain_controls_next_check_at').on(of.nextCheckAt),
    ],
  );

  /** Sites whose tenants have asked for a public trust state, and what of it is shown. */
  const trustSites = table(
    'trust_sites',
    {
      licenseId: int('license_id')
        .notNull()
        .references(() => licenses.id),
      domain: text().notNull(),
      /** Opaque; what the public calls the site by. */
      trustId: text('trust_id').notNull().unique(),
      enabled: flag().notNull(),
      showGrade: flag('show_grade').notNull(),
      updatedAt: int('updated_at').notNull(),
    },
    (of) => [primaryKey({ columns: [of.licenseId, of.domain] })],
  );

  /** The key that a license had before its last rotation, while it still works. */
  const previousKeys = table('previous_keys', {
    licenseId: int('license_id')
      .primaryKey()
      .references(() => licenses.id),
    keyHash: text('key_hash').notNull().unique(),
    keyPrefix: text('key_prefix').notNull(),
    keyLast4: text('key_last4').notNull(),
    worksUntil: int('works_until').notNull(),
  });

  /** What licenses were answered last, for their operator; written at intervals. */
  const licenseActivity = table('license_activity', {
    licenseId: int('license_id')
      .primaryKey()
      .references(() => licenses.id),
    notedAt: int('noted_at').notNull(),
    verifiedAt: int('verified_at'),
    /** What license/verify answered then. */
    verifiedOutcome: text('verified_outcome'),
    verifiedReason: text('verified_reason'),
    /** The newest first. */
    refusals: json().$type<readonly { at: number; route: string; code: string }[]>().notNull().default([]),
  });

  const auditLog = table(
    'audit_log',
    {
      id: id(),
      at: int().notNull(),
      actor: text().notNull(),
      action: text().notNull(),
      /** What was acted on, such as `lic_1`. */
      subject: text(),
      reason: text(),
      before: json().$type<Readonly<Record<string, unknown>>>(),
      after: json().$type<Readonly<Record<string, unknown>>>(),
      /** Of the request that brought it about. */
      requestId: text('request_id'),
    },
    (of) => [
      index('audit_log_subject').on(of.subject),
      // Few, among the many about one license each.
      index('audit_log_ranges').on(of.subject).where(isRange(of.subject)),
      index('audit_log_dismissals').on(of.at).where(sql`${of.action} = 'payment.dismiss'`),
      index('audit_log_at').on(of.at),
    ],
  );

  /** By what other programs use the admin API. */
  const adminTokens = table('admin_tokens', {
    id: id(),
    name: text().notNull().unique(),
    tokenHash: text('token_hash').notNull().unique(),
    tokenLast4: text('token_last4').notNull(),
    scopes: json().$type<readonly Scope[]>().notNull(),
    createdAt: int('created_at').notNull(),
    expiresAt: int('expires_at').notNull(),
    /** Written at intervals. */
    usedAt: int('used_at'),
    revokedAt: int('revoked_at'),
  });

  /** What was done for requests of the admin API that have an Idempotency-Key. */
  const adminRequests = table(
    'admin_requests',
    {
      tokenId: int('token_id').notNull(),
      path: text().notNull(),
      keyHash: text('key_hash').notNull(),
      bodyHash: text('body_hash').notNull(),
      /** Nothing of a key or a customer. */
      outcome: json().$type<Readonly<Record<string, unknown>>>().notNull(),
      doneAt: int('done_at').notNull(),
    },
    (of) => [
      primaryKey({ columns: [of.tokenId, of.path, of.keyHash] }),
      index('admin_requests_done_at').on(of.doneAt),
    ],
  );

  /** Who signs in to the console. */
  const operators = table('operators', {
    id: id(),
    name: text().notNull().unique(),
    role: text().$type<Role>().notNull(),
    /** Null until one is chosen. */
    passwordHash: text('password_hash'),
    createdAt: int('created_at').notNull(),
    signedInAt: int('signed_in_at'),
    disabledAt: int('disabled_at'),
    /** Of the address at which a password may be chosen, once. */
    linkHash: text('link_hash').unique(),
    linkExpiresAt: int('link_expires_at'),
    /** Sealed; null = a second factor was never begun. */
    totpSecret: text('totp_secret'),
    /** Null = the secret was not proved yet, and nothing asks for a code. */
    totpConfirmedAt: int('totp_confirmed_at'),
    /** The last period of which a code was taken: each is good once. */
    totpLastStep: int('totp_last_step'),
  });

  /** What opens the console in place of a code, each once. */
  const operatorRecoveryCodes = table(
    'operator_recovery_codes',
    {
      operatorId: int('operator_id')
        .notNull()
        .references(() => operators.id),
      codeHash: text('code_hash').notNull(),
    },
    (of) => [primaryKey({ columns: [of.operatorId, of.codeHash] })],
  );

  const operatorSessions = table(
    'operator_sessions',
    {
      tokenHash: text('token_hash').primaryKey(),
      operatorId: int('operator_id')
        .notNull()
        .references(() => operators.id),
      startedAt: int('started_at').notNull(),
      /** When the password was given last. */
      confirmedAt: int('confirmed_at').notNull(),
      /** Whether the second factor is still to be shown, before which it opens nothing. */
      awaitsCode: flag('awaits_code').notNull().default(false),
    },
    (of) => [index('operator_sessions_operator').on(of.operatorId)],
  );

  /** Tries to sign in that failed, by a hash of the name and the address. */
  const signInTries = table(
    'sign_in_tries',
    {
      place: text().primaryKey(),
      kind: text().notNull(),
      tries: int().notNull(),
      lastAt: int('last_at').notNull(),
    },
    (of) => [index('sign_in_tries_last').on(of.kind, of.lastAt)],
  );

  const portalSessions = table(
    'portal_sessions',
    {
      tokenHash: text('token_hash').primaryKey(),
      licenseId: int('license_id')
        .notNull()
        .references(() => licenses.id),
      /** Of the key that it began with: another key of the license ends it. */
      keyHash: text('key_hash').notNull(),
      startedAt: int('started_at').notNull(),
    },
    (of) => [index('portal_sessions_license').on(of.licenseId)],
  );

  /** What the operator has ruled about threats, whoever reports them. */
  const feedRulings = table('feed_rulings', {
    fingerprint: text().primaryKey(),
    ruling: text().$type<FeedRuling>().notNull(),
    ruledAt: int('ruled_at').notNull(),
  });

  /** Installations whose feeds count here. */
  const feedTrusts = table('feed_trusts', {
    id: id(),
    /** The operator's name for it. */
    name: text().notNull().unique(),
    /** Its public key, as minisign writes one. */
    key: text().notNull(),
    /** As how many customers its word counts. */
    weight: int().notNull(),
    addedAt: int('added_at').notNull(),
    /** Of what was imported last; null = nothing yet. */
    serial: int(),
    importedAt: int('imported_at'),
    /** From when on it does not count any more. */
    expiresAt: int('expires_at'),
  });

  /** What their feeds said last. */
  const importedThreats = table(
    'imported_threats',
    {
      fingerprint: text().notNull(),
      trustId: int('trust_id')
        .notNull()
        .references(() => feedTrusts.id),
      attackType: text('attack_type').notNull(),
    },
    (of) => [
      primaryKey({ columns: [of.fingerprint, of.trustId] }),
      index('imported_threats_trust').on(of.trustId),
    ],
  );

  const sites = table(
    'sites',
    {
      id: id(),
      licenseId: int('license_id')
        .notNull()
        .references(() => licenses.id),
      domain: text().notNull(),
      siteUuid: text('site_uuid'),
      pluginVersion: text('plugin_version'),
      stats: json().$type<Record<string, unknown>>(),
      firstSeenAt: int('first_seen_at').notNull(),
      lastSeenAt: int('last_seen_at').notNull(),
    },
    (of) => [uniqueIndex('sites_license_domain').on(of.licenseId, of.domain)],
  );

  const events = table(
    'events',
    {
      id: serial(),
      licenseId: int('license_id').notNull(),
      siteId: int('site_id')
        .notNull()
        .references(() => sites.id),
      type: text().notNull(),
      severity: text().$type<Severity>().notNull(),
      message: text(),
      occurredAt: int('occurred_at').notNull(),
      receivedAt: int('received_at').notNull(),
      eventId: text('event_id'),
      metadata: text(),
    },
    (of) => [uniqueIndex('events_resend').on(of.siteId, of.eventId).where(sql`${of.eventId} is not null`)],
  );

  const threatReports = table(
    'threat_reports',
    {
      fingerprint: text().notNull(),
      licenseId: int('license_id')
        .notNull()
        .references(() => licenses.id),
      attackType: text('attack_type').notNull(),
      firstReportedAt: int('first_reported_at').notNull(),
      lastReportedAt: int('last_reported_at').notNull(),
    },
    (of) => [
      primaryKey({ columns: [of.fingerprint, of.licenseId] }),
      index('threat_reports_last').on(of.lastReportedAt),
    ],
  );

  /** Accepted requests per license, route and UTC day: what a daily volume cap counts. */
  const dailyUsage = table(
    'daily_usage',
    {
      licenseId: int('license_id')
        .notNull()
        .references(() => licenses.id),
      route: text().notNull(),
      day: text().notNull(),
      accepted: int().notNull(),
    },
    (of) => [primaryKey({ columns: [of.licenseId, of.route, of.day] })],
  );

  /** What a license's telemetry and signals stored on a UTC day: what its daily budget is compared with. */
  const dailyVolumes = table(
    'daily_volumes',
    {
      day: text().notNull(),
      licenseId: int('license_id')
        .notNull()
        .references(() => licenses.id),
      events: int().notNull(),
      bytes: int().notNull(),
    },
    (of) => [primaryKey({ columns: [of.day, of.licenseId] })],
  );

  /** At most one row: the feed as served. */
  const feedSnapshots = table('feed_snapshots', {
    id: int().primaryKey(),
    epoch: int().notNull(),
    generatedAt: int('generated_at').notNull(),
    entries: text().notNull(),
    /** What of it customers of this installation vouch for alone; null = all, as they do. */
    own: text(),
  });

  /** One row. Triggers count every change here, whichever process made it, so that caches notice. */
  const generations = table('generations', {
    id: int().primaryKey(),
    licenses: int().notNull(),
    feed: int().notNull(),
    mirror: int().notNull().default(0),
  });

  /** What a database remembers of the installation that it belongs to; one row. */
  const installation = table('installation', {
    id: int().primaryKey(),
    /** Tells whether `installation.key` is the one that this database was used with. */
    keyFingerprint: text('key_fingerprint').notNull(),
    /** The same of the key that signs the evidence, where several nodes are to have it; else null. */
    evidenceFingerprint: text('evidence_fingerprint'),
  });

  /** Signals of which a license's earlier ones are kept beside a new one. */
  const signalHistory = table(
    'signal_history',
    {
      id: serial(),
      licenseId: int('license_id')
        .notNull()
        .references(() => licenses.id),
      signal: text().notNull(),
      record: text().notNull(),
      receivedAt: int('received_at').notNull(),
    },
    (of) => [
      index('signal_history_latest').on(of.licenseId, of.signal, of.id),
      index('signal_history_received').on(of.receivedAt),
    ],
  );

  /** Signals of which a new one stands in the place of the license's earlier one for the same site. */
  const signalSnapshots = table(
    'signal_snapshots',
    {
      licenseId: int('license_id')
        .notNull()
        .references(() => licenses.id),
      signal: text().notNull(),
      /** A derived identity, or empty when there is one for the license. */
      site: text().notNull(),
      record: text().notNull(),
      receivedAt: int('received_at').notNull(),
    },
    (of) => [primaryKey({ columns: [of.licenseId, of.signal, of.site] })],
  );

  const severityCounts = {
    info: int().notNull(),
    low: int().notNull(),
    medium: int().notNull(),
    high: int().notNull(),
    critical: int().notNull(),
  };

  /** One row beside each site: the id that its tenant knows it by, and its events that are kept. */
  const siteSummaries = table(
    'site_summaries',
    {
      licenseId: int('license_id').notNull(),
      siteId: int('site_id')
        .notNull()
        .references(() => sites.id),
      publicId: text('public_id').notNull().unique(),
      ...severityCounts,
      /** The newest that ever occurred, also when it has been forgotten. */
      lastEventAt: int('last_event_at'),
      /** Of its components as they stand in the license's evidence, and when that was written. */
      evidenceHash: text('evidence_hash'),
      evidenceAt: int('evidence_at'),
    },
    (of) => [primaryKey({ columns: [of.licenseId, of.siteId] })],
  );

  /** Events that are kept, by the UTC day on which they occurred: days since 1970-01-01. */
  const eventDays = table(
    'event_days',
    {
      licenseId: int('license_id').notNull(),
      day: int().notNull(),
      siteId: int('site_id')
        .notNull()
        .references(() => sites.id),
      ...severityCounts,
    },
    (of) => [primaryKey({ columns: [of.licenseId, of.day, of.siteId] })],
  );

  /** What may need somebody's attention, by the newest moments that speak for and against it. */
  const alerts = table(
    'alerts',
    {
      licenseId: int('license_id').notNull(),
      siteId: int('site_id')
        .notNull()
        .references(() => sites.id),
      subject: text().notNull(),
      criticalAt: int('critical_at'),
      highAt: int('high_at'),
      resolvedAt: int('resolved_at'),
      /** Of an operator, until more is told; null = it is not acknowledged. */
      acknowledgedAt: int('acknowledged_at'),
      acknowledgedBy: text('acknowledged_by'),
      acknowledgedNote: text('acknowledged_note'),
    },
    (of) => [
      primaryKey({ columns: [of.licenseId, of.siteId, of.subject] }),
      index('alerts_critical_at').on(of.criticalAt),
      index('alerts_high_at').on(of.highAt),
    ],
  );

  /**
   * The events that one request brought: consecutive ids. One row in place of a hundred entries of an index, by
   * which a license's events are found, newest first.
   */
  const arrivals = table(
    'arrivals',
    {
      firstEventId: int('first_event_id').primaryKey(),
      lastEventId: int('last_event_id').notNull(),
      licenseId: int('license_id').notNull(),
      siteId: int('site_id')
        .notNull()
        .references(() => sites.id),
      receivedAt: int('received_at').notNull(),
      oldestOccurredAt: int('oldest_occurred_at').notNull(),
      newestOccurredAt: int('newest_occurred_at').notNull(),
    },
    (of) => [index('arrivals_license').on(of.licenseId), index('arrivals_received').on(of.receivedAt)],
  );

  /** Reservations and consumed trials: what makes a second one impossible. */
  const trials = table(
    'trials',
    {
      id: text().primaryKey(),
      licenseId: int('license_id')
        .notNull()
        .unique()
        .references(() => licenses.id),
      /** The registrable one. */
      domain: text().notNull().unique(),
      installHash: text('install_hash').notNull().unique(),
      emailHash: text('email_hash').notNull(),
      /** Of the network that asked, keyed by the UTC day, where no card was asked for. */
      networkHash: text('network_hash'),
      /** 1 to 3; the index makes a fourth trial of a mailbox impossible. */
      emailSlot: int('email_slot').notNull(),
      reservedUntil: int('reserved_until').notNull(),
      customerId: text('customer_id'),
      cardSetupId: text('card_setup_id').unique(),
      /** Of its client secret, without which a request that waits for its card is not repeated. */
      secretHash: text('secret_hash'),
      confirmedAt: int('confirmed_at'),
    },
    (of) => [
      uniqueIndex('trials_email').on(of.emailHash, of.emailSlot),
      index('trials_begun').on(of.confirmedAt),
      index('trials_reserved').on(of.reservedUntil).where(sql`${of.confirmedAt} is null`),
    ],
  );

  /** Subscriptions as they were fetched last. */
  const subscriptions = table(
    'subscriptions',
    {
      id: text().primaryKey(),
      licenseId: int('license_id')
        .notNull()
        .references(() => licenses.id),
      customerId: text('customer_id').notNull(),
      payerEmailHash: text('payer_email_hash'),
      status: text().$type<SubscriptionStatus>().notNull(),
      createdAt: int('created_at').notNull(),
      pastDueSince: int('past_due_since'),
      checkoutId: text('checkout_id').unique(),
      /** Set from the start when the buyer has a key already. */
      keyShownAt: int('key_shown_at'),
      /** Why its license is on hold; see {@link HoldCause}. */
      holdCauses: json('hold_causes').$type<HoldCause[]>().notNull().default([]),
    },
    (of) => [
      index('subscriptions_license').on(of.licenseId),
      index('subscriptions_customer').on(of.customerId),
    ],
  );

  /** Disputes as they were fetched last; they may be known before their customer is. */
  const disputes = table(
    'disputes',
    {
      id: text().primaryKey(),
      customerId: text('customer_id'),
      status: text().$type<DisputeStatus>().notNull(),
    },
    (of) => [index('disputes_customer').on(of.customerId)],
  );

  /** Every event of the payment processor that was taken, by its own id, so that none is taken twice. */
  const paymentEvents = table(
    'payment_events',
    {
      id: text().primaryKey(),
      type: text().notNull(),
      kind: text().$type<SubjectKind>().notNull(),
      subjectId: text('subject_id').notNull(),
      receivedAt: int('received_at').notNull(),
      processedAt: int('processed_at'),
      /** How often it was tried in vain, and when it may be tried again. */
      attempts: int().notNull().default(0),
      dueAt: int('due_at').notNull().default(0),
    },
    (of) => [
      index('payment_events_waiting_subject').on(of.kind, of.subjectId).where(sql`${of.processedAt} is null`),
    ],
  );

  /** At most one row: up to when the processor's list of events was compared with ours. */
  const reconciliations = table('reconciliations', {
    id: int().primaryKey(),
    through: int().notNull(),
  });

  /** Verdicts of the analysis by license, UTC day, verdict and category; the empty category counts each verdict once. */
  const verdictCounts = table(
    'verdict_counts',
    {
      licenseId: int('license_id')
        .notNull()
        .references(() => licenses.id),
      day: text().notNull(),
      verdict: text().$type<Verdict>().notNull(),
      category: text().notNull(),
      given: int().notNull(),
    },
    (of) => [primaryKey({ columns: [of.licenseId, of.day, of.verdict, of.category] })],
  );

  /** At most one row: which of the mirror's snapshots is used, and which are kept. They are files beside the database. */
  const mirror = table('mirror', {
    id: int().primaryKey(),
    /** A snapshot's id; null = none is used. */
    current: text(),
    /** The newest import first. */
    kept: json().$type<readonly { readonly id: string; readonly importedAt: number }[]>().notNull(),
  });

  /** The components of a site, as its tenant told them last. */
  const siteInventories = table(
    'site_inventories',
    {
      licenseId: int('license_id').notNull(),
      siteId: int('site_id')
        .notNull()
        .references(() => sites.id),
      /** See stored-components.ts. */
      components: text().notNull(),
      receivedAt: int('received_at').notNull(),
    },
    (of) => [
      primaryKey({ columns: [of.licenseId, of.siteId] }),
      index('site_inventories_received').on(of.receivedAt),
    ],
  );

  /** What depends on a site and who can reach it, in its tenant's words. */
  const siteImportances = table(
    'site_importances',
    {
      licenseId: int('license_id').notNull(),
      siteId: int('site_id')
        .notNull()
        .references(() => sites.id),
      importance: text().$type<Importance>().notNull(),
      /** Null leaves it to what is known of each component. */
      exposure: text().$type<Exposure>(),
      /** Since when that is or was `open`; null = never. */
      openSince: int('open_since'),
      /** When it was so no more; null = it is, or never was. */
      openUntil: int('open_until'),
      updatedAt: int('updated_at').notNull(),
    },
    (of) => [primaryKey({ columns: [of.licenseId, of.siteId] })],
  );

  /** What the operator says of how vulnerabilities are exploited. */
  const exploitationAssertions = table('exploitation_assertions', {
    /** An id or alias of a vulnerability, as the operator wrote it. */
    name: text().primaryKey(),
    exploitation: text().$type<Exploitation>().notNull(),
    reason: text().notNull(),
    assertedAt: int('asserted_at').notNull(),
    /** Since when it is the same. */
    since: int().notNull().default(0),
  });

  /** Scans that are waited for. */
  const scans = table(
    'scans',
    {
      id: id(),
      publicId: text('public_id').notNull().unique(),
      licenseId: int('license_id')
        .notNull()
        .references(() => licenses.id),
      domain: text().notNull(),
      siteUrl: text('site_url').notNull(),
      type: text().$type<ScanType>().notNull(),
      trigger: text().$type<ScanTrigger>().notNull(),
      queuedAt: int('queued_at').notNull(),
      startedAt: int('started_at'),
      finishedAt: int('finished_at'),
      canceledAt: int('canceled_at'),
      failure: text().$type<ScanFailure>(),
      /** How many it has sent, as whoever runs it told last. */
      requests: int().notNull().default(0),
      /** Null until it is done. */
      findings: json().$type<readonly Finding[]>(),
    },
    (of) => [
      index('scans_license_domain').on(of.licenseId, of.domain),
      index('scans_finished_at').on(of.finishedAt),
      index('scans_unfinished').on(of.id).where(sql`${of.finishedAt} is null`),
    ],
  );

  /** What clients call the requests that they may send again. */
  const scanRequests = table(
    'scan_requests',
    {
      licenseId: int('license_id').notNull(),
      key: text().notNull(),
      bodyHash: text('body_hash').notNull(),
      scanId: int('scan_id')
        .notNull()
        .references(() => scans.id, { onDelete: 'cascade' }),
      requestedAt: int('requested_at').notNull(),
    },
    (of) => [
      primaryKey({ columns: [of.licenseId, of.key] }),
      index('scan_requests_scan').on(of.scanId),
      index('scan_requests_requested_at').on(of.requestedAt),
    ],
  );

  const scanSchedules = table(
    'scan_schedules',
    {
      licenseId: int('license_id')
        .notNull()
        .references(() => licenses.id),
      siteId: int('site_id')
        .notNull()
        .references(() => sites.id),
      intervalHours: int('interval_hours').$type<ScheduleHours>().notNull(),
      type: text().$type<ScanType>().notNull(),
      nextAt: int('next_at').notNull(),
    },
    (of) => [
      primaryKey({ columns: [of.licenseId, of.siteId] }),
      index('scan_schedules_next_at').on(of.nextAt),
    ],
  );

  /** The histories of licenses, of which a license has one that goes on. */
  const evidenceLogs = table(
    'evidence_logs',
    {
      id: id(),
      licenseId: int('license_id')
        .notNull()
        .references(() => licenses.id),
      /** Stands in its origin: chance, which tells nothing of the license. */
      publicId: text('public_id').notNull(),
      /** 1, or the one after that of the log that it continues. */
      number: int().notNull(),
      /** What checkpoints call it by; null until the first is signed. */
      origin: text(),
      /** Entries. */
      size: int().notNull().default(0),
      beganAt: int('began_at').notNull(),
      /** Of the newest entry; no entry is older than the one before. */
      lastAt: int('last_at').notNull(),
      /** Of the oldest entry whose text is kept; null = none is. */
      keptAt: int('kept_at'),
      /** Which entry that is. */
      keptFrom: int('kept_from').notNull().default(0),
      /** When another one took its place; null = it goes on. */
      endedAt: int('ended_at'),
      /** The snapshot of vulnerability data that an entry spoke of last. */
      mirrorSnapshot: text('mirror_snapshot'),
    },
    (of) => [
      uniqueIndex('evidence_logs_license_number').on(of.licenseId, of.number),
      index('evidence_logs_kept_at').on(of.keptAt),
    ],
  );

  const evidenceEntries = table(
    'evidence_entries',
    {
      logId: int('log_id')
        .notNull()
        .references(() => evidenceLogs.id),
      position: int().notNull(),
      type: text().$type<EvidenceType>().notNull(),
      /** A site's public id. */
      site: text(),
      at: int().notNull(),
      /** Null once it was forgotten; its hash stays. */
      entry: text(),
      /** Of the leaf, in base64url. */
      hash: text().notNull(),
    },
    (of) => [primaryKey({ columns: [of.logId, of.position] })],
  );

  /** Hashes of the full subtrees over two leaves and more, in base64url. */
  const evidenceNodes = table(
    'evidence_nodes',
    {
      logId: int('log_id')
        .notNull()
        .references(() => evidenceLogs.id),
      level: int().notNull(),
      position: int().notNull(),
      hash: text().notNull(),
    },
    (of) => [primaryKey({ columns: [of.logId, of.level, of.position] })],
  );

  /** Every state of a log that was signed. */
  const evidenceCheckpoints = table(
    'evidence_checkpoints',
    {
      logId: int('log_id')
        .notNull()
        .references(() => evidenceLogs.id),
      size: int().notNull(),
      signedAt: int('signed_at').notNull(),
      note: text().notNull(),
      /** The public key that signed it. */
      vkey: text().notNull(),
    },
    (of) => [primaryKey({ columns: [of.logId, of.size] })],
  );

  /** What scans of type assessment have concluded of sites. */
  const assessments = table(
    'assessments',
    {
      id: id(),
      licenseId: int('license_id')
        .notNull()
        .references(() => licenses.id),
      domain: text().notNull(),
      /** The scan that made it, which may be forgotten before. */
      scanId: int('scan_id').notNull(),
      grade: text().$type<Grade>().notNull(),
      /** 0-100. */
      score: int().notNull(),
      parts: json().$type<AssessmentParts>().notNull(),
      /** When the oldest of what it rests on was so. */
      assessedAt: int('assessed_at').notNull(),
      madeAt: int('made_at').notNull(),
      /** Of its entry in the license's log, in base64url. */
      leafHash: text('leaf_hash').notNull(),
    },
    (of) => [
      index('assessments_license_domain').on(of.licenseId, of.domain),
      index('assessments_scan').on(of.scanId),
      index('assessments_made_at').on(of.madeAt),
    ],
  );

  /** The public halves of the keys that sign credentials, and what became of them. */
  const credentialKeys = table('credential_keys', {
    /** The thumbprint of RFC 7638. */
    kid: text().primaryKey(),
    jwk: json().$type<CredentialJwk>().notNull(),
    createdAt: int('created_at').notNull(),
    /** From when on it signs, until a later one does. */
    activeFrom: int('active_from').notNull(),
    revokedAt: int('revoked_at'),
  });

  /** Keys that sign anything but credentials, by what they sign; the private halves are files. */
  const signingKeys = table('signing_keys', {
    /** Eight bytes of a hash of the key, as hex. */
    kid: text().primaryKey(),
    purpose: text().$type<KeyPurpose>().notNull(),
    /** Of Ed25519, its 32 bytes in base64. */
    publicKey: text('public_key').notNull(),
    createdAt: int('created_at').notNull(),
    /** From when on it signs, until a later one of its purpose does. */
    activeFrom: int('active_from').notNull(),
    revokedAt: int('revoked_at'),
  });

  /** Where verifiers look up what was revoked: each list has as many places as a list holds, of which credentials take some. */
  const statusLists = table('status_lists', {
    id: id(),
    /** The public address of this service at the time, to which its credentials point. */
    issuer: text().notNull(),
    createdAt: int('created_at').notNull(),
    /** Places that were ever taken; none is given twice. */
    taken: int().notNull().default(0),
  });

  const credentials = table(
    'credentials',
    {
      id: id(),
      /** A UUID. */
      publicId: text('public_id').notNull().unique(),
      licenseId: int('license_id')
        .notNull()
        .references(() => licenses.id),
      type: text().$type<CredentialType>().notNull(),
      /** Of the site that it is about; null = it is about the license. */
      domain: text(),
      /** What it states anew gives the same credential: an assessment, or a UTC day. */
      basis: text().notNull(),
      kid: text()
        .notNull()
        .references(() => credentialKeys.kid),
      listId: int('list_id')
        .notNull()
        .references(() => statusLists.id),
      /** Its place in the list. */
      listIndex: int('list_index').notNull(),
      /** The credential itself; empty once it was forgotten. */
      token: text().notNull(),
      issuedAt: int('issued_at').notNull(),
      expiresAt: int('expires_at').notNull(),
      revokedAt: int('revoked_at'),
      revocationReason: text('revocation_reason').$type<RevocationReason>(),
    },
    (of) => [
      uniqueIndex('credentials_place').on(of.listId, of.listIndex),
      index('credentials_license').on(of.licenseId, of.domain),
      index('credentials_page').on(of.licenseId),
      index('credentials_kid').on(of.kid, of.expiresAt),
    ],
  );

  /** Those that `redoubt backup create` made and has not removed. */
  const backups = table('backups', {
    id: id(),
    at: int().notNull(),
    path: text().notNull().unique(),
    bytes: int().notNull(),
    encrypted: flag().notNull(),
    /** When it was looked through last. */
    checkedAt: int('checked_at'),
    /** What was the matter with it then; null = nothing. */
    problem: text(),
  });

  return {
    licenses,
    licenseDomains,
    blockedDomains,
    domainControls,
    trustSites,
    previousKeys,
    licenseActivity,
    auditLog,
    adminTokens,
    adminRequests,
    feedRulings,
    feedTrusts,
    importedThreats,
    operators,
    operatorRecoveryCodes,
    operatorSessions,
    portalSessions,
    signInTries,
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
    scans,
    scanRequests,
    scanSchedules,
    evidenceLogs,
    evidenceEntries,
    evidenceNodes,
    evidenceCheckpoints,
    assessments,
    credentialKeys,
    signingKeys,
    statusLists,
    credentials,
    backups,
  };
}
