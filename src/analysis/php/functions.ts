import { setOf as set } from '../words.ts';

// What PHP's functions mean for the analysis. Names are lower-case. Source: the PHP manual's function reference.

export const RUNS_COMMAND = set(
  'system exec shell_exec passthru popen proc_open pcntl_exec expect_popen win_shell_execute win32_create_service',
);

/** Functions that run their argument as PHP, including the language construct `eval`. */
export const RUNS_CODE = set('eval assert create_function');

/** Position of the callback among the arguments; -1 = the last one. */
export const TAKES_CALLBACK: Readonly<Record<string, number>> = {
  call_user_func: 0,
  call_user_func_array: 0,
  forward_static_call: 0,
  forward_static_call_array: 0,
  func_overload: 0,
  array_map: 0,
  array_filter: 1,
  array_walk: 1,
  array_walk_recursive: 1,
  array_reduce: 1,
  array_diff_ukey: -1,
  array_diff_uassoc: -1,
  array_udiff: -1,
  array_udiff_assoc: -1,
  array_uintersect: -1,
  array_uintersect_assoc: -1,
  array_intersect_uassoc: -1,
  array_intersect_ukey: -1,
  usort: 1,
  uasort: 1,
  uksort: 1,
  preg_replace_callback: 1,
  mb_ereg_replace_callback: 1,
  ob_start: 0,
  register_shutdown_function: 0,
  register_tick_function: 0,
  iterator_apply: 1,
  set_error_handler: 0,
  spl_autoload_register: 0,
  session_set_save_handler: 0,
  header_register_callback: 0,
  assert_options: 1,
  sqlite_create_function: 2,
  createfunction: 1,
  sqlitecreatefunction: 1,
  createaggregate: 1,
  addserver: -1,
  filter_var: 2,
  filter_var_array: 1,
  yaml_parse: 3,
};

/** Decoding functions. Those that can be evaluated are in fold.ts. */
export const DECODES = set(
  'base64_decode gzinflate gzuncompress gzdecode zlib_decode bzdecompress str_rot13 strrev hex2bin pack chr urldecode ' +
    'rawurldecode convert_uudecode mcrypt_decrypt openssl_decrypt mcrypt_cbc mcrypt_ecb sodium_crypto_secretbox_open ' +
    'stripcslashes base_convert utf8_decode html_entity_decode htmlspecialchars_decode lzf_decompress',
);

/** Decoding functions that ordinary programs do not apply to function names. */
export const HIDES = set(
  'base64_decode gzinflate gzuncompress gzdecode str_rot13 strrev convert_uudecode hex2bin bzdecompress mcrypt_decrypt openssl_decrypt',
);

/** Functions whose result has the origins of their arguments. */
export const PASSES_ON = set(
  'trim ltrim rtrim chop stripslashes stripslashes_deep wp_unslash str_replace str_ireplace substr substr_replace mb_substr implode join explode ' +
    'strtolower strtoupper ucfirst lcfirst ucwords sprintf vsprintf serialize unserialize json_decode json_encode ' +
    'array_merge array_map array_filter current end reset next key each array_values array_keys array_shift array_pop array_slice array_reverse array_flip ' +
    'array_combine array_unique strval nl2br htmlspecialchars htmlentities preg_replace preg_split str_split strtr strstr stristr strrchr substr_count addslashes ' +
    'iconv mb_convert_encoding utf8_encode wordwrap chunk_split str_pad strip_tags fread fgets fgetc stream_get_contents fopen popen file parse_url ' +
    'basename dirname realpath pathinfo func_get_args func_get_arg get_defined_vars array_rand range xml_parse maybe_unserialize base64_encode bin2hex ' +
    'gzcompress gzdeflate gzencode urlencode rawurlencode escapeshellcmd quotemeta socket_read iterator_to_array ' +
    'http_build_query stream_context_create openssl_encrypt mcrypt_encrypt convert_uuencode',
);

/** Position of the argument that is a search text and not part of the result. */
export const LOOKS_FOR: Readonly<Record<string, number>> = {
  str_replace: 0,
  str_ireplace: 0,
  preg_replace: 0,
  preg_split: 0,
  explode: 0,
  trim: 1,
  ltrim: 1,
  rtrim: 1,
};

export const READS_FILE = set(
  'wp_remote_get wp_remote_post wp_remote_retrieve_body file_get_contents fopen file readfile fgets fread stream_get_contents php_strip_whitespace show_source highlight_file',
);

/** Functions that read, list or change a file or folder by name. */
export const TOUCHES_FILE = set(
  'readfile file_get_contents fopen file opendir scandir glob unlink rmdir mkdir chmod chdir touch rename copy highlight_file show_source dir symlink ' +
    'chown parse_ini_file fpassthru finfo_file move_uploaded_file file_put_contents',
);

/** The kinds of checks in WordPress: permission of the caller, or intent (a nonce). */
export type Guard = 'capability' | 'nonce';

/** WordPress functions that check permissions or nonces. */
export const GUARDED_BY: ReadonlyMap<string, Guard> = new Map([
  ['current_user_can', 'capability'],
  ['is_super_admin', 'capability'],
  ['wp_verify_nonce', 'nonce'],
  ['check_ajax_referer', 'nonce'],
  ['check_admin_referer', 'nonce'],
]);

export const WRITES_FILE = set('file_put_contents fwrite fputs');

export const FETCHES = set('curl_exec curl_multi_getcontent http_get');

/** Functions that return request data. Unlisted functions are treated as unknown. */
export const REQUEST_FUNCTIONS = set(
  'getallheaders apache_request_headers get_defined_vars filter_input filter_input_array',
);

/** Whether ordinary code has no reason to call a built-in function through a variable. */
export const isDangerousName = (name: string): boolean =>
  RUNS_COMMAND.has(name) || RUNS_CODE.has(name) || HIDES.has(name) || MORE_DANGEROUS.has(name);
const MORE_DANGEROUS = set(
  'file_put_contents move_uploaded_file call_user_func call_user_func_array preg_replace phpinfo curl_exec fwrite mail copy array_map array_filter',
);

const DANGEROUS_NAMES = [RUNS_COMMAND, RUNS_CODE, HIDES, MORE_DANGEROUS].flatMap((names) => [...names]);

/** Whether a text is a prefix of a dangerous function's name, or not a name, so that the rest can be anything. */
export const beginsDangerously = (text: string): boolean =>
  !/^[a-z_][\w:\\]*$/.test(text) || DANGEROUS_NAMES.some((name) => name.startsWith(text));

/** Like {@link beginsDangerously}, for the end of a name. */
export const endsDangerously = (text: string): boolean =>
  !/^[\w:\\]*$/.test(text) || DANGEROUS_NAMES.some((name) => name.endsWith(text));

/** Whether assembling a function's name is suspicious: harmless names need no hiding. */
export const isHiddenName = (name: string): boolean =>
  isDangerousName(name) ||
  TOUCHES_FILE.has(name) ||
  DECODES.has(name) ||
  FETCHES.has(name) ||
  PASSES_ON.has(name);

/** Of these, functions that only change texts; the use of their results is judged separately. */
export const changesText = (name: string): boolean =>
  HIDES.has(name) || (PASSES_ON.has(name) && !isDangerousName(name) && !TOUCHES_FILE.has(name));

/** The abilities of a web shell, by function names. */
export const ABILITIES = {
  commands: RUNS_COMMAND,
  host: set(
    'php_uname posix_getpwuid posix_getuid posix_geteuid posix_getegid posix_getgrgid getmyuid getmygid get_current_user disk_free_space disk_total_space ' +
      'diskfreespace getmypid get_cfg_var php_sapi_name sys_getloadavg gethostbyname phpinfo getmyinode posix_uname zend_version apache_get_modules get_loaded_extensions',
  ),
  folders: set(
    'opendir readdir scandir glob fileperms fileowner filegroup filemtime is_writable is_readable getcwd chdir filesize realpath is_dir',
  ),
  changes: set('unlink rename rmdir chmod touch copy mkdir symlink chown fwrite fputs file_put_contents'),
  uploads: set('move_uploaded_file is_uploaded_file'),
  databases: set(
    'mysql_connect mysql_query mysql_list_dbs mysql_pconnect mssql_connect mssql_query pg_connect pg_query oci_connect mysql_list_tables mysql_select_db ocilogon ora_logon msql_connect ibase_connect odbc_connect mysql_fetch_array mysql_fetch_assoc mysql_num_fields mysql_field_name',
  ),
  sockets: set(
    'fsockopen socket_create socket_connect socket_bind stream_socket_client stream_socket_server socket_listen socket_accept',
  ),
  cover: set(
    'set_time_limit ignore_user_abort error_reporting ini_set ini_restore set_magic_quotes_runtime ob_clean opcache_invalidate touch dl putenv error_log clearstatcache',
  ),
  mail: set('mail imap_open'),
  source: set('highlight_file show_source highlight_string php_strip_whitespace readfile'),
  limits: set('ini_get get_magic_quotes_gpc get_magic_quotes_runtime'),
} as const satisfies Record<string, ReadonlySet<string>>;
export type Ability = keyof typeof ABILITIES;

/** Functions that check the name or type of an upload. */
export const CHECKS_UPLOADS: ReadonlySet<string> = set(
  'preg_match in_array wp_check_filetype wp_check_filetype_and_ext getimagesize exif_imagetype ' +
    'mime_content_type',
);
