import { describe, expect, test } from 'bun:test';
import { assessKeyHygiene, type HygieneBand } from '../../../src/domain/key-hygiene/key-hygiene.ts';
import type { KeyHygieneRecommendationId } from '../../../src/domain/key-hygiene/recommendations.ts';
import type { KeyEntry } from '../../../src/domain/key-hygiene/vocabulary.ts';

/** A well-kept API key; each case states the differences. */
function key(differs: Partial<KeyEntry> = {}): KeyEntry {
  return {
    kind: 'api_key',
    ageBucket: 'up_to_90d',
    rotationPolicy: 'automatic',
    scopeBreadth: 'single_service',
    lastUseBucket: 'within_7d',
    storageClass: 'secret_manager',
    publiclyExposed: false,
    count: 1,
    ...differs,
  };
}

interface Fleet {
  readonly name: string;
  /** Why a practitioner expects this band and this order. The band was decided before the weights. */
  readonly why: string;
  readonly keys: readonly KeyEntry[];
  readonly band: HygieneBand;
  readonly score: number;
  readonly plan: readonly KeyHygieneRecommendationId[];
}

const FLEETS: readonly Fleet[] = [
  {
    name: 'no keys at all',
    why: 'What does not exist cannot be stolen.',
    keys: [],
    band: 'low',
    score: 0,
    plan: [],
  },
  {
    name: 'mature platform team: 500 narrow keys from a vault, rotated by machine',
    why: 'Every practice followed: size alone is no flaw.',
    keys: [key({ count: 500 })],
    band: 'low',
    score: 0,
    plan: [],
  },
  {
    name: 'three signing keys in an HSM, replaced each year by the calendar',
    why: 'Within every recommended cryptoperiod; only the hand that must remember is left to improve.',
    keys: [
      key({
        kind: 'signing_key',
        storageClass: 'hardware_module',
        ageBucket: '91d_to_1y',
        rotationPolicy: 'scheduled',
        count: 3,
      }),
    ],
    band: 'low',
    score: 6,
    plan: ['automate_rotation', 'replace_old_keys'],
  },
  {
    name: 'agency: 60 OAuth client secrets in a vault, changed each quarter by hand',
    why: 'Disciplined; automation would be the last step.',
    keys: [key({ kind: 'oauth_client_secret', rotationPolicy: 'scheduled', count: 60 })],
    band: 'low',
    score: 3,
    plan: ['automate_rotation'],
  },
  {
    name: 'workload identity: 4,000 ephemeral cloud keys that exist for one job',
    why: 'Nothing long-lived to steal: a variable is the usual place for what expires with the job.',
    keys: [
      key({
        kind: 'cloud_access_key',
        rotationPolicy: 'ephemeral',
        storageClass: 'deployment_variable',
        scopeBreadth: 'single_resource',
        count: 4000,
      }),
    ],
    band: 'low',
    score: 5,
    plan: ['move_to_secret_manager'],
  },
  {
    name: 'break-glass administrator key in an HSM, rotated by machine, not used for a year',
    why: 'Well kept, but an administrator key is never nothing: narrow it or revoke it.',
    keys: [
      key({
        kind: 'cloud_access_key',
        storageClass: 'hardware_module',
        scopeBreadth: 'administrative',
        lastUseBucket: 'over_1y',
      }),
    ],
    band: 'moderate',
    score: 30,
    plan: ['revoke_dormant_keys', 'narrow_scope'],
  },
  {
    name: 'ten API keys in a vault, under a year old, replaced only when someone leaves',
    why: 'Good place, no plan: just over the line.',
    keys: [key({ ageBucket: '91d_to_1y', rotationPolicy: 'on_incident', count: 10 })],
    band: 'moderate',
    score: 16,
    plan: ['automate_rotation', 'replace_old_keys'],
  },
  {
    name: 'small shop: one database password in the site configuration, never changed in years',
    why: 'The usual WordPress site: not well, not on fire; reach is one database.',
    keys: [
      key({
        kind: 'database_credential',
        storageClass: 'plaintext_file',
        rotationPolicy: 'never',
        ageBucket: 'over_2y',
      }),
    ],
    band: 'moderate',
    score: 37,
    plan: ['move_to_secret_manager', 'automate_rotation', 'replace_old_keys'],
  },
  {
    name: 'the same shop with six payment and mail keys in the same file',
    why: 'One readable file now opens seven doors, none ever changed.',
    keys: [
      key({
        kind: 'database_credential',
        storageClass: 'plaintext_file',
        rotationPolicy: 'never',
        ageBucket: 'over_2y',
      }),
      key({ storageClass: 'plaintext_file', rotationPolicy: 'never', ageBucket: 'over_2y', count: 6 }),
    ],
    band: 'high',
    score: 45,
    plan: ['move_to_secret_manager', 'automate_rotation', 'replace_old_keys'],
  },
  {
    name: 'startup: 15 API keys in environment variables, somewhat broad, one to two years old',
    why: 'The common middle: several habits to improve, none of them an emergency.',
    keys: [
      key({
        storageClass: 'deployment_variable',
        scopeBreadth: 'multi_service',
        rotationPolicy: 'on_incident',
        ageBucket: '1y_to_2y',
        count: 15,
      }),
    ],
    band: 'moderate',
    score: 36,
    plan: ['automate_rotation', 'move_to_secret_manager', 'narrow_scope', 'replace_old_keys'],
  },
  {
    name: 'build pipeline: 25 account-wide service account keys in variables, replaced by the calendar',
    why: 'Breadth is the flaw: any build step holds the whole account.',
    keys: [
      key({
        kind: 'service_account_key',
        storageClass: 'deployment_variable',
        scopeBreadth: 'account_wide',
        rotationPolicy: 'scheduled',
        ageBucket: '91d_to_1y',
        count: 25,
      }),
    ],
    band: 'moderate',
    score: 38,
    plan: ['narrow_scope', 'move_to_secret_manager', 'automate_rotation', 'replace_old_keys'],
  },
  {
    name: 'well-run company with a few exceptions: 300 good keys and four forgotten, never rotated ones in variables',
    why: 'The 300 good ones do not make the four better; moving the four replaces them as well.',
    keys: [
      key({ count: 300 }),
      key({ storageClass: 'deployment_variable', rotationPolicy: 'never', ageBucket: 'over_2y', count: 4 }),
    ],
    band: 'moderate',
    score: 36,
    plan: ['automate_rotation', 'move_to_secret_manager', 'replace_old_keys'],
  },
  {
    name: '800 certificate keys in a vault, over two years old, never replaced',
    why: 'No single key is bad; a whole fleet past its cryptoperiod is.',
    keys: [key({ kind: 'tls_private_key', rotationPolicy: 'never', ageBucket: 'over_2y', count: 800 })],
    band: 'high',
    score: 49,
    plan: ['automate_rotation', 'replace_old_keys'],
  },
  {
    name: '40 personal tokens of people who left, unused for over a year',
    why: 'Nobody needs them, nobody would notice their use: revoking solves all of it at once.',
    keys: [
      key({
        kind: 'personal_access_token',
        storageClass: 'encrypted_store',
        scopeBreadth: 'multi_service',
        rotationPolicy: 'never',
        ageBucket: 'over_2y',
        lastUseBucket: 'over_1y',
        count: 40,
      }),
    ],
    band: 'high',
    score: 56,
    plan: [
      'revoke_dormant_keys',
      'automate_rotation',
      'move_to_secret_manager',
      'replace_old_keys',
      'narrow_scope',
    ],
  },
  {
    name: 'three API keys hard-coded in a shipped app, not yet found',
    why: 'Whoever unpacks the app has them: high before any leak is known.',
    keys: [key({ storageClass: 'source_code', rotationPolicy: 'on_incident', count: 3 })],
    band: 'high',
    score: 47,
    plan: ['move_to_secret_manager', 'automate_rotation'],
  },
  {
    name: 'five personal tokens shared in a wiki',
    why: 'Everybody who can read the wiki is somebody else; breadth makes it worse.',
    keys: [
      key({
        kind: 'personal_access_token',
        storageClass: 'shared_document',
        scopeBreadth: 'multi_service',
        rotationPolicy: 'on_incident',
        ageBucket: '91d_to_1y',
        count: 5,
      }),
    ],
    band: 'high',
    score: 47,
    plan: ['move_to_secret_manager', 'automate_rotation', 'narrow_scope', 'replace_old_keys'],
  },
  {
    name: 'cloud administrator key in a vault, never rotated in years',
    why: 'The right place does not make up for unlimited power without an end.',
    keys: [
      key({
        kind: 'cloud_access_key',
        scopeBreadth: 'administrative',
        rotationPolicy: 'never',
        ageBucket: 'over_2y',
      }),
    ],
    band: 'high',
    score: 42,
    plan: ['automate_rotation', 'narrow_scope', 'replace_old_keys'],
  },
  {
    name: 'twelve SSH keys without passphrase on laptops, log in everywhere, as old as the company',
    why: 'One stolen laptop is every server, for as long as nobody notices.',
    keys: [
      key({
        kind: 'ssh_key',
        storageClass: 'plaintext_file',
        scopeBreadth: 'account_wide',
        rotationPolicy: 'never',
        ageBucket: 'over_2y',
        count: 12,
      }),
    ],
    band: 'critical',
    score: 75,
    plan: [
      'break_takeover_paths',
      'move_to_secret_manager',
      'automate_rotation',
      'narrow_scope',
      'replace_old_keys',
    ],
  },
  {
    name: 'ten keys without any information',
    why: 'Nothing rules out the worst case; finding where they lie comes first, revoking blindly does not.',
    keys: [
      key({
        kind: 'other',
        storageClass: 'unknown',
        scopeBreadth: 'unknown',
        rotationPolicy: 'unknown',
        ageBucket: 'unknown',
        lastUseBucket: 'unknown',
        count: 10,
      }),
    ],
    band: 'critical',
    score: 90,
    plan: [
      'move_to_secret_manager',
      'break_takeover_paths',
      'automate_rotation',
      'narrow_scope',
      'replace_old_keys',
      'revoke_dormant_keys',
    ],
  },
  {
    name: 'one leaked webhook secret, otherwise well kept',
    why: 'Callbacks can be forged, but it logs in nowhere: urgent, short of critical.',
    keys: [key({ kind: 'webhook_secret', publiclyExposed: true })],
    band: 'high',
    score: 67,
    plan: ['revoke_exposed_keys'],
  },
  {
    name: 'one leaked API key, otherwise well kept',
    why: 'A live key in public dominates, whatever else is in order.',
    keys: [key({ publiclyExposed: true })],
    band: 'critical',
    score: 86,
    plan: ['revoke_exposed_keys'],
  },
  {
    name: 'one leaked API key among 2,000 good ones',
    why: 'Just as critical as alone: nobody breaks in through the good ones.',
    keys: [key({ count: 2000 }), key({ publiclyExposed: true })],
    band: 'critical',
    score: 86,
    plan: ['revoke_exposed_keys'],
  },
  {
    name: 'fresh cloud key pushed to a public repository an hour ago',
    why: 'Age and rotation are perfect and irrelevant; the repository is the second problem.',
    keys: [key({ kind: 'cloud_access_key', storageClass: 'source_code', publiclyExposed: true })],
    band: 'critical',
    score: 97,
    plan: ['revoke_exposed_keys', 'move_to_secret_manager'],
  },
  {
    name: 'cloud administrator key, hard-coded, never rotated, leaked',
    why: 'The worst single key there is: next to nothing is left to lose.',
    keys: [
      key({
        kind: 'cloud_access_key',
        storageClass: 'source_code',
        scopeBreadth: 'administrative',
        rotationPolicy: 'never',
        ageBucket: 'over_2y',
        publiclyExposed: true,
      }),
    ],
    band: 'critical',
    score: 99,
    plan: [
      'revoke_exposed_keys',
      'break_takeover_paths',
      'move_to_secret_manager',
      'automate_rotation',
      'narrow_scope',
      'replace_old_keys',
    ],
  },
];

describe('a practitioner finds the expected score, band and plan', () => {
  test.each(FLEETS)('$name', ({ keys, band, score, plan }) => {
    const assessment = assessKeyHygiene(keys);

    expect(assessment.band).toBe(band);
    expect(assessment.hygieneRiskScore).toBe(score);
    expect(assessment.recommendations.map(({ id }) => id)).toEqual([...plan]);
  });
});
