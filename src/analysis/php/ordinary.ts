import { setOf } from '../words.ts';
import type { PhpComment } from './token.ts';

/** WordPress functions that check permissions and escape output. */
export const GUARDS: ReadonlySet<string> = setOf(
  'current_user_can check_admin_referer wp_verify_nonce check_ajax_referer __ esc_html esc_attr',
);

/** WordPress functions for callbacks, used by honest plugins and by malware in them. */
export const FRAMEWORK: ReadonlySet<string> = new Set([
  ...GUARDS,
  'add_action',
  'add_filter',
  'apply_filters',
  'register_rest_route',
]);

const DOCUMENTATION = /^\/\*\*[\s\S]*@(?:param|return|since|package|var|throws)\b/;

/** Whether a comment is documentation with tags, as in libraries. */
export const isDocumentation = ({ text }: PhpComment): boolean => DOCUMENTATION.test(text);
