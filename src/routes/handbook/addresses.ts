/** File names of the handbook's pages in reading order. Their texts are in pages.ts, which is imported on first request. */
export const PAGE_NAMES = [
  'README',
  'operating',
  'install',
  'air-gap',
  'containers',
  'network',
  'settings',
  'access',
  'monitoring',
  'integrations',
  'notifications',
  'backup',
  'upgrade',
  'releasing',
  'postgresql',
  'scaling',
  'troubleshooting',
  'licenses',
  'console',
  'sign-in',
  'admin-api',
  'payments',
  'portal',
  'tenants',
  'clients',
  'offline-licenses',
  'whole-sites',
  'feed',
  'vulnerabilities',
  'scans',
  'analysis',
  'signals',
  'signals-code',
  'signals-requests',
  'signals-texts',
  'evidence',
  'credentials',
  'trust',
  'speed',
  'glossary',
] as const;
export type PageName = (typeof PAGE_NAMES)[number];

/** Downloadable files, by their path in `docs/`. */
export const DOWNLOAD_PATHS = [
  'clients/redoubt-client.php',
  'clients/redoubt-shop.php',
  'clients/redoubt-site-check.php',
  'clients/redoubt-client.ts',
  'clients/redoubt-verify.php',
  'clients/redoubt-verify.ts',
  'clients/redoubt-verify.sh',
  'clients/vectors.json',
  'integrations/containers/redoubt.container',
  'integrations/containers/compose.yaml',
  'integrations/containers/compose-postgresql.yaml',
  'integrations/containers/kubernetes.yaml',
  'scaling/nginx.conf',
  'scaling/haproxy.cfg',
  'integrations/prometheus/redoubt.rules.yml',
  'integrations/prometheus/redoubt.rules.test.yml',
  'integrations/grafana/redoubt.json',
  'integrations/fail2ban/filter.conf',
  'integrations/fail2ban/jail.conf',
  'integrations/crowdsec/acquis.yaml',
  'integrations/crowdsec/parser.yaml',
  'integrations/crowdsec/scenario.yaml',
] as const;
export type DownloadPath = (typeof DOWNLOAD_PATHS)[number];

/** The path of the handbook's first page. */
export const HANDBOOK = '/docs/handbook';
export const STYLE_ADDRESS = '/docs/handbook.css';
/** The search page, its script and the search index. */
export const SEARCH_ADDRESSES = {
  page: `${HANDBOOK}/search`,
  script: '/docs/handbook-search.js',
  index: '/docs/handbook-search.json',
} as const;

/** Returns the URL path of a page. */
export const addressOf = (name: string): string => (name === 'README' ? HANDBOOK : `${HANDBOOK}/${name}`);

/** Returns the URL path of a download. */
export const downloadAddress = (path: string): string => `${HANDBOOK}/${path}`;
