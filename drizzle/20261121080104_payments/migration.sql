CREATE TABLE `disputes` (
	`id` text PRIMARY KEY,
	`customer_id` text,
	`status` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `payment_events` (
	`id` text PRIMARY KEY,
	`type` text NOT NULL,
	`kind` text NOT NULL,
	`subject_id` text NOT NULL,
	`received_at` integer NOT NULL,
	`processed_at` integer
) STRICT;
--> statement-breakpoint
CREATE TABLE `reconciliations` (
	`id` integer PRIMARY KEY,
	`through` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `subscriptions` (
	`id` text PRIMARY KEY,
	`license_id` integer NOT NULL,
	`customer_id` text NOT NULL,
	`status` text NOT NULL,
	`created_at` integer NOT NULL,
	`modules` text NOT NULL,
	`past_due_since` integer,
	`checkout_id` text UNIQUE,
	`key_shown_at` integer,
	CONSTRAINT `fk_subscriptions_license_id_licenses_id_fk` FOREIGN KEY (`license_id`) REFERENCES `licenses`(`id`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `trials` (
	`id` text PRIMARY KEY,
	`license_id` integer NOT NULL UNIQUE,
	`domain` text NOT NULL UNIQUE,
	`install_hash` text NOT NULL UNIQUE,
	`email_hash` text NOT NULL,
	`email_slot` integer NOT NULL,
	`reserved_until` integer NOT NULL,
	`customer_id` text,
	`card_setup_id` text UNIQUE,
	`confirmed_at` integer,
	CONSTRAINT `fk_trials_license_id_licenses_id_fk` FOREIGN KEY (`license_id`) REFERENCES `licenses`(`id`)
) STRICT;
--> statement-breakpoint
ALTER TABLE `licenses` ADD `payment_hold_from` integer;--> statement-breakpoint
CREATE INDEX `disputes_customer` ON `disputes` (`customer_id`);--> statement-breakpoint
CREATE INDEX `payment_events_waiting` ON `payment_events` (`received_at`) WHERE "payment_events"."processed_at" is null;--> statement-breakpoint
CREATE INDEX `subscriptions_license` ON `subscriptions` (`license_id`);--> statement-breakpoint
CREATE INDEX `subscriptions_customer` ON `subscriptions` (`customer_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `trials_email` ON `trials` (`email_hash`,`email_slot`);--> statement-breakpoint
CREATE INDEX `trials_reserved` ON `trials` (`reserved_until`) WHERE "trials"."confirmed_at" is null;