CREATE TABLE `exploitation_assertions` (
	`name` text PRIMARY KEY,
	`exploitation` text NOT NULL,
	`reason` text NOT NULL,
	`asserted_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `mirror` (
	`id` integer PRIMARY KEY CHECK (`id` = 1),
	`current` text,
	`kept` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `site_importances` (
	`license_id` integer NOT NULL,
	`site_id` integer NOT NULL,
	`importance` text NOT NULL,
	`exposure` text,
	`exposure_since` integer,
	`updated_at` integer NOT NULL,
	CONSTRAINT `site_importances_pk` PRIMARY KEY(`license_id`, `site_id`),
	CONSTRAINT `fk_site_importances_site_id_sites_id_fk` FOREIGN KEY (`site_id`) REFERENCES `sites`(`id`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `site_inventories` (
	`license_id` integer NOT NULL,
	`site_id` integer NOT NULL,
	`components` text NOT NULL,
	`received_at` integer NOT NULL,
	CONSTRAINT `site_inventories_pk` PRIMARY KEY(`license_id`, `site_id`),
	CONSTRAINT `fk_site_inventories_site_id_sites_id_fk` FOREIGN KEY (`site_id`) REFERENCES `sites`(`id`)
) STRICT;
--> statement-breakpoint
ALTER TABLE `generations` ADD `mirror` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `site_inventories_received` ON `site_inventories` (`received_at`);
--> statement-breakpoint
CREATE TRIGGER `mirror_insert` AFTER INSERT ON `mirror` BEGIN
	UPDATE `generations` SET `mirror` = `mirror` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `mirror_update` AFTER UPDATE ON `mirror` BEGIN
	UPDATE `generations` SET `mirror` = `mirror` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `exploitation_assertions_insert` AFTER INSERT ON `exploitation_assertions` BEGIN
	UPDATE `generations` SET `mirror` = `mirror` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `exploitation_assertions_update` AFTER UPDATE ON `exploitation_assertions` BEGIN
	UPDATE `generations` SET `mirror` = `mirror` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `exploitation_assertions_delete` AFTER DELETE ON `exploitation_assertions` BEGIN
	UPDATE `generations` SET `mirror` = `mirror` + 1;
END;
