ALTER TABLE `licenses` ADD `customer` text;--> statement-breakpoint
ALTER TABLE `licenses` ADD `email` text;--> statement-breakpoint
ALTER TABLE `licenses` ADD `external_id` text;