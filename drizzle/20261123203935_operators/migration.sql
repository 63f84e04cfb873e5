CREATE TABLE `operator_sessions` (
	`token_hash` text PRIMARY KEY,
	`operator_id` integer NOT NULL,
	`started_at` integer NOT NULL,
	`confirmed_at` integer NOT NULL,
	CONSTRAINT `fk_operator_sessions_operator_id_operators_id_fk` FOREIGN KEY (`operator_id`) REFERENCES `operators`(`id`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `operators` (
	`id` integer PRIMARY KEY AUTOINCREMENT,
	`name` text NOT NULL UNIQUE,
	`role` text NOT NULL,
	`password_hash` text,
	`created_at` integer NOT NULL,
	`signed_in_at` integer,
	`disabled_at` integer,
	`link_hash` text UNIQUE,
	`link_expires_at` integer
) STRICT;
--> statement-breakpoint
CREATE INDEX `operator_sessions_operator` ON `operator_sessions` (`operator_id`);
