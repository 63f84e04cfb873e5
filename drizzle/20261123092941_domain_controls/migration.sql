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
CREATE INDEX `domain_controls_next_check_at` ON `domain_controls` (`next_check_at`);
--> statement-breakpoint
-- Until now, what the operator had bound counted as his word for it.
INSERT INTO `domain_controls` (`license_id`, `domain`, `method`, `verified_at`, `checked_at`)
SELECT `license_id`, `domain`, 'operator', `bound_at`, `bound_at` FROM `license_domains` WHERE `bound_by` = 'operator';
