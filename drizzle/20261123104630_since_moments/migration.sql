ALTER TABLE `site_importances` RENAME COLUMN `exposure_since` TO `open_since`;--> statement-breakpoint
ALTER TABLE `exploitation_assertions` ADD `since` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `site_importances` ADD `open_until` integer;--> statement-breakpoint
UPDATE `exploitation_assertions` SET `since` = `asserted_at`;--> statement-breakpoint
-- Of each component also since when it is switched on, and that it is not gone.
UPDATE `site_inventories` SET `components` = (
    SELECT json_group_array(json_insert(
        `value`, '$[#]', iif(json_extract(`value`, '$[4]') = 'active', json_extract(`value`, '$[5]'), NULL), '$[#]', NULL
    )) FROM json_each(`components`)
);
