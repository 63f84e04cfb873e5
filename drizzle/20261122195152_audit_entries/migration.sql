CREATE TABLE `blocked_domains` (
	`license_id` integer NOT NULL,
	`domain` text NOT NULL,
	`blocked_at` integer NOT NULL,
	CONSTRAINT `blocked_domains_pk` PRIMARY KEY(`license_id`, `domain`),
	CONSTRAINT `fk_blocked_domains_license_id_licenses_id_fk` FOREIGN KEY (`license_id`) REFERENCES `licenses`(`id`)
) STRICT;
--> statement-breakpoint
CREATE TRIGGER `blocked_domains_insert` AFTER INSERT ON `blocked_domains` BEGIN
	UPDATE `generations` SET `licenses` = `licenses` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `blocked_domains_update` AFTER UPDATE ON `blocked_domains` BEGIN
	UPDATE `generations` SET `licenses` = `licenses` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `blocked_domains_delete` AFTER DELETE ON `blocked_domains` BEGIN
	UPDATE `generations` SET `licenses` = `licenses` + 1;
END;
--> statement-breakpoint
ALTER TABLE `audit_log` ADD `subject` text;--> statement-breakpoint
ALTER TABLE `audit_log` ADD `reason` text;--> statement-breakpoint
ALTER TABLE `audit_log` ADD `before` text;--> statement-breakpoint
ALTER TABLE `audit_log` ADD `after` text;--> statement-breakpoint
ALTER TABLE `audit_log` ADD `request_id` text;--> statement-breakpoint
-- Only changes of terms told what was there before; whatever else was noted is what was there afterwards.
UPDATE `audit_log` SET
    `subject` = CASE `action` WHEN 'installation.new-key' THEN 'installation' ELSE 'lic_' || `license_id` END,
    `reason` = `detail` ->> 'reason',
    `before` = `detail` -> 'before',
    `after` = CASE `action` WHEN 'license.change' THEN `detail` -> 'after' ELSE nullif(`detail`, '{}') END;--> statement-breakpoint
CREATE INDEX `audit_log_subject` ON `audit_log` (`subject`);--> statement-breakpoint
CREATE INDEX `audit_log_at` ON `audit_log` (`at`);--> statement-breakpoint
CREATE INDEX `license_domains_domain` ON `license_domains` (`domain`);--> statement-breakpoint
ALTER TABLE `audit_log` DROP COLUMN `license_id`;--> statement-breakpoint
ALTER TABLE `audit_log` DROP COLUMN `detail`;