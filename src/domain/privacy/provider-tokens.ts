import { isDigit, isLetterOrDigit } from './characters.ts';

/** A token format that begins with letters of its own. */
export interface TokenFormat {
  readonly id: string;
  readonly matches: string;
  readonly source: string;
  /** The literal beginnings. One of fewer than four characters must begin a word. */
  readonly prefixes: readonly string[];
  /** What follows, as the source of a regular expression; every quantifier has a bound. */
  readonly rest: string;
}

const GITLEAKS = 'gitleaks config/gitleaks.toml';
const TRUFFLEHOG = 'trufflehog pkg/detectors';
const DETECT_SECRETS = 'detect-secrets plugins';

const format = (
  name: string,
  matches: string,
  source: string,
  prefixes: readonly string[],
  rest: string,
): TokenFormat => ({ id: `value.token.${name}`, matches, source, prefixes, rest });

/**
 * Formats of secrets that providers issue. Lengths are minima: a longer token is one too, and a shorter one of a long prefix is
 * most likely a mangled one. Facts from the named rule or detector, in our own form.
 */
export const TOKEN_FORMATS: readonly TokenFormat[] = [
  format('redoubt', 'our own license keys', 'license-key.ts', ['rdt_live_', 'rdt_test_'], '[0-9A-Za-z]{8}'),
  // Longer than ids of 26 characters, such as TypeIDs, behind a word that ends so.
  format('redoubt-admin', 'tokens of our own admin API', 'admin-token.ts', ['rdo_'], '[0-9A-Za-z]{30}'),
  format(
    'aws',
    'AWS access key ids',
    `${GITLEAKS}: aws-access-token`,
    ['AKIA', 'ASIA', 'ABIA', 'ACCA', 'A3T'],
    '[A-Z0-9]{16}',
  ),
  format(
    'aws-bedrock',
    'Amazon Bedrock API keys',
    `${GITLEAKS}: aws-amazon-bedrock-api-key-long-lived`,
    ['ABSK'],
    '[A-Za-z0-9+/]{60}',
  ),
  format(
    'github',
    'GitHub tokens',
    `${GITLEAKS}: github-pat, -oauth, -app-token, -refresh-token`,
    ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'],
    '[0-9A-Za-z_]{30}',
  ),
  format(
    'github-fine-grained',
    'GitHub fine-grained tokens',
    `${GITLEAKS}: github-fine-grained-pat`,
    ['github_pat_'],
    '[0-9A-Za-z_]{22}',
  ),
  format(
    'gitlab',
    'GitLab tokens',
    `${GITLEAKS}: gitlab-*; ${DETECT_SECRETS}/gitlab_token.py`,
    [
      'glpat-',
      'gldt-',
      'glft-',
      'glffct-',
      'glimt-',
      'glagent-',
      'gloas-',
      'glptt-',
      'glrt-',
      'glsoat-',
      'glcbt-',
      'GR1348941',
    ],
    '[0-9A-Za-z_-]{20}',
  ),
  format(
    'slack',
    'Slack tokens',
    `${GITLEAKS}: slack-*-token`,
    ['xoxb-', 'xoxa-', 'xoxp-', 'xoxr-', 'xoxs-', 'xoxo-', 'xoxe-', 'xoxe.', 'xapp-'],
    '[0-9A-Za-z.-]{10}',
  ),
  format(
    'slack-webhook',
    'Slack webhook addresses',
    `${GITLEAKS}: slack-webhook-url`,
    ['hooks.slack.com/'],
    '(?:services|workflows|triggers)/[A-Za-z0-9]',
  ),
  format(
    'stripe',
    'Stripe secret and restricted keys',
    `${GITLEAKS}: stripe-access-token`,
    ['sk_live_', 'sk_test_', 'sk_prod_', 'rk_live_', 'rk_test_', 'rk_prod_'],
    '[0-9A-Za-z]{10}',
  ),
  format(
    'stripe-webhook',
    'Stripe webhook signing secrets',
    'Stripe documentation: webhook signatures',
    ['whsec_'],
    '[0-9A-Za-z+/]{20}',
  ),
  format('google', 'Google API keys', `${GITLEAKS}: gcp-api-key`, ['AIza'], '[0-9A-Za-z_-]{35}'),
  format(
    'google-oauth',
    'Google OAuth tokens and client secrets',
    `${TRUFFLEHOG}/googleoauth2; GitHub secret scanning: google_oauth_client_secret`,
    ['ya29.', 'GOCSPX-'],
    '[0-9A-Za-z_-]{20}',
  ),
  format('npm', 'npm tokens', `${GITLEAKS}: npm-access-token`, ['npm_'], '[0-9A-Za-z]{30}'),
  format('pypi', 'PyPI upload tokens', `${GITLEAKS}: pypi-upload-token`, ['pypi-AgE'], '[0-9A-Za-z_-]{20}'),
  format('rubygems', 'RubyGems tokens', `${GITLEAKS}: rubygems-api-token`, ['rubygems_'], '[0-9a-f]{30}'),
  format('clojars', 'Clojars tokens', `${GITLEAKS}: clojars-api-token`, ['CLOJARS_'], '[0-9A-Za-z]{30}'),
  format(
    'docker',
    'Docker Hub tokens',
    `${TRUFFLEHOG}/dockerhub/v2`,
    ['dckr_pat_', 'dckr_oat_'],
    '[0-9A-Za-z_-]{20}',
  ),
  format(
    'sendgrid',
    'SendGrid keys',
    `${DETECT_SECRETS}/sendgrid.py`,
    ['SG.'],
    '[0-9A-Za-z_-]{16,22}\\.[0-9A-Za-z_-]{20}',
  ),
  format(
    'sendinblue',
    'Brevo (Sendinblue) keys',
    `${GITLEAKS}: sendinblue-api-token`,
    ['xkeysib-'],
    '[0-9a-f]{30}',
  ),
  format('mailgun', 'Mailgun keys', `${TRUFFLEHOG}/mailgun`, ['key-'], '[0-9a-z]{32}(?![0-9A-Za-z])'),
  format(
    'twilio',
    'Twilio account ids and keys',
    `${DETECT_SECRETS}/twilio.py; ${GITLEAKS}: twilio-api-key`,
    ['AC', 'SK'],
    '[0-9a-f]{32}(?![0-9A-Za-z])',
  ),
  format(
    'openai',
    'OpenAI keys',
    `${GITLEAKS}: openai-api-key; ${TRUFFLEHOG}/openai`,
    ['sk-proj-', 'sk-svcacct-', 'sk-service-', 'sk-admin-'],
    '[0-9A-Za-z_-]{20}',
  ),
  format(
    'openai-legacy',
    'OpenAI keys of the first form, and those that copy it',
    `${GITLEAKS}: openai-api-key; ${TRUFFLEHOG}/deepseek`,
    ['sk-'],
    '[0-9A-Za-z]{32}',
  ),
  format('openrouter', 'OpenRouter keys', `${TRUFFLEHOG}/openrouter`, ['sk-or-v1-'], '[0-9a-f]{30}'),
  format(
    'anthropic',
    'Anthropic keys',
    `${GITLEAKS}: anthropic-api-key, anthropic-admin-api-key`,
    ['sk-ant-'],
    '[0-9A-Za-z_-]{20}',
  ),
  format('xai', 'xAI keys', `${TRUFFLEHOG}/xai`, ['xai-'], '[0-9A-Za-z_]{60}'),
  format('groq', 'Groq keys', `${TRUFFLEHOG}/groq`, ['gsk_'], '[0-9A-Za-z]{40}'),
  format('perplexity', 'Perplexity keys', `${GITLEAKS}: perplexity-api-key`, ['pplx-'], '[0-9A-Za-z]{40}'),
  format(
    'huggingface',
    'Hugging Face tokens',
    `${GITLEAKS}: huggingface-access-token`,
    ['hf_', 'api_org_'],
    '[A-Za-z0-9]{30}',
  ),
  format('replicate', 'Replicate tokens', `${TRUFFLEHOG}/replicate`, ['r8_'], '[0-9A-Za-z_-]{37}'),
  format('nvidia', 'NVIDIA API keys', `${TRUFFLEHOG}/nvapi`, ['nvapi-'], '[0-9A-Za-z_-]{40}'),
  format(
    'digitalocean',
    'DigitalOcean tokens',
    `${GITLEAKS}: digitalocean-*`,
    ['dop_v1_', 'doo_v1_', 'dor_v1_'],
    '[0-9a-f]{40}',
  ),
  format('heroku', 'Heroku keys', `${GITLEAKS}: heroku-api-key-v2`, ['HRKU-AA'], '[0-9A-Za-z_-]{40}'),
  format(
    'shopify',
    'Shopify tokens and secrets',
    `${GITLEAKS}: shopify-*`,
    ['shpat_', 'shpca_', 'shppa_', 'shpss_'],
    '[0-9A-Fa-f]{32}',
  ),
  format(
    'square',
    'Square tokens and secrets',
    `${GITLEAKS}: square-access-token; ${DETECT_SECRETS}/square_oauth.py`,
    ['sq0atp-', 'sq0csp-', 'sq0idp-'],
    '[0-9A-Za-z_-]{22}',
  ),
  format(
    'square-production',
    'Square access tokens',
    `${GITLEAKS}: square-access-token`,
    ['EAAA'],
    '[0-9A-Za-z_-]{60}(?![0-9A-Za-z_-])',
  ),
  format(
    'facebook',
    'Facebook page tokens',
    `${GITLEAKS}: facebook-page-access-token`,
    ['EAAM', 'EAAC'],
    '[0-9A-Za-z]{100}',
  ),
  format('razorpay', 'Razorpay keys', `${TRUFFLEHOG}/razorpay`, ['rzp_live_'], '[0-9A-Za-z]{14}'),
  format(
    'flutterwave',
    'Flutterwave keys',
    `${GITLEAKS}: flutterwave-*`,
    ['FLWSECK-', 'FLWSECK_TEST-', 'FLWPUBK_TEST-'],
    '[0-9A-Za-z]{12}',
  ),
  format('databricks', 'Databricks tokens', `${GITLEAKS}: databricks-api-token`, ['dapi'], '[0-9a-f]{32}'),
  format(
    'doppler',
    'Doppler tokens',
    `${GITLEAKS}: doppler-api-token`,
    ['dp.pt.', 'dp.st.'],
    '[0-9A-Za-z]{30}',
  ),
  format(
    'dynatrace',
    'Dynatrace tokens',
    `${GITLEAKS}: dynatrace-api-token`,
    ['dt0c01.'],
    '[0-9A-Za-z]{24}\\.[0-9A-Za-z]{40}',
  ),
  format(
    'newrelic',
    'New Relic keys',
    `${TRUFFLEHOG}/newrelicpersonalapikey`,
    ['NRAK-', 'NRII-', 'NRIQ-'],
    '[0-9A-Za-z_-]{25}',
  ),
  format('grafana', 'Grafana tokens', `${GITLEAKS}: grafana-*`, ['glsa_', 'glc_'], '[0-9A-Za-z+/]{32}'),
  format('sentry', 'Sentry tokens', `${GITLEAKS}: sentry-*`, ['sntryu_', 'sntrys_'], '[0-9A-Za-z+/=_]{40}'),
  format(
    'vault',
    'HashiCorp Vault tokens',
    `${GITLEAKS}: vault-*`,
    ['hvs.', 'hvb.', 'hvr.'],
    '[0-9A-Za-z_-]{40}',
  ),
  format('pulumi', 'Pulumi tokens', `${GITLEAKS}: pulumi-api-token`, ['pul-'], '[0-9a-f]{40}'),
  format(
    'planetscale',
    'PlanetScale tokens',
    `${GITLEAKS}: planetscale-*`,
    ['pscale_tkn_', 'pscale_pw_', 'pscale_oauth_'],
    '[0-9A-Za-z_=.-]{32}',
  ),
  format('supabase', 'Supabase tokens', `${TRUFFLEHOG}/supabasetoken`, ['sbp_'], '[0-9a-z]{40}'),
  format('netlify', 'Netlify tokens', `${TRUFFLEHOG}/netlify/v2`, ['nfp_'], '[0-9A-Za-z_]{36}'),
  format(
    'cloudflare-origin-ca',
    'Cloudflare origin CA keys',
    `${GITLEAKS}: cloudflare-origin-ca-key`,
    ['v1.0-'],
    '[0-9a-f]{24}-[0-9a-f]{40}',
  ),
  format(
    'flyio',
    'Fly.io tokens',
    `${GITLEAKS}: flyio-access-token`,
    ['fo1_', 'fm1a_', 'fm1r_', 'fm2_'],
    '[0-9A-Za-z+/_-]{40}',
  ),
  format(
    'tailscale',
    'Tailscale keys',
    `${TRUFFLEHOG}/tailscale`,
    ['tskey-'],
    '[a-z]{1,20}-[0-9A-Za-z_-]{12}',
  ),
  format(
    'atlassian',
    'Atlassian tokens',
    `${GITLEAKS}: atlassian-api-token; ${TRUFFLEHOG}/atlassian/v2`,
    ['ATATT3', 'ATCTT3'],
    '[0-9A-Za-z_+/=-]{40}',
  ),
  format('linear', 'Linear keys', `${GITLEAKS}: linear-api-key`, ['lin_api_'], '[0-9A-Za-z]{32}'),
  format('notion', 'Notion tokens', `${GITLEAKS}: notion-api-token`, ['ntn_'], '[0-9]{11}[0-9A-Za-z]{30}'),
  format(
    'airtable',
    'Airtable tokens',
    `${GITLEAKS}: airtable-personnal-access-token`,
    ['pat'],
    '[0-9A-Za-z]{14}\\.[0-9a-f]{40}',
  ),
  format('postman', 'Postman keys', `${GITLEAKS}: postman-api-token`, ['PMAK-'], '[0-9A-Fa-f]{24}'),
  format('circleci', 'CircleCI tokens', `${TRUFFLEHOG}/circleci/v2`, ['CCIPAT_'], '[0-9A-Za-z]{20}'),
  format('buildkite', 'Buildkite tokens', `${TRUFFLEHOG}/buildkite/v2`, ['bkua_'], '[0-9a-z]{40}'),
  format(
    'artifactory',
    'Artifactory keys',
    `${GITLEAKS}: artifactory-api-key, artifactory-reference-token`,
    ['AKCp', 'cmVmd'],
    '[0-9A-Za-z]{55}',
  ),
  format(
    'alibaba',
    'Alibaba Cloud access key ids',
    `${GITLEAKS}: alibaba-access-key-id`,
    ['LTAI'],
    '[0-9A-Za-z]{16}',
  ),
  format(
    '1password',
    '1Password secret keys and service tokens',
    `${GITLEAKS}: 1password-*`,
    ['A3-', 'ops_eyJ'],
    '[0-9A-Za-z+/]{6}[0-9A-Za-z+/-]{22}',
  ),
  format('age', 'age secret keys', `${GITLEAKS}: age-secret-key`, ['AGE-SECRET-KEY-1'], '[0-9A-Z]{40}'),
  format('easypost', 'EasyPost keys', `${GITLEAKS}: easypost-api-token`, ['EZAK', 'EZTK'], '[0-9A-Za-z]{54}'),
  format(
    'shippo',
    'Shippo tokens',
    `${GITLEAKS}: shippo-api-token`,
    ['shippo_live_', 'shippo_test_'],
    '[0-9A-Fa-f]{30}',
  ),
  format('adobe', 'Adobe client secrets', `${GITLEAKS}: adobe-client-secret`, ['p8e-'], '[0-9A-Za-z]{32}'),
  format('octopus', 'Octopus Deploy keys', `${GITLEAKS}: octopus-deploy-api-key`, ['API-'], '[0-9A-Z]{26}'),
  format(
    'discord-webhook',
    'Discord webhook addresses',
    `${TRUFFLEHOG}/discordwebhook`,
    ['discord.com/api/webhooks/', 'discordapp.com/api/webhooks/'],
    '[0-9]{15}',
  ),
];

/** A token format without a distinctive prefix. */
export interface TokenShape {
  readonly id: string;
  readonly matches: string;
  readonly source: string;
  /** A text without it needs no search. */
  readonly anchor: string;
  /** How far before the anchor a match can begin. */
  readonly startsBefore: readonly number[];
  /** Whether the signs around a frequent anchor can be those of a match: cheaper than a pattern. */
  readonly isLikelyAt?: (text: string, anchor: number) => boolean;
  readonly pattern: RegExp;
}

const shape = (
  name: string,
  matches: string,
  source: string,
  anchor: string,
  startsBefore: readonly number[],
  pattern: RegExp,
  isLikelyAt?: (text: string, anchor: number) => boolean,
): TokenShape => ({
  id: `value.token.${name}`,
  matches,
  source,
  anchor,
  startsBefore,
  pattern,
  ...(isLikelyAt ? { isLikelyAt } : {}),
});

/** Formats without a beginning of their own. */
export const TOKEN_SHAPES: readonly TokenShape[] = [
  shape(
    'telegram',
    'Telegram bot tokens',
    `${DETECT_SECRETS}/telegram_token.py`,
    ':',
    [8, 9, 10],
    /(?<![0-9])[0-9]{8,10}:[0-9A-Za-z_-]{35}/,
    (text, anchor) => isDigit(text.charCodeAt(anchor - 1)) && isDigit(text.charCodeAt(anchor - 8)),
  ),
  shape(
    'discord',
    'Discord bot tokens',
    `${DETECT_SECRETS}/discord.py`,
    '.',
    [24, 25, 26],
    /(?<![0-9A-Za-z_-])[MNO][0-9A-Za-z_-]{23,25}\.[0-9A-Za-z_-]{6}\.[0-9A-Za-z_-]{27}/,
    (text, anchor) => text[anchor + 7] === '.',
  ),
  shape('mailchimp', 'Mailchimp keys', `${DETECT_SECRETS}/mailchimp.py`, '-us', [32], /[0-9a-f]{32}-us[0-9]/),
  shape(
    'azure-ad',
    'Microsoft Entra client secrets',
    `${GITLEAKS}: azure-ad-client-secret`,
    'Q~',
    [4],
    /[0-9A-Za-z_~.]{3}[0-9]Q~[0-9A-Za-z_~.-]{31}/,
  ),
  shape(
    'terraform',
    'HCP Terraform tokens',
    `${GITLEAKS}: hashicorp-tf-api-token`,
    '.atlasv1.',
    [14],
    /[0-9A-Za-z]{14}\.atlasv1\.[0-9A-Za-z_=-]{40}/,
  ),
  shape(
    'teams-webhook',
    'Microsoft Teams webhook addresses',
    `${GITLEAKS}: microsoft-teams-webhook`,
    '.webhook.office.com/',
    [0],
    /\.webhook\.office\.com\/webhookb2\/[0-9A-Za-z]/,
  ),
  shape(
    'azure-sas',
    'Azure shared access signatures',
    `${TRUFFLEHOG}/azuresastoken`,
    'sig=',
    [1],
    /[?&]sig=[0-9A-Za-z%+/=_-]{20}/,
  ),
];

/** What every anchor above has at least one of. */
const ANCHOR_SIGN = /[.:=~]|-us/;

/** The rule of the first provider token in a text, or undefined. */
export function providerTokenRule(text: string): string | undefined {
  for (let i = 0; i < text.length - 1; i++) {
    const candidates = candidatesAt(text, i);
    if (candidates === undefined) continue;
    const beginsWord = !isLetterOrDigit(text.charCodeAt(i - 1));
    for (const candidate of candidates) {
      if ((beginsWord || isDistinctive(candidate)) && isTokenAt(text, i, candidate)) return candidate.id;
    }
  }
  if (!ANCHOR_SIGN.test(text)) return undefined;
  return TOKEN_SHAPES.find(({ anchor, pattern }) => text.includes(anchor) && pattern.test(text))?.id;
}

/**
 * The rule of a provider token in an opaque hash, or undefined. A random digest sometimes contains or begins with `_hf_`: only
 * its beginning counts, and a short prefix only if its length is not that of a digest.
 */
export function hashTokenRule(text: string): string | undefined {
  const isDigest = DIGEST_LENGTHS.has(text.length);
  return candidatesAt(text, 0)?.find(
    (candidate) => (!isDigest || isDistinctive(candidate)) && isTokenAt(text, 0, candidate),
  )?.id;
}

interface Candidate {
  readonly id: string;
  readonly prefix: string;
  readonly rest: RegExp;
}

/** Long enough to be no accident inside a word. */
const isDistinctive = ({ prefix }: Pick<Candidate, 'prefix'>): boolean => prefix.length >= 4;

function isTokenAt(text: string, at: number, { prefix, rest }: Candidate): boolean {
  if (!text.startsWith(prefix, at)) return false;
  rest.lastIndex = at + prefix.length;
  return rest.test(text);
}

function candidatesAt(text: string, at: number): readonly Candidate[] | undefined {
  const first = text.charCodeAt(at);
  const second = text.charCodeAt(at + 1);
  return first < 128 && second < 128 ? BY_FIRST_TWO[(first << 7) | second] : undefined;
}

/** By the codes of their first two characters: one look-up for each place of a text. */
const BY_FIRST_TWO: (Candidate[] | undefined)[] = new Array(128 * 128).fill(undefined);
for (const { id, prefixes, rest } of TOKEN_FORMATS) {
  for (const prefix of prefixes) {
    const pair = (prefix.charCodeAt(0) << 7) | prefix.charCodeAt(1);
    BY_FIRST_TWO[pair] = [...(BY_FIRST_TWO[pair] ?? []), { id, prefix, rest: new RegExp(rest, 'y') }];
  }
}

/** A pattern for every whole token of a format. */
export const tokenPattern = ({ prefixes, rest }: TokenFormat): RegExp =>
  new RegExp(
    prefixes
      .map(
        (prefix) =>
          `${isDistinctive({ prefix }) ? '' : '(?<![0-9A-Za-z])'}${prefix.replaceAll('.', '\\.')}${rest}`,
      )
      .join('|'),
    'g',
  );

/** Of digests of 16, 20, 28, 32, 48 and 64 bytes in base64url. */
const DIGEST_LENGTHS: ReadonlySet<number> = new Set([22, 27, 38, 43, 64, 86]);
