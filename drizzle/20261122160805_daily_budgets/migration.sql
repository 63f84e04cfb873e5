CREATE TABLE `daily_volumes` (
	`day` text NOT NULL,
	`license_id` integer NOT NULL,
	`events` integer NOT NULL,
	`bytes` integer NOT NULL,
	CONSTRAINT `daily_volumes_pk` PRIMARY KEY(`day`, `license_id`),
	CONSTRAINT `fk_daily_volumes_license_id_licenses_id_fk` FOREIGN KEY (`license_id`) REFERENCES `licenses`(`id`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `licenses` ADD `daily_events_override` integer;--> statement-breakpoint
ALTER TABLE `licenses` ADD `daily_bytes_override` integer;