import { describe, expect, test } from 'bun:test';
import type { RestoreStepId } from '../../../src/domain/restore/plan.ts';
import { assessRestore } from '../../../src/domain/restore/restore.ts';
import type { RestoreVerdict } from '../../../src/domain/restore/verdict.ts';
import type { FileCounts, RestoreCandidate } from '../../../src/domain/restore/vocabulary.ts';

function files(clean: number, suspicious = 0, infected = 0): FileCounts {
  return { clean, suspicious, infected };
}

/** A site of ordinary size in which a scanner found nothing. */
const CLEAN_SITE = {
  configuration: files(4),
  database: files(1),
  core: files(3200),
  plugin: files(5400),
  theme: files(420),
  upload: files(18_000),
} as const;

/** Last night's verified backup of that site; each case states the differences. */
function backup(differs: Partial<RestoreCandidate> = {}): RestoreCandidate {
  return {
    backupAgeBucket: 'under_24h',
    integrityCheck: 'verified',
    knownInfectedOverlap: 'none',
    fileCounts: CLEAN_SITE,
    ...differs,
  };
}

const RESTORE_FRESH: readonly RestoreStepId[] = [
  'preserve_current_state',
  'restore_in_isolation',
  'replace_credentials',
  'put_into_service',
  'watch',
];

const RESTORE_OLDER: readonly RestoreStepId[] = [
  'preserve_current_state',
  'restore_in_isolation',
  'carry_over_newer_data',
  'replace_credentials',
  'put_into_service',
  'watch',
];

interface Case {
  readonly name: string;
  /** Why a practitioner expects this verdict and this order. The verdict was decided before the weights. */
  readonly why: string;
  readonly candidate: RestoreCandidate;
  readonly verdict: RestoreVerdict;
  readonly score: number;
  readonly plan: readonly RestoreStepId[];
}

const CASES: readonly Case[] = [
  {
    name: 'last night’s backup, restored in a test, nothing found',
    why: 'Everything that can be known speaks for it.',
    candidate: backup({ integrityCheck: 'restore_tested' }),
    verdict: 'safe',
    score: 100,
    plan: RESTORE_FRESH,
  },
  {
    name: 'last night’s backup, verified, nothing found',
    why: 'Only the test restore is missing, which the plan contains anyway.',
    candidate: backup(),
    verdict: 'safe',
    score: 97,
    plan: RESTORE_FRESH,
  },
  {
    name: 'five days old, verified, nothing found',
    why: 'A few days to carry over, no doubt about the content.',
    candidate: backup({ backupAgeBucket: '1d_to_7d' }),
    verdict: 'safe',
    score: 94,
    plan: RESTORE_OLDER,
  },
  {
    name: 'three weeks old, verified, nothing found',
    why: 'Clean, but weeks of content and patches are missing.',
    candidate: backup({ backupAgeBucket: '8d_to_30d' }),
    verdict: 'likely_safe',
    score: 89,
    plan: ['use_newer_backup', 'assess_again', ...RESTORE_OLDER],
  },
  {
    name: 'two months old, verified, nothing found',
    why: 'As before, with more to lose; still no sign of an attacker.',
    candidate: backup({ backupAgeBucket: '31d_to_90d' }),
    verdict: 'likely_safe',
    score: 82,
    plan: ['use_newer_backup', 'assess_again', ...RESTORE_OLDER],
  },
  {
    name: 'half a year old, verified, nothing found',
    why: 'Known holes of half a year are open again: not without updating in isolation.',
    candidate: backup({ backupAgeBucket: 'over_90d' }),
    verdict: 'caution',
    score: 68,
    plan: ['use_newer_backup', 'assess_again', ...RESTORE_OLDER],
  },
  {
    name: 'last night’s backup, nothing found, checksums never run',
    why: 'Running them costs minutes and settles it.',
    candidate: backup({ integrityCheck: 'not_checked' }),
    verdict: 'caution',
    score: 68,
    plan: ['verify_integrity', 'assess_again', ...RESTORE_FRESH],
  },
  {
    name: 'last night’s backup, verified, never compared with the known infected files',
    why: 'A scanner misses what the incident’s own list would find: compare first.',
    candidate: backup({ knownInfectedOverlap: 'not_compared' }),
    verdict: 'caution',
    score: 66,
    plan: ['compare_known_infected', 'assess_again', ...RESTORE_FRESH],
  },
  {
    name: 'two days old, half of the checksums verified',
    why: 'No contrary sign; finish the verification.',
    candidate: backup({ backupAgeBucket: '1d_to_7d', integrityCheck: 'partially_verified' }),
    verdict: 'likely_safe',
    score: 82,
    plan: ['verify_integrity', 'assess_again', ...RESTORE_OLDER],
  },
  {
    name: 'one suspicious plugin file, otherwise in order',
    why: 'Most likely a false alarm, yet never safe before somebody looked.',
    candidate: backup({ fileCounts: { ...CLEAN_SITE, plugin: files(5399, 1) } }),
    verdict: 'likely_safe',
    score: 85,
    plan: ['review_plugin', 'assess_again', ...RESTORE_FRESH],
  },
  {
    name: 'a heuristic flags 80 files of an obfuscated commercial plugin',
    why: 'Probably harmless, but 80 files are a place to hide: compare with the vendor’s originals.',
    candidate: backup({ fileCounts: { ...CLEAN_SITE, plugin: files(5320, 80) } }),
    verdict: 'caution',
    score: 68,
    plan: ['review_plugin', 'assess_again', ...RESTORE_FRESH],
  },
  {
    name: 'one unexplained change of a configuration file',
    why: 'Suspicious where it hurts most: look before anything else, likely harmless.',
    candidate: backup({ fileCounts: { ...CLEAN_SITE, configuration: files(3, 1) } }),
    verdict: 'likely_safe',
    score: 83,
    plan: ['review_configuration', 'assess_again', ...RESTORE_FRESH],
  },
  {
    name: 'five days old with one web shell among 18,000 uploads',
    why: 'One file to delete, but whoever put it there was in: only after cleaning.',
    candidate: backup({
      backupAgeBucket: '1d_to_7d',
      fileCounts: { ...CLEAN_SITE, upload: files(17_999, 0, 1) },
    }),
    verdict: 'caution',
    score: 56,
    plan: ['clean_upload', 'assess_again', ...RESTORE_OLDER],
  },
  {
    name: 'one infected plugin file',
    why: 'The plugin can be had again from its vendor: only after reinstalling it.',
    candidate: backup({ fileCounts: { ...CLEAN_SITE, plugin: files(5399, 0, 1) } }),
    verdict: 'caution',
    score: 53,
    plan: ['clean_plugin', 'assess_again', ...RESTORE_FRESH],
  },
  {
    name: 'twenty infected plugin files',
    why: 'No longer one accident: the attacker worked in the plugin tree. Another backup is the better way.',
    candidate: backup({ fileCounts: { ...CLEAN_SITE, plugin: files(5380, 0, 20) } }),
    verdict: 'unsafe',
    score: 23,
    plan: ['find_another_backup', 'clean_plugin', 'assess_again'],
  },
  {
    name: 'infected configuration file',
    why: 'Executed on each request and holds the credentials: not as it stands.',
    candidate: backup({ fileCounts: { ...CLEAN_SITE, configuration: files(3, 0, 1) } }),
    verdict: 'unsafe',
    score: 31,
    plan: ['find_another_backup', 'clean_configuration', 'assess_again'],
  },
  {
    name: 'infected core file',
    why: 'Whoever can write the core can write everything.',
    candidate: backup({ fileCounts: { ...CLEAN_SITE, core: files(3199, 0, 1) } }),
    verdict: 'unsafe',
    score: 34,
    plan: ['find_another_backup', 'clean_core', 'assess_again'],
  },
  {
    name: 'scripts injected into the database dump',
    why: 'No vendor has the original: an earlier dump, or cleaning by hand.',
    candidate: backup({ fileCounts: { ...CLEAN_SITE, database: files(0, 0, 1) } }),
    verdict: 'unsafe',
    score: 34,
    plan: ['find_another_backup', 'clean_database', 'assess_again'],
  },
  {
    name: 'checksum does not match, scan finds nothing',
    why: 'Damaged or tampered with, and the scan cannot tell which: another copy.',
    candidate: backup({ integrityCheck: 'failed' }),
    verdict: 'unsafe',
    score: 25,
    plan: ['find_another_backup', 'fetch_intact_copy', 'assess_again'],
  },
  {
    name: 'checksum does not match and a core file is infected',
    why: 'Tampering is no longer a guess.',
    candidate: backup({
      integrityCheck: 'failed',
      fileCounts: { ...CLEAN_SITE, core: files(3199, 0, 1) },
    }),
    verdict: 'do_not_restore',
    score: 9,
    plan: ['keep_as_evidence', 'find_another_backup', 'fetch_intact_copy', 'clean_core', 'assess_again'],
  },
  {
    name: 'a handful of the known infected files, two infected plugin files',
    why: 'Taken during the break-in: cleaning is possible, another backup is better.',
    candidate: backup({
      knownInfectedOverlap: 'low',
      fileCounts: { ...CLEAN_SITE, plugin: files(5398, 0, 2) },
    }),
    verdict: 'unsafe',
    score: 31,
    plan: ['find_another_backup', 'clean_plugin', 'remove_known_infected', 'assess_again'],
  },
  {
    name: 'a tenth of the known infected files, although the scan finds nothing',
    why: 'The list of the incident outweighs a scanner that knows nothing of it.',
    candidate: backup({ knownInfectedOverlap: 'moderate' }),
    verdict: 'unsafe',
    score: 37,
    plan: ['find_another_backup', 'remove_known_infected', 'assess_again'],
  },
  {
    name: 'half of the known infected files, although verified and scanned clean',
    why: 'Verified means that the malware is intact: this is the attacker’s state of the site.',
    candidate: backup({ knownInfectedOverlap: 'high' }),
    verdict: 'do_not_restore',
    score: 15,
    plan: ['keep_as_evidence', 'find_another_backup', 'remove_known_infected', 'assess_again'],
  },
  {
    name: 'mass infection in every class',
    why: 'Nothing to save here; the most widespread classes come first.',
    candidate: backup({
      backupAgeBucket: '1d_to_7d',
      knownInfectedOverlap: 'high',
      fileCounts: {
        configuration: files(2, 1, 1),
        database: files(0, 0, 1),
        core: files(2900, 100, 200),
        plugin: files(5000, 200, 200),
        theme: files(400, 10, 10),
        upload: files(17_000, 500, 500),
      },
    }),
    verdict: 'do_not_restore',
    score: 0,
    plan: [
      'keep_as_evidence',
      'find_another_backup',
      'clean_core',
      'clean_plugin',
      'clean_upload',
      'remove_known_infected',
      'clean_theme',
      'clean_configuration',
      'clean_database',
      'assess_again',
    ],
  },
  {
    name: 'tested backup without a content scan',
    why: 'It works, but what it brings back is not known: scan first.',
    candidate: backup({ integrityCheck: 'restore_tested', fileCounts: {} }),
    verdict: 'caution',
    score: 65,
    plan: ['scan_files', 'assess_again', ...RESTORE_FRESH],
  },
  {
    name: 'an archive without any information',
    why: 'No proof against it, none for it: make the checks, or take one that was checked.',
    candidate: {
      backupAgeBucket: 'unknown',
      integrityCheck: 'not_checked',
      knownInfectedOverlap: 'not_compared',
      fileCounts: {},
    },
    verdict: 'unsafe',
    score: 21,
    plan: [
      'find_another_backup',
      'scan_files',
      'compare_known_infected',
      'verify_integrity',
      'use_newer_backup',
      'assess_again',
    ],
  },
];

describe('a practitioner finds the expected score, verdict and plan', () => {
  test.each(CASES)('$name', ({ candidate, verdict, score, plan }) => {
    const assessment = assessRestore(candidate);

    expect(assessment.verdict).toBe(verdict);
    expect(assessment.restoreSafetyScore).toBe(score);
    expect(assessment.restorePlan.map(({ id }) => id)).toEqual([...plan]);
  });
});
