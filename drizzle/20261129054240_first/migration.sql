CREATE TABLE `admin_requests` (
	`token_id` integer NOT NULL,
	`path` text NOT NULL,
	`key_hash` text NOT NULL,
	`body_hash` text NOT NULL,
	`outcome` text NOT NULL,
	`done_at` integer NOT NULL,
	CONSTRAINT `admin_requests_pk` PRIMARY KEY(`token_id`, `path`, `key_hash`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `admin_tokens` (
	`id` integer PRIMARY KEY AUTOINCREMENT,
	`name` text NOT NULL UNIQUE,
	`token_hash` text NOT NULL UNIQUE,
	`token_last4` text NOT NULL,
	`scopes` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer,
	`revoked_at` integer
) STRICT;
--> statement-breakpoint
CREATE TABLE `alerts` (
	`license_id` integer NOT NULL,
	`site_id` integer NOT NULL,
	`subject` text NOT NULL,
	`critical_at` integer,
	`high_at` integer,
	`resolved_at` integer,
	`acknowledged_at` integer,
	`acknowledged_by` text,
	`acknowledged_note` text,
	CONSTRAINT `alerts_pk` PRIMARY KEY(`license_id`, `site_id`, `subject`),
	CONSTRAINT `fk_alerts_site_id_sites_id_fk` FOREIGN KEY (`site_id`) REFERENCES `sites`(`id`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `arrivals` (
	`first_event_id` integer PRIMARY KEY,
	`last_event_id` integer NOT NULL,
	`license_id` integer NOT NULL,
	`site_id` integer NOT NULL,
	`received_at` integer NOT NULL,
	`oldest_occurred_at` integer NOT NULL,
	`newest_occurred_at` integer NOT NULL,
	CONSTRAINT `fk_arrivals_site_id_sites_id_fk` FOREIGN KEY (`site_id`) REFERENCES `sites`(`id`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `assessments` (
	`id` integer PRIMARY KEY AUTOINCREMENT,
	`license_id` integer NOT NULL,
	`domain` text NOT NULL,
	`scan_id` integer NOT NULL,
	`grade` text NOT NULL,
	`score` integer NOT NULL,
	`parts` text NOT NULL,
	`assessed_at` integer NOT NULL,
	`made_at` integer NOT NULL,
	`leaf_hash` text NOT NULL,
	CONSTRAINT `fk_assessments_license_id_licenses_id_fk` FOREIGN KEY (`license_id`) REFERENCES `licenses`(`id`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `audit_log` (
	`id` integer PRIMARY KEY AUTOINCREMENT,
	`at` integer NOT NULL,
	`actor` text NOT NULL,
	`action` text NOT NULL,
	`subject` text,
	`reason` text,
	`before` text,
	`after` text,
	`request_id` text
) STRICT;
--> statement-breakpoint
CREATE TABLE `backups` (
	`id` integer PRIMARY KEY AUTOINCREMENT,
	`at` integer NOT NULL,
	`path` text NOT NULL UNIQUE,
	`bytes` integer NOT NULL,
	`encrypted` integer NOT NULL,
	`checked_at` integer,
	`problem` text
) STRICT;
--> statement-breakpoint
CREATE TABLE `blocked_domains` (
	`license_id` integer NOT NULL,
	`domain` text NOT NULL,
	`blocked_at` integer NOT NULL,
	CONSTRAINT `blocked_domains_pk` PRIMARY KEY(`license_id`, `domain`),
	CONSTRAINT `fk_blocked_domains_license_id_licenses_id_fk` FOREIGN KEY (`license_id`) REFERENCES `licenses`(`id`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `credential_keys` (
	`kid` text PRIMARY KEY,
	`jwk` text NOT NULL,
	`created_at` integer NOT NULL,
	`active_from` integer NOT NULL,
	`revoked_at` integer
) STRICT;
--> statement-breakpoint
CREATE TABLE `credentials` (
	`id` integer PRIMARY KEY AUTOINCREMENT,
	`public_id` text NOT NULL UNIQUE,
	`license_id` integer NOT NULL,
	`type` text NOT NULL,
	`domain` text,
	`basis` text NOT NULL,
	`kid` text NOT NULL,
	`list_id` integer NOT NULL,
	`list_index` integer NOT NULL,
	`token` text NOT NULL,
	`issued_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`revoked_at` integer,
	`revocation_reason` text,
	CONSTRAINT `fk_credentials_license_id_licenses_id_fk` FOREIGN KEY (`license_id`) REFERENCES `licenses`(`id`),
	CONSTRAINT `fk_credentials_kid_credential_keys_kid_fk` FOREIGN KEY (`kid`) REFERENCES `credential_keys`(`kid`),
	CONSTRAINT `fk_credentials_list_id_status_lists_id_fk` FOREIGN KEY (`list_id`) REFERENCES `status_lists`(`id`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `daily_usage` (
	`license_id` integer NOT NULL,
	`route` text NOT NULL,
	`day` text NOT NULL,
	`accepted` integer NOT NULL,
	CONSTRAINT `daily_usage_pk` PRIMARY KEY(`license_id`, `route`, `day`),
	CONSTRAINT `fk_daily_usage_license_id_licenses_id_fk` FOREIGN KEY (`license_id`) REFERENCES `licenses`(`id`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `daily_volumes` (
	`day` text NOT NULL,
	`license_id` integer NOT NULL,
	`events` integer NOT NULL,
	`bytes` integer NOT NULL,
	CONSTRAINT `daily_volumes_pk` PRIMARY KEY(`day`, `license_id`),
	CONSTRAINT `fk_daily_volumes_license_id_licenses_id_fk` FOREIGN KEY (`license_id`) REFERENCES `licenses`(`id`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `disputes` (
	`id` text PRIMARY KEY,
	`customer_id` text,
	`status` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `domain_controls` (
	`license_id` integer NOT NULL,
	`domain` text NOT NULL,
	`method` text NOT NULL,
	`verified_at` integer,
	`checked_at` integer NOT NULL,
	`failed_since` integer,
	`problem` text,
	`next_check_at` integer,
	CONSTRAINT `domain_controls_pk` PRIMARY KEY(`license_id`, `domain`),
	CONSTRAINT `fk_domain_controls_license_id_licenses_id_fk` FOREIGN KEY (`license_id`) REFERENCES `licenses`(`id`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `event_counts` (
	`hour` integer NOT NULL,
	`severity` text NOT NULL,
	`type` text NOT NULL,
	`count` integer NOT NULL,
	CONSTRAINT `event_counts_pk` PRIMARY KEY(`hour`, `severity`, `type`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `event_days` (
	`license_id` integer NOT NULL,
	`day` integer NOT NULL,
	`site_id` integer NOT NULL,
	`info` integer NOT NULL,
	`low` integer NOT NULL,
	`medium` integer NOT NULL,
	`high` integer NOT NULL,
	`critical` integer NOT NULL,
	CONSTRAINT `event_days_pk` PRIMARY KEY(`license_id`, `day`, `site_id`),
	CONSTRAINT `fk_event_days_site_id_sites_id_fk` FOREIGN KEY (`site_id`) REFERENCES `sites`(`id`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `events` (
	`id` integer PRIMARY KEY,
	`license_id` integer NOT NULL,
	`site_id` integer NOT NULL,
	`type` text NOT NULL,
	`severity` text NOT NULL,
	`message` text,
	`occurred_at` integer NOT NULL,
	`received_at` integer NOT NULL,
	`event_id` text,
	`metadata` text,
	CONSTRAINT `fk_events_site_id_sites_id_fk` FOREIGN KEY (`site_id`) REFERENCES `sites`(`id`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `evidence_checkpoints` (
	`log_id` integer NOT NULL,
	`size` integer NOT NULL,
	`signed_at` integer NOT NULL,
	`note` text NOT NULL,
	`vkey` text NOT NULL,
	CONSTRAINT `evidence_checkpoints_pk` PRIMARY KEY(`log_id`, `size`),
	CONSTRAINT `fk_evidence_checkpoints_log_id_evidence_logs_id_fk` FOREIGN KEY (`log_id`) REFERENCES `evidence_logs`(`id`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `evidence_entries` (
	`log_id` integer NOT NULL,
	`position` integer NOT NULL,
	`type` text NOT NULL,
	`site` text,
	`at` integer NOT NULL,
	`entry` text,
	`hash` text NOT NULL,
	CONSTRAINT `evidence_entries_pk` PRIMARY KEY(`log_id`, `position`),
	CONSTRAINT `fk_evidence_entries_log_id_evidence_logs_id_fk` FOREIGN KEY (`log_id`) REFERENCES `evidence_logs`(`id`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `evidence_logs` (
	`id` integer PRIMARY KEY AUTOINCREMENT,
	`license_id` integer NOT NULL,
	`public_id` text NOT NULL,
	`number` integer NOT NULL,
	`origin` text,
	`size` integer DEFAULT 0 NOT NULL,
	`began_at` integer NOT NULL,
	`last_at` integer NOT NULL,
	`kept_at` integer,
	`kept_from` integer DEFAULT 0 NOT NULL,
	`ended_at` integer,
	`mirror_snapshot` text,
	CONSTRAINT `fk_evidence_logs_license_id_licenses_id_fk` FOREIGN KEY (`license_id`) REFERENCES `licenses`(`id`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `evidence_nodes` (
	`log_id` integer NOT NULL,
	`level` integer NOT NULL,
	`position` integer NOT NULL,
	`hash` text NOT NULL,
	CONSTRAINT `evidence_nodes_pk` PRIMARY KEY(`log_id`, `level`, `position`),
	CONSTRAINT `fk_evidence_nodes_log_id_evidence_logs_id_fk` FOREIGN KEY (`log_id`) REFERENCES `evidence_logs`(`id`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `exploitation_assertions` (
	`name` text PRIMARY KEY,
	`exploitation` text NOT NULL,
	`reason` text NOT NULL,
	`asserted_at` integer NOT NULL,
	`since` integer DEFAULT 0 NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `feed_objects` (
	`fingerprint` text PRIMARY KEY,
	`uuid` text NOT NULL,
	`attack_type` text NOT NULL,
	`corroboration_count` integer NOT NULL,
	`created_at` integer NOT NULL,
	`modified_at` integer NOT NULL,
	`date_added` integer NOT NULL,
	`is_withdrawn` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `feed_rulings` (
	`fingerprint` text PRIMARY KEY,
	`ruling` text NOT NULL,
	`ruled_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `feed_snapshots` (
	`id` integer PRIMARY KEY,
	`epoch` integer NOT NULL,
	`generated_at` integer NOT NULL,
	`entries` text NOT NULL,
	`own` text
) STRICT;
--> statement-breakpoint
CREATE TABLE `feed_trusts` (
	`id` integer PRIMARY KEY AUTOINCREMENT,
	`name` text NOT NULL UNIQUE,
	`key` text NOT NULL,
	`weight` integer NOT NULL,
	`added_at` integer NOT NULL,
	`serial` integer,
	`imported_at` integer,
	`expires_at` integer
) STRICT;
--> statement-breakpoint
CREATE TABLE `fleet_days` (
	`day` integer PRIMARY KEY,
	`active_licenses` integer NOT NULL,
	`sites` integer NOT NULL,
	`reporting_sites` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `generations` (
	`id` integer PRIMARY KEY,
	`licenses` integer NOT NULL,
	`feed` integer NOT NULL,
	`mirror` integer DEFAULT 0 NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `imported_threats` (
	`fingerprint` text NOT NULL,
	`trust_id` integer NOT NULL,
	`attack_type` text NOT NULL,
	CONSTRAINT `imported_threats_pk` PRIMARY KEY(`fingerprint`, `trust_id`),
	CONSTRAINT `fk_imported_threats_trust_id_feed_trusts_id_fk` FOREIGN KEY (`trust_id`) REFERENCES `feed_trusts`(`id`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `installation` (
	`id` integer PRIMARY KEY CHECK (`id` = 1),
	`key_fingerprint` text NOT NULL,
	`evidence_fingerprint` text
) STRICT;
--> statement-breakpoint
CREATE TABLE `license_activity` (
	`license_id` integer PRIMARY KEY,
	`noted_at` integer NOT NULL,
	`verified_at` integer,
	`verified_outcome` text,
	`verified_reason` text,
	`refusals` text DEFAULT '[]' NOT NULL,
	CONSTRAINT `fk_license_activity_license_id_licenses_id_fk` FOREIGN KEY (`license_id`) REFERENCES `licenses`(`id`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `license_checks` (
	`hour` integer NOT NULL,
	`outcome` text NOT NULL,
	`count` integer NOT NULL,
	CONSTRAINT `license_checks_pk` PRIMARY KEY(`hour`, `outcome`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `license_domains` (
	`license_id` integer NOT NULL,
	`domain` text NOT NULL,
	`bound_by` text NOT NULL,
	`bound_at` integer NOT NULL,
	CONSTRAINT `license_domains_pk` PRIMARY KEY(`license_id`, `domain`),
	CONSTRAINT `fk_license_domains_license_id_licenses_id_fk` FOREIGN KEY (`license_id`) REFERENCES `licenses`(`id`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `licenses` (
	`id` integer PRIMARY KEY AUTOINCREMENT,
	`key_hash` text NOT NULL UNIQUE,
	`key_prefix` text NOT NULL,
	`key_last4` text NOT NULL,
	`kind` text NOT NULL,
	`environment` text NOT NULL,
	`plan` text NOT NULL,
	`sites_override` integer,
	`daily_events_override` integer,
	`daily_bytes_override` integer,
	`modules_allowed` text NOT NULL,
	`modules_denied` text NOT NULL,
	`subscription_id` text,
	`operator_terms` integer DEFAULT false NOT NULL,
	`granted` text,
	`holds` text NOT NULL,
	`payment_holds` text DEFAULT '[]' NOT NULL,
	`note` text,
	`customer` text,
	`email` text,
	`external_id` text,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`revoked_at` integer,
	`pending_until` integer,
	`payment_hold_from` integer
) STRICT;
--> statement-breakpoint
CREATE TABLE `mirror` (
	`id` integer PRIMARY KEY CHECK (`id` = 1),
	`current` text,
	`kept` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `operator_recovery_codes` (
	`operator_id` integer NOT NULL,
	`code_hash` text NOT NULL,
	CONSTRAINT `operator_recovery_codes_pk` PRIMARY KEY(`operator_id`, `code_hash`),
	CONSTRAINT `fk_operator_recovery_codes_operator_id_operators_id_fk` FOREIGN KEY (`operator_id`) REFERENCES `operators`(`id`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `operator_sessions` (
	`token_hash` text PRIMARY KEY,
	`operator_id` integer NOT NULL,
	`started_at` integer NOT NULL,
	`confirmed_at` integer NOT NULL,
	`awaits_code` integer DEFAULT false NOT NULL,
	`ends_at` integer,
	CONSTRAINT `fk_operator_sessions_operator_id_operators_id_fk` FOREIGN KEY (`operator_id`) REFERENCES `operators`(`id`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `operators` (
	`id` integer PRIMARY KEY AUTOINCREMENT,
	`name` text NOT NULL UNIQUE,
	`role` text NOT NULL,
	`password_hash` text,
	`created_at` integer NOT NULL,
	`signed_in_at` integer,
	`disabled_at` integer,
	`link_hash` text UNIQUE,
	`link_expires_at` integer,
	`totp_secret` text,
	`totp_confirmed_at` integer,
	`totp_last_step` integer,
	`oidc_issuer` text,
	`oidc_subject` text
) STRICT;
--> statement-breakpoint
CREATE TABLE `payment_events` (
	`id` text PRIMARY KEY,
	`type` text NOT NULL,
	`kind` text NOT NULL,
	`subject_id` text NOT NULL,
	`received_at` integer NOT NULL,
	`processed_at` integer,
	`attempts` integer DEFAULT 0 NOT NULL,
	`due_at` integer DEFAULT 0 NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `portal_sessions` (
	`token_hash` text PRIMARY KEY,
	`license_id` integer NOT NULL,
	`key_hash` text NOT NULL,
	`started_at` integer NOT NULL,
	CONSTRAINT `fk_portal_sessions_license_id_licenses_id_fk` FOREIGN KEY (`license_id`) REFERENCES `licenses`(`id`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `previous_keys` (
	`license_id` integer PRIMARY KEY,
	`key_hash` text NOT NULL UNIQUE,
	`key_prefix` text NOT NULL,
	`key_last4` text NOT NULL,
	`works_until` integer NOT NULL,
	CONSTRAINT `fk_previous_keys_license_id_licenses_id_fk` FOREIGN KEY (`license_id`) REFERENCES `licenses`(`id`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `reconciliations` (
	`id` integer PRIMARY KEY,
	`through` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `refused_domains` (
	`license_id` integer NOT NULL,
	`domain` text NOT NULL,
	`reason` text NOT NULL,
	`count` integer NOT NULL,
	`first_at` integer NOT NULL,
	`last_at` integer NOT NULL,
	CONSTRAINT `refused_domains_pk` PRIMARY KEY(`license_id`, `domain`),
	CONSTRAINT `fk_refused_domains_license_id_licenses_id_fk` FOREIGN KEY (`license_id`) REFERENCES `licenses`(`id`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `scan_requests` (
	`license_id` integer NOT NULL,
	`key` text NOT NULL,
	`body_hash` text NOT NULL,
	`scan_id` integer NOT NULL,
	`requested_at` integer NOT NULL,
	CONSTRAINT `scan_requests_pk` PRIMARY KEY(`license_id`, `key`),
	CONSTRAINT `fk_scan_requests_scan_id_scans_id_fk` FOREIGN KEY (`scan_id`) REFERENCES `scans`(`id`) ON DELETE CASCADE
) STRICT;
--> statement-breakpoint
CREATE TABLE `scan_schedules` (
	`license_id` integer NOT NULL,
	`site_id` integer NOT NULL,
	`interval_hours` integer NOT NULL,
	`type` text NOT NULL,
	`next_at` integer NOT NULL,
	CONSTRAINT `scan_schedules_pk` PRIMARY KEY(`license_id`, `site_id`),
	CONSTRAINT `fk_scan_schedules_license_id_licenses_id_fk` FOREIGN KEY (`license_id`) REFERENCES `licenses`(`id`),
	CONSTRAINT `fk_scan_schedules_site_id_sites_id_fk` FOREIGN KEY (`site_id`) REFERENCES `sites`(`id`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `scans` (
	`id` integer PRIMARY KEY AUTOINCREMENT,
	`public_id` text NOT NULL UNIQUE,
	`license_id` integer NOT NULL,
	`domain` text NOT NULL,
	`site_url` text NOT NULL,
	`type` text NOT NULL,
	`trigger` text NOT NULL,
	`queued_at` integer NOT NULL,
	`started_at` integer,
	`finished_at` integer,
	`canceled_at` integer,
	`failure` text,
	`requests` integer DEFAULT 0 NOT NULL,
	`findings` text,
	CONSTRAINT `fk_scans_license_id_licenses_id_fk` FOREIGN KEY (`license_id`) REFERENCES `licenses`(`id`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `sign_in_tries` (
	`place` text PRIMARY KEY,
	`kind` text NOT NULL,
	`tries` integer NOT NULL,
	`last_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `signal_history` (
	`id` integer PRIMARY KEY,
	`license_id` integer NOT NULL,
	`signal` text NOT NULL,
	`record` text NOT NULL,
	`received_at` integer NOT NULL,
	CONSTRAINT `fk_signal_history_license_id_licenses_id_fk` FOREIGN KEY (`license_id`) REFERENCES `licenses`(`id`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `signal_snapshots` (
	`license_id` integer NOT NULL,
	`signal` text NOT NULL,
	`site` text NOT NULL,
	`record` text NOT NULL,
	`received_at` integer NOT NULL,
	CONSTRAINT `signal_snapshots_pk` PRIMARY KEY(`license_id`, `signal`, `site`),
	CONSTRAINT `fk_signal_snapshots_license_id_licenses_id_fk` FOREIGN KEY (`license_id`) REFERENCES `licenses`(`id`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `signing_keys` (
	`kid` text PRIMARY KEY,
	`purpose` text NOT NULL,
	`public_key` text NOT NULL,
	`created_at` integer NOT NULL,
	`active_from` integer NOT NULL,
	`revoked_at` integer
) STRICT;
--> statement-breakpoint
CREATE TABLE `site_importances` (
	`license_id` integer NOT NULL,
	`site_id` integer NOT NULL,
	`importance` text NOT NULL,
	`exposure` text,
	`open_since` integer,
	`open_until` integer,
	`updated_at` integer NOT NULL,
	CONSTRAINT `site_importances_pk` PRIMARY KEY(`license_id`, `site_id`),
	CONSTRAINT `fk_site_importances_site_id_sites_id_fk` FOREIGN KEY (`site_id`) REFERENCES `sites`(`id`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `site_inventories` (
	`license_id` integer NOT NULL,
	`site_id` integer NOT NULL,
	`components` text NOT NULL,
	`received_at` integer NOT NULL,
	CONSTRAINT `site_inventories_pk` PRIMARY KEY(`license_id`, `site_id`),
	CONSTRAINT `fk_site_inventories_site_id_sites_id_fk` FOREIGN KEY (`site_id`) REFERENCES `sites`(`id`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `site_summaries` (
	`license_id` integer NOT NULL,
	`site_id` integer NOT NULL,
	`public_id` text NOT NULL UNIQUE,
	`info` integer NOT NULL,
	`low` integer NOT NULL,
	`medium` integer NOT NULL,
	`high` integer NOT NULL,
	`critical` integer NOT NULL,
	`last_event_at` integer,
	`evidence_hash` text,
	`evidence_at` integer,
	CONSTRAINT `site_summaries_pk` PRIMARY KEY(`license_id`, `site_id`),
	CONSTRAINT `fk_site_summaries_site_id_sites_id_fk` FOREIGN KEY (`site_id`) REFERENCES `sites`(`id`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `sites` (
	`id` integer PRIMARY KEY AUTOINCREMENT,
	`license_id` integer NOT NULL,
	`domain` text NOT NULL,
	`site_uuid` text,
	`plugin_version` text,
	`stats` text,
	`first_seen_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	CONSTRAINT `fk_sites_license_id_licenses_id_fk` FOREIGN KEY (`license_id`) REFERENCES `licenses`(`id`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `status_lists` (
	`id` integer PRIMARY KEY AUTOINCREMENT,
	`issuer` text NOT NULL,
	`created_at` integer NOT NULL,
	`taken` integer DEFAULT 0 NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `subscriptions` (
	`id` text PRIMARY KEY,
	`license_id` integer NOT NULL,
	`customer_id` text NOT NULL,
	`payer_email_hash` text,
	`status` text NOT NULL,
	`created_at` integer NOT NULL,
	`past_due_since` integer,
	`checkout_id` text UNIQUE,
	`key_shown_at` integer,
	`hold_causes` text DEFAULT '[]' NOT NULL,
	CONSTRAINT `fk_subscriptions_license_id_licenses_id_fk` FOREIGN KEY (`license_id`) REFERENCES `licenses`(`id`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `threat_reports` (
	`fingerprint` text NOT NULL,
	`license_id` integer NOT NULL,
	`attack_type` text NOT NULL,
	`first_reported_at` integer NOT NULL,
	`last_reported_at` integer NOT NULL,
	CONSTRAINT `threat_reports_pk` PRIMARY KEY(`fingerprint`, `license_id`),
	CONSTRAINT `fk_threat_reports_license_id_licenses_id_fk` FOREIGN KEY (`license_id`) REFERENCES `licenses`(`id`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `trials` (
	`id` text PRIMARY KEY,
	`license_id` integer NOT NULL UNIQUE,
	`domain` text NOT NULL UNIQUE,
	`install_hash` text NOT NULL UNIQUE,
	`email_hash` text NOT NULL,
	`network_hash` text,
	`email_slot` integer NOT NULL,
	`reserved_until` integer NOT NULL,
	`customer_id` text,
	`card_setup_id` text UNIQUE,
	`secret_hash` text,
	`confirmed_at` integer,
	CONSTRAINT `fk_trials_license_id_licenses_id_fk` FOREIGN KEY (`license_id`) REFERENCES `licenses`(`id`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `trust_sites` (
	`license_id` integer NOT NULL,
	`domain` text NOT NULL,
	`trust_id` text NOT NULL UNIQUE,
	`enabled` integer NOT NULL,
	`show_grade` integer NOT NULL,
	`updated_at` integer NOT NULL,
	CONSTRAINT `trust_sites_pk` PRIMARY KEY(`license_id`, `domain`),
	CONSTRAINT `fk_trust_sites_license_id_licenses_id_fk` FOREIGN KEY (`license_id`) REFERENCES `licenses`(`id`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `verdict_counts` (
	`license_id` integer NOT NULL,
	`day` text NOT NULL,
	`verdict` text NOT NULL,
	`category` text NOT NULL,
	`given` integer NOT NULL,
	CONSTRAINT `verdict_counts_pk` PRIMARY KEY(`license_id`, `day`, `verdict`, `category`),
	CONSTRAINT `fk_verdict_counts_license_id_licenses_id_fk` FOREIGN KEY (`license_id`) REFERENCES `licenses`(`id`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `deliveries` (
	`target_id` integer NOT NULL,
	`event_id` integer NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`due_at` integer NOT NULL,
	CONSTRAINT `deliveries_pk` PRIMARY KEY(`target_id`, `event_id`),
	CONSTRAINT `fk_deliveries_target_id_targets_id_fk` FOREIGN KEY (`target_id`) REFERENCES `targets`(`id`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `delivery_logs` (
	`target_id` integer PRIMARY KEY,
	`attempts` text NOT NULL,
	CONSTRAINT `fk_delivery_logs_target_id_targets_id_fk` FOREIGN KEY (`target_id`) REFERENCES `targets`(`id`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `noted_states` (
	`kind` text NOT NULL,
	`key` text NOT NULL,
	`state` text NOT NULL,
	`noted_at` integer NOT NULL,
	CONSTRAINT `noted_states_pk` PRIMARY KEY(`kind`, `key`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `outbox` (
	`id` integer PRIMARY KEY AUTOINCREMENT,
	`public_id` text NOT NULL UNIQUE,
	`type` text NOT NULL,
	`severity` text NOT NULL,
	`at` integer NOT NULL,
	`license_id` integer,
	`target_id` integer,
	`data` text NOT NULL,
	`personal` text
) STRICT;
--> statement-breakpoint
CREATE TABLE `target_states` (
	`target_id` integer PRIMARY KEY,
	`waiting` integer DEFAULT 0 NOT NULL,
	`dropped` integer DEFAULT 0 NOT NULL,
	`next_due_at` integer,
	`rests_until` integer DEFAULT 0 NOT NULL,
	`leased_until` integer DEFAULT 0 NOT NULL,
	`lease_holder` text,
	`succeeded_at` integer,
	`failed_at` integer,
	`failure` text,
	CONSTRAINT `fk_target_states_target_id_targets_id_fk` FOREIGN KEY (`target_id`) REFERENCES `targets`(`id`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `targets` (
	`id` integer PRIMARY KEY AUTOINCREMENT,
	`public_id` text NOT NULL UNIQUE,
	`license_id` integer,
	`name` text NOT NULL,
	`kind` text NOT NULL,
	`address` text NOT NULL,
	`format` text NOT NULL,
	`events` text NOT NULL,
	`min_severity` text NOT NULL,
	`digest_ms` integer NOT NULL,
	`licenses` text NOT NULL,
	`customers` text NOT NULL,
	`is_personal_included` integer NOT NULL,
	`ca` text,
	`secret` text,
	`previous_secret` text,
	`previous_secret_until` integer,
	`created_at` integer NOT NULL,
	`paused_at` integer,
	`paused_reason` text,
	CONSTRAINT `fk_targets_license_id_licenses_id_fk` FOREIGN KEY (`license_id`) REFERENCES `licenses`(`id`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `admin_requests_done_at` ON `admin_requests` (`done_at`);--> statement-breakpoint
CREATE INDEX `alerts_critical_at` ON `alerts` (`critical_at`);--> statement-breakpoint
CREATE INDEX `alerts_high_at` ON `alerts` (`high_at`);--> statement-breakpoint
CREATE INDEX `alerts_unresolved` ON `alerts` (`critical_at`,`high_at`,`resolved_at`,`acknowledged_at`,`license_id`) WHERE max(coalesce(critical_at, 0), coalesce(high_at, 0)) > coalesce(resolved_at, 0);--> statement-breakpoint
CREATE INDEX `arrivals_license` ON `arrivals` (`license_id`);--> statement-breakpoint
CREATE INDEX `arrivals_received` ON `arrivals` (`received_at`);--> statement-breakpoint
CREATE INDEX `assessments_license_domain` ON `assessments` (`license_id`,`domain`);--> statement-breakpoint
CREATE INDEX `assessments_scan` ON `assessments` (`scan_id`);--> statement-breakpoint
CREATE INDEX `assessments_made_at` ON `assessments` (`made_at`);--> statement-breakpoint
CREATE INDEX `audit_log_subject` ON `audit_log` (`subject`);--> statement-breakpoint
CREATE INDEX `audit_log_ranges` ON `audit_log` (`subject`) WHERE "audit_log"."subject" glob 'lic_*..lic_*';--> statement-breakpoint
CREATE INDEX `audit_log_dismissals` ON `audit_log` (`at`) WHERE "audit_log"."action" = 'payment.dismiss';--> statement-breakpoint
CREATE INDEX `audit_log_at` ON `audit_log` (`at`);--> statement-breakpoint
CREATE UNIQUE INDEX `credentials_place` ON `credentials` (`list_id`,`list_index`);--> statement-breakpoint
CREATE INDEX `credentials_license` ON `credentials` (`license_id`,`domain`);--> statement-breakpoint
CREATE INDEX `credentials_page` ON `credentials` (`license_id`);--> statement-breakpoint
CREATE INDEX `credentials_kid` ON `credentials` (`kid`,`expires_at`);--> statement-breakpoint
CREATE INDEX `disputes_customer` ON `disputes` (`customer_id`);--> statement-breakpoint
CREATE INDEX `domain_controls_next_check_at` ON `domain_controls` (`next_check_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `events_resend` ON `events` (`site_id`,`event_id`) WHERE "events"."event_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `evidence_logs_license_number` ON `evidence_logs` (`license_id`,`number`);--> statement-breakpoint
CREATE INDEX `evidence_logs_kept_at` ON `evidence_logs` (`kept_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `feed_objects_uuid` ON `feed_objects` (`uuid`);--> statement-breakpoint
CREATE UNIQUE INDEX `feed_objects_date_added` ON `feed_objects` (`date_added`);--> statement-breakpoint
CREATE INDEX `feed_objects_collection` ON `feed_objects` (`is_withdrawn`,`date_added`);--> statement-breakpoint
CREATE INDEX `imported_threats_trust` ON `imported_threats` (`trust_id`);--> statement-breakpoint
CREATE INDEX `license_domains_domain` ON `license_domains` (`domain`);--> statement-breakpoint
CREATE UNIQUE INDEX `licenses_external_id` ON `licenses` (`external_id`) WHERE "licenses"."external_id" is not null and "licenses"."revoked_at" is null;--> statement-breakpoint
CREATE INDEX `licenses_special` ON `licenses` (`id`) WHERE not (kind = 'paid' and granted is null and holds = '[]' and payment_holds = '[]' and payment_hold_from is null and revoked_at is null and pending_until is null);--> statement-breakpoint
CREATE INDEX `licenses_revoked` ON `licenses` (`id`) WHERE "licenses"."revoked_at" is not null;--> statement-breakpoint
CREATE INDEX `licenses_held` ON `licenses` (`id`) WHERE "licenses"."payment_hold_from" is not null or "licenses"."payment_holds" <> '[]' or instr("licenses"."holds", '"dispute"') > 0;--> statement-breakpoint
CREATE INDEX `operator_sessions_operator` ON `operator_sessions` (`operator_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `operators_identity` ON `operators` (`oidc_issuer`,`oidc_subject`);--> statement-breakpoint
CREATE INDEX `payment_events_waiting_subject` ON `payment_events` (`kind`,`subject_id`) WHERE "payment_events"."processed_at" is null;--> statement-breakpoint
CREATE INDEX `portal_sessions_license` ON `portal_sessions` (`license_id`);--> statement-breakpoint
CREATE INDEX `refused_domains_last` ON `refused_domains` (`last_at`);--> statement-breakpoint
CREATE INDEX `scan_requests_scan` ON `scan_requests` (`scan_id`);--> statement-breakpoint
CREATE INDEX `scan_requests_requested_at` ON `scan_requests` (`requested_at`);--> statement-breakpoint
CREATE INDEX `scan_schedules_next_at` ON `scan_schedules` (`next_at`);--> statement-breakpoint
CREATE INDEX `scans_license_domain` ON `scans` (`license_id`,`domain`);--> statement-breakpoint
CREATE INDEX `scans_finished_at` ON `scans` (`finished_at`);--> statement-breakpoint
CREATE INDEX `scans_unfinished` ON `scans` (`id`) WHERE "scans"."finished_at" is null;--> statement-breakpoint
CREATE INDEX `sign_in_tries_last` ON `sign_in_tries` (`kind`,`last_at`);--> statement-breakpoint
CREATE INDEX `signal_history_latest` ON `signal_history` (`license_id`,`signal`,`id`);--> statement-breakpoint
CREATE INDEX `signal_history_received` ON `signal_history` (`received_at`);--> statement-breakpoint
CREATE INDEX `site_inventories_received` ON `site_inventories` (`received_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `sites_license_domain` ON `sites` (`license_id`,`domain`);--> statement-breakpoint
CREATE INDEX `subscriptions_license` ON `subscriptions` (`license_id`);--> statement-breakpoint
CREATE INDEX `subscriptions_customer` ON `subscriptions` (`customer_id`);--> statement-breakpoint
CREATE INDEX `threat_reports_last` ON `threat_reports` (`last_reported_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `trials_email` ON `trials` (`email_hash`,`email_slot`);--> statement-breakpoint
CREATE INDEX `trials_begun` ON `trials` (`confirmed_at`);--> statement-breakpoint
CREATE INDEX `trials_reserved` ON `trials` (`reserved_until`) WHERE "trials"."confirmed_at" is null;
CREATE INDEX `licenses_expires` ON `licenses` (`expires_at`) WHERE "licenses"."expires_at" is not null;--> statement-breakpoint
CREATE INDEX `outbox_at` ON `outbox` (`at`);--> statement-breakpoint
CREATE UNIQUE INDEX `targets_operators` ON `targets` (`name`) WHERE "targets"."license_id" is null;--> statement-breakpoint
CREATE UNIQUE INDEX `targets_tenants` ON `targets` (`license_id`,`name`) WHERE "targets"."license_id" is not null;--> statement-breakpoint
--> statement-breakpoint
INSERT INTO `generations` (`id`, `licenses`, `feed`) VALUES (1, 0, 0);
--> statement-breakpoint
CREATE TRIGGER `licenses_insert` AFTER INSERT ON `licenses` BEGIN
	UPDATE `generations` SET `licenses` = `licenses` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `licenses_update` AFTER UPDATE ON `licenses` BEGIN
	UPDATE `generations` SET `licenses` = `licenses` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `licenses_delete` AFTER DELETE ON `licenses` BEGIN
	UPDATE `generations` SET `licenses` = `licenses` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `license_domains_insert` AFTER INSERT ON `license_domains` BEGIN
	UPDATE `generations` SET `licenses` = `licenses` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `license_domains_update` AFTER UPDATE ON `license_domains` BEGIN
	UPDATE `generations` SET `licenses` = `licenses` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `license_domains_delete` AFTER DELETE ON `license_domains` BEGIN
	UPDATE `generations` SET `licenses` = `licenses` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `feed_snapshots_insert` AFTER INSERT ON `feed_snapshots` BEGIN
	UPDATE `generations` SET `feed` = `feed` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `feed_snapshots_update` AFTER UPDATE ON `feed_snapshots` BEGIN
	UPDATE `generations` SET `feed` = `feed` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `feed_snapshots_delete` AFTER DELETE ON `feed_snapshots` BEGIN
	UPDATE `generations` SET `feed` = `feed` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `blocked_domains_insert` AFTER INSERT ON `blocked_domains` BEGIN
	UPDATE `generations` SET `licenses` = `licenses` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `blocked_domains_update` AFTER UPDATE ON `blocked_domains` BEGIN
	UPDATE `generations` SET `licenses` = `licenses` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `blocked_domains_delete` AFTER DELETE ON `blocked_domains` BEGIN
	UPDATE `generations` SET `licenses` = `licenses` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `mirror_insert` AFTER INSERT ON `mirror` BEGIN
	UPDATE `generations` SET `mirror` = `mirror` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `mirror_update` AFTER UPDATE ON `mirror` BEGIN
	UPDATE `generations` SET `mirror` = `mirror` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `exploitation_assertions_insert` AFTER INSERT ON `exploitation_assertions` BEGIN
	UPDATE `generations` SET `mirror` = `mirror` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `exploitation_assertions_update` AFTER UPDATE ON `exploitation_assertions` BEGIN
	UPDATE `generations` SET `mirror` = `mirror` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `exploitation_assertions_delete` AFTER DELETE ON `exploitation_assertions` BEGIN
	UPDATE `generations` SET `mirror` = `mirror` + 1;
END;
