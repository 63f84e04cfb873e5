CREATE TABLE `installation` (
	`id` integer PRIMARY KEY CHECK (`id` = 1),
	`key_fingerprint` text NOT NULL
) STRICT;
