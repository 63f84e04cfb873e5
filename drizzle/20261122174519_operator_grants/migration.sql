ALTER TABLE `licenses` ADD `subscription_id` text;--> statement-breakpoint
ALTER TABLE `licenses` ADD `operator_terms` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `licenses` ADD `granted` text;--> statement-breakpoint
ALTER TABLE `licenses` ADD `payment_holds` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
UPDATE `licenses` SET `subscription_id` =
  (SELECT s.`id` FROM `subscriptions` s WHERE s.`license_id` = `licenses`.`id` ORDER BY s.`created_at` DESC, s.`id` DESC LIMIT 1)
  WHERE `id` IN (SELECT `license_id` FROM `subscriptions`);--> statement-breakpoint
-- What the operator issued or extended, and nobody has paid for, is still as he granted it.
UPDATE `licenses` SET `operator_terms` = 1
  WHERE `subscription_id` IS NULL AND `id` IN
    (SELECT `license_id` FROM `audit_log` WHERE `actor` = 'cli' AND `action` IN ('license.issue', 'license.extend'));--> statement-breakpoint
-- Of what was paid for since, the audit log knows the end if it was extended, and the plan if it was issued by the operator.
UPDATE `licenses` SET `granted` = json_object('kind', 'paid', 'plan', coalesce(issued.plan, `licenses`.`plan`),
    'sitesOverride', `sites_override`, 'modulesAllowed',
    json((SELECT json_group_array(own.value) FROM json_each(`modules_allowed`) own WHERE own.value NOT IN
      (SELECT bought.value FROM `subscriptions` s, json_each(s.`modules`) bought WHERE s.`license_id` = `licenses`.`id`))),
    'expiresAt', CAST(round(unixepoch(extended.until, 'subsec') * 1000) AS INTEGER))
  FROM (SELECT `license_id`, max(`id`), `detail` ->> 'expires_at' AS until FROM `audit_log`
      WHERE `actor` = 'cli' AND `action` = 'license.extend' GROUP BY `license_id`) AS extended
    LEFT JOIN (SELECT `license_id`, `detail` ->> 'plan' AS plan FROM `audit_log`
      WHERE `actor` = 'cli' AND `action` = 'license.issue') AS issued ON issued.`license_id` = extended.`license_id`
  WHERE `licenses`.`id` = extended.`license_id` AND `subscription_id` IS NOT NULL;--> statement-breakpoint
-- Holds of a license that is paid for were set by what the processor told, all but the operator's.
UPDATE `licenses` SET
    `payment_holds` = (SELECT json_group_array(value) FROM json_each(`holds`) WHERE value <> 'operator'),
    `holds` = (SELECT json_group_array(value) FROM json_each(`holds`) WHERE value = 'operator')
  WHERE `subscription_id` IS NOT NULL;--> statement-breakpoint
ALTER TABLE `subscriptions` DROP COLUMN `modules`;
