CREATE INDEX `arrivals_received` ON `arrivals` (`received_at`);--> statement-breakpoint
CREATE INDEX `signal_history_received` ON `signal_history` (`received_at`);