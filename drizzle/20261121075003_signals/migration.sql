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
CREATE INDEX `signal_history_latest` ON `signal_history` (`license_id`,`signal`,`id`);