import type { Side } from './corpus.ts';

/** The side, the repository and the commit of a plugin. */
type Plugin = readonly [Side, string, string];

/** The first plugins and tools; the lines of their readme files and the addresses in them are judged too. */
export const FIRST_PLUGINS: readonly Plugin[] = [
  ['tuning', 'awesomemotive/easy-digital-downloads', '37ae05451143'],
  ['evaluation', 'rocklobster-in/contact-form-7', '00ab82061be8'],
  ['tuning', 'johnbillion/query-monitor', '7554a9bd8538'],
  ['evaluation', 'AdvancedCustomFields/acf', '8c6fc15a6b40'],
  ['tuning', 'adminerevo/adminerevo', 'd11a2e87cc0d'],
  ['tuning', 'wp-plugins/wordfence', '2bce197c3657'],
  ['evaluation', 'wp-plugins/akismet', '0ad00d049679'],
  ['evaluation', 'Automattic/wp-super-cache', '0c4a77954b2c'],
];

/**
 * Of each kind every second one by its name went to each side; what was still flagged then moved to the tuning side, as
 * SOURCES.md says. A plugin is on one side in every version.
 */
const LATER_PLUGINS: readonly Plugin[] = [
  // Security
  ['tuning', 'WordPressBugBounty/plugins-all-in-one-wp-security-and-firewall', '8910c3e906c4'],
  ['evaluation', 'WordPressBugBounty/plugins-better-wp-security', '519716f9384c'],
  ['tuning', 'WordPressBugBounty/plugins-gotmls', 'c07b54289087'],
  ['evaluation', 'WordPressBugBounty/plugins-limit-login-attempts-reloaded', '31ee9aa9ecdb'],
  ['tuning', 'WordPressBugBounty/plugins-loginizer', '4d0b0df05854'],
  ['tuning', 'WordPressBugBounty/plugins-ninjafirewall', 'd61cd219cc6f'],
  ['tuning', 'WordPressBugBounty/plugins-really-simple-ssl', '5476324e51f5'],
  ['tuning', 'WordPressBugBounty/plugins-security-malware-firewall', '10950cd94ec3'],
  ['tuning', 'WordPressBugBounty/plugins-sucuri-scanner', 'ec882a81da9c'],
  ['tuning', 'WordPressBugBounty/plugins-wordfence', '4f0fa22b1b3c'],
  // Backup and migration
  ['tuning', 'WordPressBugBounty/plugins-all-in-one-wp-migration', 'def7ffeff1fa'],
  ['tuning', 'WordPressBugBounty/plugins-duplicator', '6d0ee08283c3'],
  ['tuning', 'WordPressBugBounty/plugins-updraftplus', 'f583850ab30f'],
  ['evaluation', 'WordPressBugBounty/plugins-wp-migrate-db', '6e2c009befbe'],
  // Files and snippets of code
  ['tuning', 'WordPressBugBounty/plugins-code-snippets', 'd10e0c5b8d3c'],
  ['evaluation', 'WordPressBugBounty/plugins-insert-headers-and-footers', '5e90775b36d8'],
  ['tuning', 'WordPressBugBounty/plugins-wp-file-manager', '0440bfc8617f'],
  // Page builders
  ['tuning', 'WordPressBugBounty/plugins-beaver-builder-lite-version', 'ed3d87577377'],
  ['tuning', 'WordPressBugBounty/plugins-elementor', '7b471bd7d28e'],
  ['tuning', 'WordPressBugBounty/plugins-siteorigin-panels', 'f285dfcf6640'],
  // Caches
  ['tuning', 'WordPressBugBounty/plugins-autoptimize', 'ef4e9a8a3347'],
  ['evaluation', 'WordPressBugBounty/plugins-litespeed-cache', 'c718f94f7f90'],
  ['tuning', 'BoldGrid/w3-total-cache', 'a99e1a7c5b80'],
  ['tuning', 'WordPressBugBounty/plugins-wp-optimize', '391f8895a947'],
  // Search engines
  ['tuning', 'WordPressBugBounty/plugins-seo-by-rank-math', 'c09459572ac5'],
  ['evaluation', 'WordPressBugBounty/plugins-wordpress-seo', '87796eb01294'],
  // Shops and donations
  ['tuning', 'impress-org/givewp', 'd9fa8f64f04a'],
  ['tuning', 'WordPressBugBounty/plugins-woocommerce', '839eaf69725a'],
  // Forms and mail
  ['tuning', 'mailpoet/mailpoet', '3a92f0b0fd43'],
  ['tuning', 'WordPressBugBounty/plugins-ninja-forms', '23c86a83bb64'],
  ['tuning', 'WordPressBugBounty/plugins-wp-mail-smtp', '33c5f2b3d158'],
  ['tuning', 'WordPressBugBounty/plugins-wpforms-lite', '8f7494a92528'],
  // Others
  ['tuning', 'bbpress/bbPress', '4178cbf66567'],
  ['evaluation', 'buddypress/BuddyPress', '5edd0aa74cc9'],
  ['tuning', 'WordPressBugBounty/plugins-jetpack', 'cc98fb0d0b3e'],
  ['tuning', 'WordPressBugBounty/plugins-nextgen-gallery', '9a93fea28e3a'],
  ['tuning', 'polylang/polylang', 'd814d2af9e2b'],
  ['evaluation', 'johngodley/redirection', 'a7c8dcd88e91'],
];

/** Brought in when others had moved, for the second round; those in which something was found then moved as well. */
const SECOND_PLUGINS: readonly Plugin[] = [
  ['tuning', 'WordPressBugBounty/plugins-all-in-one-seo-pack', '2b6587af1154'],
  ['evaluation', 'WordPressBugBounty/plugins-astra-sites', 'e1a82807c09a'],
  ['tuning', 'WordPressBugBounty/plugins-backup-backup', '2f020ee1fc36'],
  ['tuning', 'WordPressBugBounty/plugins-cookie-law-info', 'e6f9e9854df1'],
  ['tuning', 'WordPressBugBounty/plugins-defender-security', '8b9dff006bed'],
  ['tuning', 'WordPressBugBounty/plugins-essential-addons-for-elementor-lite', '3cf1d7975920'],
  ['evaluation', 'WordPressBugBounty/plugins-ewww-image-optimizer', 'db269aa45cf9'],
  ['tuning', 'WordPressBugBounty/plugins-file-manager-advanced', 'df17969a3a08'],
  ['evaluation', 'WordPressBugBounty/plugins-formidable', '8347c89f556a'],
  ['tuning', 'WordPressBugBounty/plugins-google-site-kit', '614cd52877b9'],
  ['evaluation', 'WordPressBugBounty/plugins-kadence-blocks', '84dc69a88cd7'],
  ['evaluation', 'WordPressBugBounty/plugins-mailchimp-for-wp', '26d399ba8ad4'],
  ['evaluation', 'WordPressBugBounty/plugins-mainwp-child', '933f6d899333'],
  ['tuning', 'WordPressBugBounty/plugins-popup-maker', 'deec2343afea'],
  ['evaluation', 'WordPressBugBounty/plugins-sg-cachepress', '81f4b2e69473'],
  ['tuning', 'WordPressBugBounty/plugins-sg-security', '7a7df383db50'],
  ['evaluation', 'WordPressBugBounty/plugins-simple-custom-css', '1e4d50246512'],
  ['evaluation', 'WordPressBugBounty/plugins-tablepress', '0301f55e08e2'],
  ['evaluation', 'WordPressBugBounty/plugins-the-events-calendar', '645dc9a12749'],
  ['evaluation', 'WordPressBugBounty/plugins-tinymce-advanced', '6434871f5f0a'],
  ['tuning', 'WordPressBugBounty/plugins-ultimate-addons-for-gutenberg', 'd5fbecdb7841'],
  ['tuning', 'WordPressBugBounty/plugins-woocommerce-gateway-stripe', '87d3535fe041'],
  ['evaluation', 'WordPressBugBounty/plugins-wp-fastest-cache', 'c8088ea01f16'],
  ['evaluation', 'WordPressBugBounty/plugins-wp-security-audit-log', '4b08b6930f13'],
  ['tuning', 'WordPressBugBounty/plugins-wp-smushit', 'b67a4cfaa134'],
  ['evaluation', 'WordPressBugBounty/plugins-wp-statistics', '20269aa5c1e2'],
  ['tuning', 'WordPressBugBounty/plugins-wpvivid-backuprestore', 'c44dd8857339'],
];

/** Added for the third round: never read by the author of a weight. */
const FRESH_PLUGINS: readonly Plugin[] = [
  ['evaluation', 'WordPressBugBounty/plugins-broken-link-checker', '66b964364e27'],
  ['tuning', 'WordPressBugBounty/plugins-complianz-gdpr', '2b16f858a201'],
  ['evaluation', 'WordPressBugBounty/plugins-cookie-notice', '5e129b30450b'],
  ['evaluation', 'WordPressBugBounty/plugins-custom-post-type-ui', '20cdf3c487ff'],
  ['evaluation', 'WordPressBugBounty/plugins-filester', 'b390249a5373'],
  ['evaluation', 'WordPressBugBounty/plugins-fluentform', '2b2662895294'],
  ['tuning', 'WordPressBugBounty/plugins-forminator', '35cb144d63d5'],
  ['evaluation', 'WordPressBugBounty/plugins-google-analytics-for-wordpress', '354ed6381989'],
  ['evaluation', 'WordPressBugBounty/plugins-header-footer-elementor', 'd282f15856aa'],
  ['evaluation', 'WordPressBugBounty/plugins-health-check', 'c00d26768c67'],
  ['tuning', 'WordPressBugBounty/plugins-hummingbird-performance', '54b4fd5ebec1'],
  ['evaluation', 'WordPressBugBounty/plugins-learnpress', '164214781cbd'],
  ['evaluation', 'WordPressBugBounty/plugins-members', 'aa8a072c58a6'],
  ['tuning', 'WordPressBugBounty/plugins-migrate-guru', '633c56213950'],
  ['evaluation', 'WordPressBugBounty/plugins-ml-slider', '7d6b685a6ebf'],
  ['evaluation', 'WordPressBugBounty/plugins-ocean-extra', 'b9819d9c634b'],
  ['evaluation', 'WordPressBugBounty/plugins-shortpixel-image-optimiser', '449778b8fcac'],
  ['evaluation', 'WordPressBugBounty/plugins-simple-history', '792cb2f8e99f'],
  ['evaluation', 'WordPressBugBounty/plugins-smart-slider-3', '5333633ef3a3'],
  ['evaluation', 'WordPressBugBounty/plugins-tutor', '4312e69be25a'],
  ['tuning', 'WordPressBugBounty/plugins-ultimate-member', 'f93e6b27133c'],
  ['evaluation', 'WordPressBugBounty/plugins-user-role-editor', '58de08bc0e89'],
  ['evaluation', 'WordPressBugBounty/plugins-wp-crontrol', 'f0aeeabf91a5'],
  ['tuning', 'WordPressBugBounty/plugins-wp-reset', '2b70e9e9e101'],
];

/** Added for the fourth round: never read by the author of a weight, unless marked `tuning`. */
const FOURTH_PLUGINS: readonly Plugin[] = [
  ['evaluation', 'WordPressBugBounty/plugins-ad-inserter', '6248a9eb5d4a'],
  ['tuning', 'WordPressBugBounty/plugins-backwpup', 'f4b28130789f'],
  ['tuning', 'WordPressBugBounty/plugins-download-manager', '328bfee1ed4d'],
  ['tuning', 'WordPressBugBounty/plugins-event-tickets', '310bb21ba3ce'],
  ['tuning', 'WordPressBugBounty/plugins-everest-forms', '08e15135b042'],
  ['evaluation', 'WordPressBugBounty/plugins-filebird', '8f1c95b38e87'],
  ['evaluation', 'WordPressBugBounty/plugins-fluent-smtp', '76a61e5e6ffc'],
  ['evaluation', 'WordPressBugBounty/plugins-happy-elementor-addons', '637db57c5c25'],
  ['tuning', 'WordPressBugBounty/plugins-instagram-feed', 'b19bbdd7980f'],
  ['tuning', 'WordPressBugBounty/plugins-loco-translate', '5c643352aa37'],
  ['evaluation', 'WordPressBugBounty/plugins-one-click-demo-import', 'c5228fce31dd'],
  ['evaluation', 'WordPressBugBounty/plugins-paid-memberships-pro', 'd63d9c32eb4a'],
  ['tuning', 'WordPressBugBounty/plugins-photo-gallery', 'f4d8e4474f68'],
  ['tuning', 'WordPressBugBounty/plugins-post-smtp', '4c90a4cbd1d5'],
  ['evaluation', 'WordPressBugBounty/plugins-premium-addons-for-elementor', '10be5171d22e'],
  ['evaluation', 'WordPressBugBounty/plugins-profile-builder', '5bef021af3b4'],
  ['tuning', 'WordPressBugBounty/plugins-redux-framework', 'c2e021a81671'],
  ['evaluation', 'WordPressBugBounty/plugins-royal-elementor-addons', '5ba4c902f07f'],
  ['evaluation', 'WordPressBugBounty/plugins-translatepress-multilingual', '6886e01ff02e'],
  ['evaluation', 'WordPressBugBounty/plugins-user-registration', 'bb94c4dc9763'],
  ['evaluation', 'WordPressBugBounty/plugins-woocommerce-pdf-invoices-packing-slips', 'b0d32ed380ac'],
  ['evaluation', 'WordPressBugBounty/plugins-wp-all-import', 'bdb4b8027b23'],
  ['evaluation', 'WordPressBugBounty/plugins-wp-google-maps', '045e8d9c9b2e'],
  ['evaluation', 'WordPressBugBounty/plugins-wp-seopress', '7db11709a66e'],
  ['evaluation', 'WordPressBugBounty/plugins-wp-simple-firewall', '0f9d7d41a36b'],
  ['tuning', 'WordPressBugBounty/plugins-wp-staging', '1cfbbeb787d9'],
];

/** Brought in after the fourth round, in the same way. */
const FIFTH_PLUGINS: readonly Plugin[] = [
  ['evaluation', 'WordPressBugBounty/plugins-better-search-replace', '388619a46528'],
  ['evaluation', 'WordPressBugBounty/plugins-breeze', '8922cccc49ca'],
  ['tuning', 'WordPressBugBounty/plugins-bulletproof-security', '73f2986bf77c'],
  ['evaluation', 'WordPressBugBounty/plugins-coming-soon', 'a2df25d1144a'],
  ['evaluation', 'WordPressBugBounty/plugins-duplicate-post', '149b2c2077b7'],
  ['evaluation', 'WordPressBugBounty/plugins-duracelltomi-google-tag-manager', '7894a2834c77'],
  ['evaluation', 'WordPressBugBounty/plugins-elementskit-lite', '548f7b853399'],
  ['evaluation', 'WordPressBugBounty/plugins-enable-media-replace', 'b9d863d3d508'],
  ['tuning', 'WordPressBugBounty/plugins-file-manager', 'e579024fb147'],
  ['evaluation', 'WordPressBugBounty/plugins-foogallery', '48d1a98e555a'],
  ['tuning', 'WordPressBugBounty/plugins-gtranslate', 'f13c1fa807c3'],
  ['evaluation', 'WordPressBugBounty/plugins-imagify', '49499d608731'],
  ['evaluation', 'WordPressBugBounty/plugins-insert-php', 'ceaf2b1068d1'],
  ['evaluation', 'WordPressBugBounty/plugins-mailchimp-for-woocommerce', 'd6965796f70d'],
  ['evaluation', 'WordPressBugBounty/plugins-metform', '970405fbdb0b'],
  ['evaluation', 'WordPressBugBounty/plugins-optinmonster', 'd2b0d31631d2'],
  ['evaluation', 'WordPressBugBounty/plugins-otter-blocks', '1fc4145488ca'],
  ['tuning', 'WordPressBugBounty/plugins-pixelyoursite', '168086df722f'],
  ['evaluation', 'WordPressBugBounty/plugins-pods', 'baa248406cbc'],
  ['evaluation', 'WordPressBugBounty/plugins-two-factor', '53781f0d91ac'],
  ['evaluation', 'WordPressBugBounty/plugins-webp-express', '10e063411c72'],
  ['evaluation', 'WordPressBugBounty/plugins-woo-variation-swatches', 'b63c320329e5'],
  ['tuning', 'WordPressBugBounty/plugins-worker', 'b62ef60effd8'],
  ['evaluation', 'WordPressBugBounty/plugins-wp-dbmanager', '40af458bfd49'],
  ['tuning', 'WordPressBugBounty/plugins-wp-job-manager', 'e07d3ea8ac18'],
  ['evaluation', 'WordPressBugBounty/plugins-wp-user-avatar', '24fbe8fc0170'],
  ['evaluation', 'WordPressBugBounty/plugins-wps-hide-login', 'ff5d46300e30'],
  ['tuning', 'WordPressBugBounty/plugins-xcloner-backup-and-restore', 'db2640c873c7'],
];

/** Brought in after the fifth round, in the same way. */
const SIXTH_PLUGINS: readonly Plugin[] = [
  ['evaluation', 'WordPressBugBounty/plugins-advanced-ads', 'ad844b9b4620'],
  ['evaluation', 'WordPressBugBounty/plugins-antispam-bee', '548d438bd671'],
  ['evaluation', 'WordPressBugBounty/plugins-autodescription', '475b1700c142'],
  ['evaluation', 'WordPressBugBounty/plugins-classic-editor', '6287c80ed8bc'],
  ['evaluation', 'WordPressBugBounty/plugins-custom-facebook-feed', '59725677bfb1'],
  ['tuning', 'WordPressBugBounty/plugins-facebook-for-woocommerce', 'a8adf6750c58'],
  ['evaluation', 'WordPressBugBounty/plugins-flamingo', 'd6f4466d46d3'],
  ['evaluation', 'WordPressBugBounty/plugins-google-sitemap-generator', '99f88c935152'],
  ['evaluation', 'WordPressBugBounty/plugins-media-library-assistant', '4d046f5a698d'],
  ['evaluation', 'WordPressBugBounty/plugins-meta-box', '388c36b69783'],
  ['evaluation', 'WordPressBugBounty/plugins-newsletter', '54c2c147144b'],
  ['evaluation', 'WordPressBugBounty/plugins-ninja-tables', '9b5f1fb2e288'],
  ['evaluation', 'WordPressBugBounty/plugins-site-reviews', 'd9be234bb7d4'],
  ['evaluation', 'WordPressBugBounty/plugins-stream', '04b3db13de06'],
  ['evaluation', 'WordPressBugBounty/plugins-themeisle-companion', '2c91f6ffb7a3'],
  ['evaluation', 'WordPressBugBounty/plugins-woocommerce-paypal-payments', 'e6038d9893ec'],
  ['evaluation', 'WordPressBugBounty/plugins-wordpress-importer', 'f2f99dd3928d'],
  ['evaluation', 'WordPressBugBounty/plugins-wordpress-popup', '8a9f2292d7e6'],
  ['evaluation', 'WordPressBugBounty/plugins-wp-2fa', '7cd93c318311'],
  ['evaluation', 'WordPressBugBounty/plugins-wp-asset-clean-up', '1f9beb5bd466'],
  ['evaluation', 'WordPressBugBounty/plugins-wp-hide-security-enhancer', 'c0805bca827b'],
  ['evaluation', 'WordPressBugBounty/plugins-wp-mail-logging', '23f6d63ad6bd'],
  ['evaluation', 'WordPressBugBounty/plugins-wp-maintenance-mode', '2b955ba0c3a0'],
  ['evaluation', 'WordPressBugBounty/plugins-yith-woocommerce-wishlist', 'aa007a7a854c'],
];

/** All of them. */
export const PLUGINS: readonly Plugin[] = [
  ...FIRST_PLUGINS,
  ...LATER_PLUGINS,
  ...SECOND_PLUGINS,
  ...FRESH_PLUGINS,
  ...FOURTH_PLUGINS,
  ...FIFTH_PLUGINS,
  ...SIXTH_PLUGINS,
];
