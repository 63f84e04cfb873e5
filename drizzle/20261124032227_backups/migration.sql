CREATE TABLE `backups` (
	`id` integer PRIMARY KEY AUTOINCREMENT,
	`at` integer NOT NULL,
	`path` text NOT NULL UNIQUE,
	`bytes` integer NOT NULL,
	`encrypted` integer NOT NULL,
	`checked_at` integer,
	`problem` text
) STRICT;
