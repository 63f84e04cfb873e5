CREATE TABLE `alerts` (
	`license_id` integer NOT NULL,
	`site_id` integer NOT NULL,
	`subject` text NOT NULL,
	`critical_at` integer,
	`high_at` integer,
	`resolved_at` integer,
	CONSTRAINT `alerts_pk` PRIMARY KEY(`license_id`, `site_id`, `subject`),
	CONSTRAINT `fk_alerts_site_id_sites_id_fk` FOREIGN KEY (`site_id`) REFERENCES `sites`(`id`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `arrivals` (
	`first_event_id` integer PRIMARY KEY,
	`last_event_id` integer NOT NULL,
	`license_id` integer NOT NULL,
	`site_id` integer NOT NULL,
	`received_at` integer NOT NULL,
	`oldest_occurred_at` integer NOT NULL,
	`newest_occurred_at` integer NOT NULL,
	CONSTRAINT `fk_arrivals_site_id_sites_id_fk` FOREIGN KEY (`site_id`) REFERENCES `sites`(`id`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `event_days` (
	`license_id` integer NOT NULL,
	`day` integer NOT NULL,
	`site_id` integer NOT NULL,
	`info` integer NOT NULL,
	`low` integer NOT NULL,
	`medium` integer NOT NULL,
	`high` integer NOT NULL,
	`critical` integer NOT NULL,
	CONSTRAINT `event_days_pk` PRIMARY KEY(`license_id`, `day`, `site_id`),
	CONSTRAINT `fk_event_days_site_id_sites_id_fk` FOREIGN KEY (`site_id`) REFERENCES `sites`(`id`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `site_summaries` (
	`license_id` integer NOT NULL,
	`site_id` integer NOT NULL,
	`public_id` text NOT NULL UNIQUE,
	`info` integer NOT NULL,
	`low` integer NOT NULL,
	`medium` integer NOT NULL,
	`high` integer NOT NULL,
	`critical` integer NOT NULL,
	`last_event_at` integer,
	CONSTRAINT `site_summaries_pk` PRIMARY KEY(`license_id`, `site_id`),
	CONSTRAINT `fk_site_summaries_site_id_sites_id_fk` FOREIGN KEY (`site_id`) REFERENCES `sites`(`id`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `arrivals_license` ON `arrivals` (`license_id`);
--> statement-breakpoint
-- Integer division rounds towards zero; days before 1970 must round down.
INSERT INTO `event_days`
	SELECT `license_id`, (`occurred_at` - 86399999 * (`occurred_at` < 0)) / 86400000 AS `day`, `site_id`,
		sum(`severity` = 'info'),
		sum(`severity` = 'low'),
		sum(`severity` = 'medium'),
		sum(`severity` = 'high'),
		sum(`severity` = 'critical')
	FROM `events` GROUP BY `license_id`, `day`, `site_id`;
--> statement-breakpoint
INSERT INTO `site_summaries`
	SELECT s.`license_id`, s.`id`, lower(hex(randomblob(12))),
		coalesce(sum(`info`), 0),
		coalesce(sum(`low`), 0),
		coalesce(sum(`medium`), 0),
		coalesce(sum(`high`), 0),
		coalesce(sum(`critical`), 0),
		NULL
	FROM `sites` s LEFT JOIN `event_days` d ON d.`site_id` = s.`id` GROUP BY s.`id`;
--> statement-breakpoint
UPDATE `site_summaries` SET `last_event_at` = `newest`
	FROM (SELECT `site_id` AS `of`, max(`occurred_at`) AS `newest` FROM `events` GROUP BY `site_id`)
	WHERE `site_id` = `of`;
--> statement-breakpoint
-- As domain/alerts.ts does it: the last word of a type tells what it says of the rest, its subject.
WITH `newest` AS MATERIALIZED (
	SELECT `license_id`, `site_id`, `type`, `severity`, max(`occurred_at`) AS `at`
	FROM `events` GROUP BY `license_id`, `site_id`, `type`, `severity`
), `split` AS (
	SELECT *, rtrim(`type`, replace(`type`, '_', '')) AS `head` FROM `newest`
), `worded` AS (
	SELECT *, substr(`type`, length(`head`) + 1) AS `word`, rtrim(`head`, '_') AS `rest` FROM `split`
), `told` AS (
	SELECT *,
		`rest` <> '' AND `word` IN ('resolved', 'quarantined', 'removed', 'cleaned', 'cleared', 'fixed', 'patched', 'remediated') AS `resolves`,
		`rest` <> '' AND `word` IN ('blocked', 'prevented', 'denied', 'rejected') AS `handled`,
		`rest` <> '' AND `word` IN ('found', 'detected', 'suspected', 'confirmed') AS `found`
	FROM `worded`
)
INSERT INTO `alerts`
	SELECT `license_id`, `site_id`, CASE WHEN `resolves` OR `found` THEN `rest` ELSE `type` END AS `subject`,
		max(CASE WHEN NOT `resolves` AND `severity` = 'critical' THEN `at` END),
		max(CASE WHEN NOT `resolves` AND `severity` = 'high' THEN `at` END),
		max(CASE WHEN `resolves` THEN `at` END)
	FROM `told` WHERE `resolves` OR (NOT `handled` AND `severity` IN ('high', 'critical'))
	GROUP BY `license_id`, `site_id`, `subject`;
--> statement-breakpoint
-- Consecutive ids of one site, in pieces of a hundred as a request would have brought them.
INSERT INTO `arrivals`
	SELECT min(`id`), max(`id`), `license_id`, `site_id`, max(`received_at`), min(`occurred_at`), max(`occurred_at`)
	FROM (
		SELECT `id`, `license_id`, `site_id`, `received_at`, `occurred_at`,
			`id` - row_number() OVER (PARTITION BY `site_id` ORDER BY `id`) AS `island`
		FROM `events`
	)
	GROUP BY `license_id`, `site_id`, `island`, `id` / 100;
