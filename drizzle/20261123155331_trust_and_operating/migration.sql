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
CREATE TABLE `previous_keys` (
	`license_id` integer PRIMARY KEY,
	`key_hash` text NOT NULL UNIQUE,
	`key_prefix` text NOT NULL,
	`key_last4` text NOT NULL,
	`works_until` integer NOT NULL,
	CONSTRAINT `fk_previous_keys_license_id_licenses_id_fk` FOREIGN KEY (`license_id`) REFERENCES `licenses`(`id`)
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
