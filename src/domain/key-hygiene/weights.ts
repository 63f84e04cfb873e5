import type {
  AgeBucket,
  KeyKind,
  LastUseBucket,
  RotationPolicy,
  ScopeBreadth,
  StorageClass,
} from './vocabulary.ts';

/**
 * The factors, in the order in which they take their share: what lets an attacker in today comes before what
 * makes a later break-in more likely.
 */
export const KEY_HYGIENE_FACTORS = [
  'public_exposure',
  'takeover_path',
  'weak_storage',
  'broad_scope',
  'weak_rotation',
  'key_age',
  'dormant_keys',
] as const;
export type KeyHygieneFactorId = (typeof KEY_HYGIENE_FACTORS)[number];

interface Weight<Share> {
  /** Share of the remaining safety that one key takes, in percent: integers 0 to 100. */
  readonly sharePercent: Share;
  /** How much more the factor weighs with each doubling of the keys it affects, in percent. */
  readonly doublingPercent: number;
  /** Largest share of the factor, in percent, however many keys: no factor hides all others. */
  readonly maxPercent: number;
  /** Why the factor weighs what it weighs. Shown to the caller. */
  readonly reason: string;
  /** Source of the practice. The numbers are our own, calibrated to the golden cases. */
  readonly source: string;
}

/** How much of each share a key of this kind takes, in percent: a theft's consequence scales every flaw. */
export const KEY_KIND_REACH_PERCENT: Readonly<Record<KeyKind, number>> = {
  webhook_secret: 70,
  api_key: 90,
  oauth_client_secret: 90,
  personal_access_token: 90,
  tls_private_key: 90,
  ssh_key: 100,
  database_credential: 100,
  service_account_key: 100,
  encryption_key: 100,
  signing_key: 100,
  cloud_access_key: 100,
  other: 100,
};

/**
 * How much of its storage share an ephemeral key takes, in percent: what is read there expires within a day.
 * The shares are multiples of four, so that a quarter of each is an integer.
 */
export const EPHEMERAL_STORAGE_PERCENT = 25;

/** From these values on, together, one stolen key gives access to everything until it is noticed. */
export const TAKEOVER_PATH_FROM = {
  scopeBreadth: 'account_wide',
  rotationPolicy: 'never',
  storageClass: 'plaintext_file',
} as const;

export const KEY_HYGIENE_WEIGHTS: {
  readonly public_exposure: Weight<number>;
  readonly takeover_path: Weight<number>;
  readonly weak_storage: Weight<Readonly<Record<StorageClass, number>>>;
  readonly broad_scope: Weight<Readonly<Record<ScopeBreadth, number>>>;
  readonly weak_rotation: Weight<Readonly<Record<RotationPolicy, number>>>;
  readonly key_age: Weight<Readonly<Record<AgeBucket, number>>>;
  readonly dormant_keys: Weight<Readonly<Record<LastUseBucket, number>>>;
} = {
  public_exposure: {
    // High enough for one leaked key to come before a hundred neglected ones; the plan is ordered by gain all
    // the same, so dozens of hard-coded administrator keys can outweigh it.
    sharePercent: 95,
    // The first leaked key is the incident: the number of further ones changes little.
    doublingPercent: 2,
    maxPercent: 95,
    reason:
      'Public places are searched automatically all the time. A valid key found there must be considered stolen, ' +
      'and nothing else about it matters until it is revoked.',
    source:
      'NIST SP 800-57 Part 1 Rev. 5 (compromise of keys); OWASP Secrets Management Cheat Sheet (incident ' +
      'response)',
  },
  takeover_path: {
    sharePercent: 25,
    doublingPercent: 15,
    maxPercent: 70,
    reason:
      'Broad, never rotated and easy to steal: on one key, these are worse than on three ' +
      'keys, because a single theft gives lasting access to everything.',
    source: 'NIST SP 800-53 Rev. 5 AC-6 and IA-5; MITRE ATT&CK T1552 Unsecured Credentials',
  },
  weak_storage: {
    sharePercent: {
      hardware_module: 0,
      secret_manager: 0,
      encrypted_store: 4,
      deployment_variable: 8,
      plaintext_file: 16,
      shared_document: 28,
      source_code: 40,
      unknown: 40,
    },
    doublingPercent: 15,
    maxPercent: 70,
    reason:
      'Anyone who can read the location can read the key. Files, documents and code are copied, backed up and shared ' +
      'far beyond those who require the key, and reading leaves no trace.',
    source:
      'OWASP Secrets Management Cheat Sheet; CWE-798; NIST SP 800-53 Rev. 5 IA-5(7); CIS Controls v8 3.11',
  },
  broad_scope: {
    sharePercent: {
      single_resource: 0,
      single_service: 0,
      multi_service: 7,
      account_wide: 14,
      administrative: 22,
      unknown: 22,
    },
    doublingPercent: 15,
    maxPercent: 70,
    reason: 'Permissions beyond the task of a key benefit only a thief.',
    source: 'NIST SP 800-53 Rev. 5 AC-6 (least privilege); CIS Controls v8 5.4 and 6.8',
  },
  weak_rotation: {
    sharePercent: { ephemeral: 0, automatic: 0, scheduled: 2, on_incident: 10, never: 15, unknown: 15 },
    doublingPercent: 15,
    maxPercent: 70,
    reason:
      'Without planned rotation, an unnoticed theft remains useful forever, and an urgent ' +
      'rotation is untested.',
    source:
      'NIST SP 800-57 Part 1 Rev. 5 section 5.3 (cryptoperiods); OWASP Secrets Management Cheat Sheet ' +
      '(rotation)',
  },
  key_age: {
    sharePercent: { up_to_90d: 0, '91d_to_1y': 3, '1y_to_2y': 7, over_2y: 12, unknown: 12 },
    doublingPercent: 15,
    maxPercent: 70,
    reason:
      'Each day in use is another opportunity to copy a key. Access keys are commonly rotated ' +
      'every 90 days; few kinds of key should last longer than two years.',
    source:
      'CIS AWS Foundations Benchmark (90 days); NIST SP 800-57 Part 1 Rev. 5 section 5.3 (one to two years)',
  },
  dormant_keys: {
    sharePercent: {
      within_7d: 0,
      '8d_to_45d': 0,
      '46d_to_90d': 3,
      '91d_to_1y': 6,
      over_1y: 10,
      never_used: 10,
      unknown: 10,
    },
    doublingPercent: 15,
    maxPercent: 70,
    reason: 'An unused key benefits only a thief, whose use of it would go unnoticed.',
    source: 'CIS Controls v8 5.3 (45 days); NIST SP 800-53 Rev. 5 AC-2(3)',
  },
};
