CREATE TABLE `operator_recovery_codes` (
	`operator_id` integer NOT NULL,
	`code_hash` text NOT NULL,
	CONSTRAINT `operator_recovery_codes_pk` PRIMARY KEY(`operator_id`, `code_hash`),
	CONSTRAINT `fk_operator_recovery_codes_operator_id_operators_id_fk` FOREIGN KEY (`operator_id`) REFERENCES `operators`(`id`)
) STRICT;
--> statement-breakpoint
ALTER TABLE `alerts` ADD `acknowledged_at` integer;--> statement-breakpoint
ALTER TABLE `alerts` ADD `acknowledged_by` text;--> statement-breakpoint
ALTER TABLE `alerts` ADD `acknowledged_note` text;--> statement-breakpoint
ALTER TABLE `operator_sessions` ADD `awaits_code` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `operators` ADD `totp_secret` text;--> statement-breakpoint
ALTER TABLE `operators` ADD `totp_confirmed_at` integer;--> statement-breakpoint
ALTER TABLE `operators` ADD `totp_last_step` integer;--> statement-breakpoint
CREATE INDEX `alerts_critical_at` ON `alerts` (`critical_at`);--> statement-breakpoint
CREATE INDEX `alerts_high_at` ON `alerts` (`high_at`);--> statement-breakpoint
CREATE INDEX `audit_log_ranges` ON `audit_log` (`subject`) WHERE "audit_log"."subject" glob 'lic_*..lic_*';--> statement-breakpoint
CREATE INDEX `audit_log_dismissals` ON `audit_log` (`at`) WHERE "audit_log"."action" = 'payment.dismiss';--> statement-breakpoint
CREATE INDEX `licenses_revoked` ON `licenses` (`id`) WHERE "licenses"."revoked_at" is not null;--> statement-breakpoint
CREATE INDEX `licenses_held` ON `licenses` (`id`) WHERE "licenses"."payment_hold_from" is not null or "licenses"."payment_holds" <> '[]' or instr("licenses"."holds", '"dispute"') > 0;