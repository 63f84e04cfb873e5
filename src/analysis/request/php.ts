import { isProse } from '../words.ts';
import { REQUEST, type Report } from './signals.ts';

const PHP_TAG =
  /<\?(?:php\b|=|\s)|<\?(?!xml)(?:[$@]|[a-z_]{2,20}\s{0,3}[\s("'$;])|<script[^>]{1,40}language[^>]{1,8}php/i;
/** Shortcodes of plugins that run PHP, followed by a call. */
const SHORTCODE = /\[(?:insert_|exec-)?php(?:_code)?\][^\]]{0,200}\w\s{0,3}\(/i;
const PHP_CALL =
  /\b(?:phpinfo|system|exec|shell_exec|passthru|popen|proc_open|pcntl_exec|eval|assert|base64_decode|gzinflate|str_rot13|call_user_func(?:_array)?|create_function|file_get_contents|file_put_contents|readfile|show_source|highlight_file|scandir|getcwd|move_uploaded_file|preg_replace|array_map|array_filter|usort|register_shutdown_function|print_r|var_dump|ini_set|ini_get|curl_exec|parse_ini_file|phpversion|get_current_user|getenv|array_diff_u(?:key|assoc)|ob_start|invokefunction|fsockopen|bzopen|gzopen|readgzfile|ftp_\w+|posix_\w+|opendir|putenv|md5|hex2bin|get_defined_vars|getallheaders|arsort|array_walk|__halt_compiler|var_export|unserialize|extract|parse_str)\s{0,10}\(\s{0,10}(?:["'$\\/]|\d|\w+\s{0,5}\(|php|base64|chr\s*\(|\[)|\b(?:phpinfo|getcwd|phpversion|get_current_user|get_defined_vars|getallheaders|ob_start|posix_\w{1,30}|__halt_compiler|getenv)\s{0,10}\(\s{0,10}\)|\b(?:print|echo|die|chr|lcfirst|strrev)\s{0,10}\(\s{0,10}(?:\$|\d|\w{1,40}\s{0,5}\()|\b(?:print|echo|return)\s{0,3}`[^`\n]{1,80}`\s{0,3};/i;
/** Drupal keys for callback functions. */
const CALLBACK_KEY =
  /\[#(?:\w{0,10}render|lazy_builder|access_callback|submit|validate|process|after_build)\]/;
const PHP_VARIABLE =
  /(?:::|->)\$\w{1,30}\s?\(|\$\s?\{[@$_][^}\n]{0,40}\}(?:\[[^\]\n]{0,20}\])?\s{0,3}\(|\$(?:_(?:GET|POST|REQUEST|COOKIE|SERVER|FILES|SESSION|ENV)\b|GLOBALS\b|HTTP_(?:RAW_POST_DATA|\w+_VARS)|argv\b)|\$\{\s*@?(?:phpinfo|print|system|eval|\w+\s*\()|\$\w{1,30}\s{0,5}\(\s{0,5}\$\w|\$\{?["'\\`][^"']{0,40}["'`]\}?\s*\(|\(\s*["'][a-z]{1,20}["']\s*(?:\.\s*["'][a-z]{1,20}["']\s*){0,5}\)\s*\(/i;
/** Functions in a field that selects a router's action. */
const PHP_ROUTE =
  /\\think\\\w|^zerodium\w|^(?:call_user_func(?:_array)?|shell_exec|passthru|proc_open|create_function|invokefunction|phpinfo)$/i;
/** PHP settings, as passed to php-cgi in a query. */
const PHP_SETTING =
  /^\s{0,3}[-\u00ad]d\s{1,3}\w|\b(?:allow_url_include|auto_(?:prep|app)end_file)\b(?:\s{0,3}=|$)|\b(?:addtype|addhandler|sethandler)\s{1,5}["']?application\/x-httpd-php/i;

const NAMES =
  '(?:system|exec|shell_exec|passthru|popen|proc_open|pcntl_exec|assert|eval|phpinfo|call_user_func(?:_array)?|create_function|file_get_contents|file_put_contents|readfile|highlight_file|show_source|scandir|base64_decode|printf|print_r|var_dump)';
/** A call of a function through a text, an array or a word in parentheses. */
const NAMED_CALL = new RegExp(
  [
    `["']\\\\?${NAMES}["'][\\s\\])]{0,6}(?:\\[\\d\\])?[\\s\\])]{0,6}\\(`,
    `\\(\\s{0,3}@?\\\\?${NAMES}\\s{0,3}\\)\\s{0,3}\\(`,
    `\\$\\w{1,30}\\s{0,3}=\\s{0,3}["']\\\\?${NAMES}["']`,
    '\\(\\s{0,3}["\'][^"\']{2,60}["\']\\s{0,3}[|^&]\\s{0,3}["\'][^"\']{2,60}["\']\\s{0,3}\\)\\s{0,3}\\(',
    '\\(\\s{0,3}~[^\\w\\s()]{2,60}\\)\\s{0,3}\\(',
    '\\bnew\\s{1,3}\\\\?reflection(?:function|method|class)\\s{0,3}\\(',
    `\\b(?:array_map|array_filter|usort|array_walk|iterator_apply|call_user_func(?:_array)?|forward_static_call)\\s{0,3}\\(\\s{0,3}["']?\\\\?${NAMES}`,
  ].join('|'),
  'i',
);
const WORDS_CALL = /\((\(?[a-z]{1,14}\)?(?:\.\(?[a-z]{1,14}\)?){1,6})\)\s{0,3}\(/i;
const WHOLE_NAME = new RegExp(`^${NAMES}$`, 'i');
/** A call through a variable or an item of it: `$a[0]('id')`. */
const CALLED_VARIABLE =
  /(?:^|[;={(,.@&|\s!])\${1,3}(?!this\b|__[a-z])[a-z_]\w{0,30}(?:\s{0,3}(?:\[[^\]\n]{0,30}\]{1,2}|\{[^}\n]{0,30}\})){0,3}\s{0,3}\((?!\s{0,3}(?:function|document|window|this|["'][#.]))/i;
const OTHER_LANGUAGE = /\b(?:function|const|let|var)\b|=>|\$\(|\$(?:http|timeout|emit|watch|scope|q|t|el)\b/;
const COMMENT = /\/\*[^*]{0,200}\*\//g;
const JOINT = /(["'])\s{0,5}[.+~]\s{0,5}\1/g;

/** Removes comments and joins concatenated literals. */
export const withoutJoints = (value: string): string =>
  (value.includes('/*') ? value.replace(COMMENT, '') : value).replace(JOINT, '');

export function findPhpTag(value: string, report: Report): void {
  if ((value.includes('<') && PHP_TAG.test(value)) || (value.includes('php') && SHORTCODE.test(value)))
    report(REQUEST.phpCode);
}

/** Finds PHP calls; `joined` is the result of {@link withoutJoints}. */
export function findPhp(value: string, joined: string, report: Report): void {
  if (PHP_ROUTE.test(value) || PHP_SETTING.test(value) || CALLBACK_KEY.test(value)) report(REQUEST.phpCall);
  if (!/[($`]/.test(value) || isProse(value)) return;
  if (PHP_CALL.test(joined) || PHP_VARIABLE.test(value) || NAMED_CALL.test(joined)) report(REQUEST.phpCall);
  const words = value.includes('.') ? WORDS_CALL.exec(value)?.[1] : undefined;
  if (words !== undefined && WHOLE_NAME.test(words.replace(/[().]/g, ''))) report(REQUEST.phpCall);
  if (value.includes('$') && CALLED_VARIABLE.test(joined) && !OTHER_LANGUAGE.test(value))
    report(REQUEST.phpVariable);
}
