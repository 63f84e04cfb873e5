CREATE TABLE `portal_sessions` (
	`token_hash` text PRIMARY KEY,
	`license_id` integer NOT NULL,
	`key_hash` text NOT NULL,
	`started_at` integer NOT NULL,
	CONSTRAINT `fk_portal_sessions_license_id_licenses_id_fk` FOREIGN KEY (`license_id`) REFERENCES `licenses`(`id`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `portal_sessions_license` ON `portal_sessions` (`license_id`);