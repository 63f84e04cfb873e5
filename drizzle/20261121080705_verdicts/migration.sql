CREATE TABLE `verdict_counts` (
	`license_id` integer NOT NULL,
	`day` text NOT NULL,
	`verdict` text NOT NULL,
	`category` text NOT NULL,
	`given` integer NOT NULL,
	CONSTRAINT `verdict_counts_pk` PRIMARY KEY(`license_id`, `day`, `verdict`, `category`),
	CONSTRAINT `fk_verdict_counts_license_id_licenses_id_fk` FOREIGN KEY (`license_id`) REFERENCES `licenses`(`id`)
) STRICT;
