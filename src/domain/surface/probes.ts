/** What is asked for beside the home page, relative to the site. With it, a scan stays within its 25 requests. */
export const PROBES = {
  git_head: '.git/HEAD',
  environment_file: '.env',
  config_bak: 'wp-config.php.bak',
  config_old: 'wp-config.php.old',
  config_save: 'wp-config.php.save',
  config_tilde: 'wp-config.php~',
  config_swap: '.wp-config.php.swp',
  database_dump: 'backup.sql',
  debug_log: 'wp-content/debug.log',
  uploads: 'wp-content/uploads/',
  readme: 'readme.html',
  license: 'license.txt',
  xmlrpc: 'xmlrpc.php',
  users_api: 'wp-json/wp/v2/users?per_page=1',
  author_archive: '?author=1',
} as const;

export type ProbeId = keyof typeof PROBES;
export const PROBE_IDS = Object.keys(PROBES) as readonly ProbeId[];
