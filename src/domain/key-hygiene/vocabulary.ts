/**
 * The closed vocabulary of a key-hygiene snapshot. Where a field has an order, its values stand from best to
 * worst; `unknown` is always the worst, so that not knowing never pays.
 */

/** What a key opens, from the one that does a thief the least good to the one that does the most. */
export const KEY_KINDS = [
  'webhook_secret',
  'api_key',
  'oauth_client_secret',
  'personal_access_token',
  'tls_private_key',
  'ssh_key',
  'database_credential',
  'service_account_key',
  'encryption_key',
  'signing_key',
  'cloud_access_key',
  'other',
] as const;
export type KeyKind = (typeof KEY_KINDS)[number];

/** Time since the key was created or last replaced, whichever is later. */
export const AGE_BUCKETS = ['up_to_90d', '91d_to_1y', '1y_to_2y', 'over_2y', 'unknown'] as const;
export type AgeBucket = (typeof AGE_BUCKETS)[number];

/** How the key comes to be replaced. */
export const ROTATION_POLICIES = [
  'ephemeral',
  'automatic',
  'scheduled',
  'on_incident',
  'never',
  'unknown',
] as const;
export type RotationPolicy = (typeof ROTATION_POLICIES)[number];

/** How much one key opens. */
export const SCOPE_BREADTHS = [
  'single_resource',
  'single_service',
  'multi_service',
  'account_wide',
  'administrative',
  'unknown',
] as const;
export type ScopeBreadth = (typeof SCOPE_BREADTHS)[number];

/** Time since the key was last used. */
export const LAST_USE_BUCKETS = [
  'within_7d',
  '8d_to_45d',
  '46d_to_90d',
  '91d_to_1y',
  'over_1y',
  'never_used',
  'unknown',
] as const;
export type LastUseBucket = (typeof LAST_USE_BUCKETS)[number];

/** Where the key lies; of several places, the worst. */
export const STORAGE_CLASSES = [
  'hardware_module',
  'secret_manager',
  'encrypted_store',
  'deployment_variable',
  'plaintext_file',
  'shared_document',
  'source_code',
  'unknown',
] as const;
export type StorageClass = (typeof STORAGE_CLASSES)[number];

/** One line per value, for the API's documentation. */
export const KEY_HYGIENE_MEANINGS: {
  readonly kind: Readonly<Record<KeyKind, string>>;
  readonly ageBucket: Readonly<Record<AgeBucket, string>>;
  readonly rotationPolicy: Readonly<Record<RotationPolicy, string>>;
  readonly scopeBreadth: Readonly<Record<ScopeBreadth, string>>;
  readonly lastUseBucket: Readonly<Record<LastUseBucket, string>>;
  readonly storageClass: Readonly<Record<StorageClass, string>>;
} = {
  kind: {
    webhook_secret: 'Authenticates callbacks; grants no access.',
    api_key: 'Key of a single API, own or third-party.',
    oauth_client_secret: 'Secret of a registered OAuth or OpenID Connect client.',
    personal_access_token: 'Token with the rights of a person.',
    tls_private_key: 'Private key of a server or client certificate.',
    ssh_key: 'Private key for access to hosts or repositories.',
    database_credential: 'Password or key of a database account.',
    service_account_key: 'Long-lived key of a machine identity.',
    encryption_key: 'Encrypts stored data or backups, or wraps other keys.',
    signing_key: 'Signs tokens, sessions, packages or certificates, including site salts.',
    cloud_access_key: 'Access key of a cloud or hosting account.',
    other: 'Another kind of secret; rated like the most critical kind.',
  },
  ageBucket: {
    up_to_90d: 'Up to 90 days.',
    '91d_to_1y': '91 days to one year.',
    '1y_to_2y': 'More than one year, up to two.',
    over_2y: 'More than two years.',
    unknown: 'Unknown; rated like the oldest.',
  },
  rotationPolicy: {
    ephemeral: 'Issued per session or job; expires automatically within a day.',
    automatic: 'Rotated automatically on a schedule.',
    scheduled: 'Rotated on a schedule by a named person.',
    on_incident: 'Rotated only after an incident or when a person leaves.',
    never: 'No policy, or a policy that is not followed.',
    unknown: 'Unknown; rated like `never`.',
  },
  scopeBreadth: {
    single_resource: 'A single resource, such as a bucket, table or repository.',
    single_service: 'A single service, with the permissions its task requires.',
    multi_service: 'Several services or environments.',
    account_wide: 'Everything in an account, tenant, project or host group, except administration.',
    administrative: 'Administration: can create keys or users, or change permissions.',
    unknown: 'Unknown; rated like `administrative`.',
  },
  lastUseBucket: {
    within_7d: 'Used within the last 7 days.',
    '8d_to_45d': 'Last used 8 to 45 days ago.',
    '46d_to_90d': 'Last used 46 to 90 days ago.',
    '91d_to_1y': 'Last used 91 days to one year ago.',
    over_1y: 'Last used more than a year ago.',
    never_used: 'Issued more than 45 days ago and never used; newer keys count as `8d_to_45d`.',
    unknown: 'Unknown; rated like `never_used`.',
  },
  storageClass: {
    hardware_module: 'HSM, TPM, smart card or cloud KMS; the key cannot be exported.',
    secret_manager: 'Vault or secret manager with access control and an audit trail.',
    encrypted_store: 'Encrypted file, operating system keychain or password manager.',
    deployment_variable: 'Environment variable of a process, container or build pipeline.',
    plaintext_file: 'Readable file on a server or workstation, such as a site configuration.',
    shared_document: 'Wiki, ticket, chat, e-mail or spreadsheet.',
    source_code: 'Hard-coded in a repository, image or shipped package.',
    unknown: 'Unknown; rated like `source_code`.',
  },
};

/** Most keys that one entry may stand for; the least is 1. */
export const KEY_COUNT_MAX = 10_000;

/** Keys that share all attributes. Only secrets belong here: a key that is meant to be public is none. */
export interface KeyEntry {
  readonly kind: KeyKind;
  readonly ageBucket: AgeBucket;
  readonly rotationPolicy: RotationPolicy;
  readonly scopeBreadth: ScopeBreadth;
  readonly lastUseBucket: LastUseBucket;
  readonly storageClass: StorageClass;
  /** Found outside the organisation (public repository, page, package, paste) while still valid. */
  readonly publiclyExposed: boolean;
  /** How many keys the entry stands for: 1 to `KEY_COUNT_MAX`. */
  readonly count: number;
}
