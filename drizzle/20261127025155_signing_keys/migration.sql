CREATE TABLE `signing_keys` (
	`kid` text PRIMARY KEY,
	`purpose` text NOT NULL,
	`public_key` text NOT NULL,
	`created_at` integer NOT NULL,
	`active_from` integer NOT NULL,
	`revoked_at` integer
) STRICT;
