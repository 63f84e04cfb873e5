CREATE TABLE `audit_log` (
	`id` integer PRIMARY KEY AUTOINCREMENT,
	`at` integer NOT NULL,
	`actor` text NOT NULL,
	`action` text NOT NULL,
	`license_id` integer,
	`detail` text NOT NULL
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
CREATE TABLE `feed_snapshots` (
	`id` integer PRIMARY KEY,
	`epoch` integer NOT NULL,
	`generated_at` integer NOT NULL,
	`entries` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `generations` (
	`id` integer PRIMARY KEY,
	`licenses` integer NOT NULL,
	`feed` integer NOT NULL
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
	`modules_allowed` text NOT NULL,
	`modules_denied` text NOT NULL,
	`holds` text NOT NULL,
	`note` text,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`revoked_at` integer,
	`pending_until` integer
) STRICT;
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
CREATE UNIQUE INDEX `events_resend` ON `events` (`site_id`,`event_id`) WHERE "events"."event_id" is not null;
--> statement-breakpoint
CREATE UNIQUE INDEX `sites_license_domain` ON `sites` (`license_id`,`domain`);
--> statement-breakpoint
CREATE INDEX `threat_reports_last` ON `threat_reports` (`last_reported_at`);
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
