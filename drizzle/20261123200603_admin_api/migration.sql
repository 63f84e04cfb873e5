CREATE TABLE `admin_requests` (
	`token_id` integer NOT NULL,
	`path` text NOT NULL,
	`key_hash` text NOT NULL,
	`body_hash` text NOT NULL,
	`outcome` text NOT NULL,
	`done_at` integer NOT NULL,
	CONSTRAINT `admin_requests_pk` PRIMARY KEY(`token_id`, `path`, `key_hash`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `admin_tokens` (
	`id` integer PRIMARY KEY AUTOINCREMENT,
	`name` text NOT NULL UNIQUE,
	`token_hash` text NOT NULL UNIQUE,
	`token_last4` text NOT NULL,
	`scopes` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer,
	`revoked_at` integer
) STRICT;
--> statement-breakpoint
CREATE TABLE `feed_rulings` (
	`fingerprint` text PRIMARY KEY,
	`ruling` text NOT NULL,
	`ruled_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `admin_requests_done_at` ON `admin_requests` (`done_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `licenses_external_id` ON `licenses` (`external_id`) WHERE "licenses"."external_id" is not null and "licenses"."revoked_at" is null;
