ALTER TABLE `payment_events` ADD `attempts` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `payment_events` ADD `due_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
DROP INDEX IF EXISTS `payment_events_waiting`;--> statement-breakpoint
CREATE INDEX `payment_events_waiting_subject` ON `payment_events` (`kind`,`subject_id`) WHERE "payment_events"."processed_at" is null;