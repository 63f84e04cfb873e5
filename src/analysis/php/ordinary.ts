import { setOf } from '../words.ts';
import type { PhpComment } from './token.ts';

/** What plugins call to check permissions and to escape output. */
export const GUARDS: ReadonlySet<string> = setOf(
  'current_user_can check_admin_referer wp_verify_nonce check_ajax_referer __ esc_html esc_attr',
);

/** What plugins also call to register callbacks, as malware in them does. */
export const FRAMEWORK: ReadonlySet<string> = new Set([
  ...GUARDS,
  'add_action',
  'add_filter',
  'apply_filters',
  'register_rest_route',
]);

const DOCUMENTATION = /^\/\*\*[\s\S]*@(?:param|return|since|package|var|throws)\b/;

/** Whether a comment documents what it stands before, as libraries do. */
export const isDocumentation = ({ text }: PhpComment): boolean => DOCUMENTATION.test(text);
