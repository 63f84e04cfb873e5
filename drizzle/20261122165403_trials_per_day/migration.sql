ALTER TABLE `trials` ADD `network_hash` text;--> statement-breakpoint
CREATE INDEX `trials_begun` ON `trials` (`confirmed_at`);