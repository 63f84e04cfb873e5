CREATE TABLE `feed_trusts` (
	`id` integer PRIMARY KEY AUTOINCREMENT,
	`name` text NOT NULL UNIQUE,
	`key` text NOT NULL,
	`weight` integer NOT NULL,
	`added_at` integer NOT NULL,
	`installation` text,
	`serial` integer,
	`imported_at` integer,
	`expires_at` integer
) STRICT;
CREATE TABLE `imported_threats` (
	`fingerprint` text NOT NULL,
	`trust_id` integer NOT NULL,
	`attack_type` text NOT NULL,
	CONSTRAINT `imported_threats_pk` PRIMARY KEY(`fingerprint`, `trust_id`),
	CONSTRAINT `fk_imported_threats_trust_id_feed_trusts_id_fk` FOREIGN KEY (`trust_id`) REFERENCES `feed_trusts`(`id`)
) STRICT;
ALTER TABLE `feed_snapshots` ADD `own` text;
CREATE INDEX `imported_threats_trust` ON `imported_threats` (`trust_id`);
