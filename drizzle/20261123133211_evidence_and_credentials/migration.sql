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
CREATE TABLE `status_lists` (
	`id` integer PRIMARY KEY AUTOINCREMENT,
	`issuer` text NOT NULL,
	`created_at` integer NOT NULL,
	`taken` integer DEFAULT 0 NOT NULL
) STRICT;
--> statement-breakpoint
ALTER TABLE `site_summaries` ADD `evidence_hash` text;--> statement-breakpoint
ALTER TABLE `site_summaries` ADD `evidence_at` integer;--> statement-breakpoint
CREATE INDEX `assessments_license_domain` ON `assessments` (`license_id`,`domain`);--> statement-breakpoint
CREATE INDEX `assessments_scan` ON `assessments` (`scan_id`);--> statement-breakpoint
CREATE INDEX `assessments_made_at` ON `assessments` (`made_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `credentials_place` ON `credentials` (`list_id`,`list_index`);--> statement-breakpoint
CREATE INDEX `credentials_license` ON `credentials` (`license_id`,`domain`);--> statement-breakpoint
CREATE INDEX `credentials_page` ON `credentials` (`license_id`);--> statement-breakpoint
CREATE INDEX `credentials_kid` ON `credentials` (`kid`,`expires_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `evidence_logs_license_number` ON `evidence_logs` (`license_id`,`number`);--> statement-breakpoint
CREATE INDEX `evidence_logs_kept_at` ON `evidence_logs` (`kept_at`);