import type { Side } from './corpus.ts';

/** The first plugins and tools; the lines of their readme files and the addresses in them are judged too. */
export const FIRST_PLUGINS: readonly (readonly [Side, string, string])[] = [
  ['tuning', 'awesomemotive/easy-digital-downloads', '37ae05451143'],
  ['evaluation', 'rocklobster-in/contact-form-7', '00ab82061be8'],
  ['tuning', 'johnbillion/query-monitor', '7554a9bd8538'],
  ['evaluation', 'AdvancedCustomFields/acf', '8c6fc15a6b40'],
  ['tuning', 'adminerevo/adminerevo', 'd11a2e87cc0d'],
  ['tuning', 'wp-plugins/wordfence', '2bce197c3657'],
  ['evaluation', 'wp-plugins/akismet', '0ad00d049679'],
  ['evaluation', 'Automattic/wp-super-cache', '0c4a77954b2c'],
];

/** Of each kind every second one by its name, as SOURCES.md says; a plugin keeps its side in every version. */
export const LATER_PLUGINS: typeof FIRST_PLUGINS = [
  // Security
  ['tuning', 'WordPressBugBounty/plugins-all-in-one-wp-security-and-firewall', '8910c3e906c4'],
  ['evaluation', 'WordPressBugBounty/plugins-better-wp-security', '519716f9384c'],
  ['tuning', 'WordPressBugBounty/plugins-gotmls', 'c07b54289087'],
  ['evaluation', 'WordPressBugBounty/plugins-limit-login-attempts-reloaded', '31ee9aa9ecdb'],
  ['tuning', 'WordPressBugBounty/plugins-loginizer', '4d0b0df05854'],
  ['evaluation', 'WordPressBugBounty/plugins-ninjafirewall', 'd61cd219cc6f'],
  ['tuning', 'WordPressBugBounty/plugins-really-simple-ssl', '5476324e51f5'],
  ['evaluation', 'WordPressBugBounty/plugins-security-malware-firewall', '10950cd94ec3'],
  ['tuning', 'WordPressBugBounty/plugins-sucuri-scanner', 'ec882a81da9c'],
  ['tuning', 'WordPressBugBounty/plugins-wordfence', '4f0fa22b1b3c'],
  // Backup and migration
  ['tuning', 'WordPressBugBounty/plugins-all-in-one-wp-migration', 'def7ffeff1fa'],
  ['evaluation', 'WordPressBugBounty/plugins-duplicator', '6d0ee08283c3'],
  ['tuning', 'WordPressBugBounty/plugins-updraftplus', 'f583850ab30f'],
  ['evaluation', 'WordPressBugBounty/plugins-wp-migrate-db', '6e2c009befbe'],
  // Files and snippets of code
  ['tuning', 'WordPressBugBounty/plugins-code-snippets', 'd10e0c5b8d3c'],
  ['evaluation', 'WordPressBugBounty/plugins-insert-headers-and-footers', '5e90775b36d8'],
  ['tuning', 'WordPressBugBounty/plugins-wp-file-manager', '0440bfc8617f'],
  // Page builders
  ['tuning', 'WordPressBugBounty/plugins-beaver-builder-lite-version', 'ed3d87577377'],
  ['evaluation', 'WordPressBugBounty/plugins-elementor', '7b471bd7d28e'],
  ['tuning', 'WordPressBugBounty/plugins-siteorigin-panels', 'f285dfcf6640'],
  // Caches
  ['tuning', 'WordPressBugBounty/plugins-autoptimize', 'ef4e9a8a3347'],
  ['evaluation', 'WordPressBugBounty/plugins-litespeed-cache', 'c718f94f7f90'],
  ['tuning', 'BoldGrid/w3-total-cache', 'a99e1a7c5b80'],
  ['evaluation', 'WordPressBugBounty/plugins-wp-optimize', '391f8895a947'],
  // Search engines
  ['tuning', 'WordPressBugBounty/plugins-seo-by-rank-math', 'c09459572ac5'],
  ['evaluation', 'WordPressBugBounty/plugins-wordpress-seo', '87796eb01294'],
  // Shops and donations
  ['tuning', 'impress-org/givewp', 'd9fa8f64f04a'],
  ['evaluation', 'WordPressBugBounty/plugins-woocommerce', '839eaf69725a'],
  // Forms and mail
  ['tuning', 'mailpoet/mailpoet', '3a92f0b0fd43'],
  ['evaluation', 'WordPressBugBounty/plugins-ninja-forms', '23c86a83bb64'],
  ['tuning', 'WordPressBugBounty/plugins-wp-mail-smtp', '33c5f2b3d158'],
  ['evaluation', 'WordPressBugBounty/plugins-wpforms-lite', '8f7494a92528'],
  // Others
  ['tuning', 'bbpress/bbPress', '4178cbf66567'],
  ['evaluation', 'buddypress/BuddyPress', '5edd0aa74cc9'],
  ['tuning', 'WordPressBugBounty/plugins-jetpack', 'cc98fb0d0b3e'],
  ['evaluation', 'WordPressBugBounty/plugins-nextgen-gallery', '9a93fea28e3a'],
  ['tuning', 'polylang/polylang', 'd814d2af9e2b'],
  ['evaluation', 'johngodley/redirection', 'a7c8dcd88e91'],
];
