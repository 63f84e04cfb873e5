ALTER TABLE `installation` ADD `evidence_fingerprint` text;
ALTER TABLE `scans` ADD `requests` integer DEFAULT 0 NOT NULL;
CREATE INDEX `scans_unfinished` ON `scans` (`id`) WHERE "scans"."finished_at" is null;
