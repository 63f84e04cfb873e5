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
	`findings` text,
	CONSTRAINT `fk_scans_license_id_licenses_id_fk` FOREIGN KEY (`license_id`) REFERENCES `licenses`(`id`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `scan_requests_scan` ON `scan_requests` (`scan_id`);--> statement-breakpoint
CREATE INDEX `scan_requests_requested_at` ON `scan_requests` (`requested_at`);--> statement-breakpoint
CREATE INDEX `scan_schedules_next_at` ON `scan_schedules` (`next_at`);--> statement-breakpoint
CREATE INDEX `scans_license_domain` ON `scans` (`license_id`,`domain`);--> statement-breakpoint
CREATE INDEX `scans_finished_at` ON `scans` (`finished_at`);