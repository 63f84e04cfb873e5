import { isProse } from '../words.ts';
import { REQUEST, type Report } from './signals.ts';

const PHP_TAG = /<\?(?:php\b|=|\s)|<\?(?!xml)[a-z$@]|<script[^>]{1,40}language[^>]{1,8}php/i;
const PHP_CALL =
  /\b(?:phpinfo|system|exec|shell_exec|passthru|popen|proc_open|pcntl_exec|eval|assert|base64_decode|gzinflate|str_rot13|call_user_func(?:_array)?|create_function|file_get_contents|file_put_contents|readfile|show_source|highlight_file|scandir|getcwd|move_uploaded_file|preg_replace|array_map|array_filter|usort|register_shutdown_function|print_r|var_dump|print|echo|die|chr|ini_set|ini_get|curl_exec|parse_ini_file|phpversion|get_current_user|getenv|array_diff_u(?:key|assoc)|ob_start|invokefunction|fsockopen|bzopen|gzopen|readgzfile|ftp_\w+|posix_\w+|opendir|putenv|md5|strrev|hex2bin|get_defined_vars|getallheaders|arsort|array_walk|lcfirst|__halt_compiler|var_export)\s{0,10}\(\s{0,10}(?:\)|["'$\\/]|\d|\w+\s{0,5}\(|php|base64|chr\s*\(|\[)/i;
const PHP_VARIABLE =
  /\$(?:_(?:GET|POST|REQUEST|COOKIE|SERVER|FILES|SESSION|ENV)\b|GLOBALS\b|HTTP_(?:RAW_POST_DATA|\w+_VARS)|argv\b)|\$\{\s*@?(?:phpinfo|print|system|eval|\w+\s*\()|\$\w{1,30}\s{0,5}\(\s{0,5}\$\w|\$\{?["'\\`][^"']{0,40}["'`]\}?\s*\(|\(\s*["'][a-z]{1,20}["']\s*(?:\.\s*["'][a-z]{1,20}["']\s*){0,5}\)\s*\(/i;

/** Functions named where a router calls what it is told to. */
const PHP_ROUTE =
  /\\think\\\w|^(?:call_user_func(?:_array)?|shell_exec|passthru|proc_open|create_function|invokefunction|phpinfo)$/i;

/** Calls into other languages and their runtimes. */
const EXPRESSION =
  /\b(?:java\s*\.\s*(?:lang|io|net|util|beans)\s*\.\s*\w|javax\s*\.\s*script|getruntime\s*\(|processbuilder|classloader|class\s*\.\s*forname|getclass\s*\(|forname\s*\(|scriptenginemanager|_memberaccess|ognl|xwork|com\.opensymphony|springframework|org\.apache\.(?:commons|xalan|logging|struts)|sun\.reflect|freemarker\.template|__import__|__globals__|__builtins__|__subclasses__|__mro__|__class__|__init__|subprocess\s*\.|os\s*\.\s*(?:system|popen|exec\w*|environ)\s*[([]|child_process|process\s*\.\s*(?:env|binding|mainmodule|exit)|require\s*\(\s*["'](?:child_process|fs|os|net|http)|global\s*\.\s*process|kernel\s*\.\s*(?:exec|system|open)|io\s*\.\s*popen|system\s*\.\s*diagnostics|xp_cmdshell|server\s*\.\s*(?:createobject|execute|mappath|transfer)|wscript\s*\.\s*shell|response\s*\.\s*write|activexobject|new\s+java\.|beanshell|\bruntime\s*\.\s*exec|__proto__\s*(?:\[|\.|"|'|=)|constructor\s*\.\s*prototype|constructor\s*\[\s*["']?prototype|processimpl|mappedbytebuffer|inetsocketaddress|stringbuilder|proxyservices|unsafe\.allocate|base64\.getdecoder|bsh\.interpreter|jdk\.|nashorn|groovy\.|luajava)/i;
const LOOKUP =
  /\$\{\s*(?:jndi\s*\}|(?:\$\{|[a-z:'-]){0,6}(?:jndi|lower|upper|env|sys|date|::|base64|java|ctx|main|map|bundle|k8s|docker|spring|web|marker)\s*:)|jndi\s*:\s*(?:ldaps?|rmi|dns|nis|iiop|corba|nds|https?)\s*:|\$\{[^{}]{0,40}\$\{[^{}]{0,40}\}/i;

const MARKS =
  /\{\{([^{}]{1,300})\}\}|\$\{([^{}]{1,300})\}|#\{([^{}]{1,300})\}|<%=?([^%]{1,300})%>|\*\{([^{}]{1,300})\}|\{%([^%]{1,300})%\}|\[\[\$\{([^}]{1,300})\}\]\]|@\(([^()]{1,200})\)|~\{([^{}]{1,200})\}|%\{([^{}]{1,300})\}|\{([^{}\s"':;]{1,60})\}|\$\(([^()]{1,100})\)/g;
const MATH = /^\s*["']?\d{1,12}["']?\s*[*+\-/|]\s*["']?\d{1,12}["']?\s*$|^\s*\d+\s*\*\s*['"]\d+['"]\s*$/;
const REACHES =
  /__\w+__|\b(?:config|self|request|cycler|joiner|lipsum|namespace|url_for|get_flashed_messages|constructor|getclass|forname|runtime|exec|system|popen|import|open|file|env|session|settings|_self|registerundefinedfiltercallback|getfilter|map|sort|filter|reduce|php|passthru|new\s|t\(|class|application|dump|app\.|debug|process|require|global|this|range|print|eval|phpinfo|freemarker|execute|ex\s*\(|assign|#set|import|alert|math\.|toString|valueof|response|bsh|ognl|loadclass|invoke|jexl|server|include|mailto|smarty|velocity)\b/i;
const MARKS_MAX = 200;

/** Finds what is code wherever it stands: tags of PHP, lookups of Log4j. */
export function findTagsAndLookups(value: string, report: Report): void {
  if (value.includes('<') && PHP_TAG.test(value)) report(REQUEST.phpCode);
  if (/[:{]/.test(value) && LOOKUP.test(value)) report(REQUEST.lookup);
}

/** Finds code for what runs behind the page: PHP, templates, expression languages. */
export function findCode(value: string, report: Report): void {
  findTagsAndLookups(value, report);
  if (PHP_ROUTE.test(value)) report(REQUEST.phpCall);
  if (/[($]/.test(value) && (PHP_CALL.test(value) || PHP_VARIABLE.test(value)) && !isProse(value))
    report(REQUEST.phpCall);
  if (EXPRESSION.test(value)) report(REQUEST.expression);
  if (/[{<@[#$*%~]/.test(value)) findTemplates(value, report);
  if (
    /[<{#]/.test(value) &&
    /<!--\s{0,5}#\s{0,5}(?:exec|include|echo|config|set|printenv|flastmod|fsize)|<esi:\w+|<xsl:|<%\s*@|<jsp:|<c:\w+\s|<#(?:assign|list|if)|#set\s*\(\s*\$|\{php\}|\{\$smarty|\{system\(|\{if\s/i.test(
      value,
    )
  )
    report(REQUEST.serverInclude);
  if (value.includes('%') && /(?:%\d{0,4}(?:\.\d+)?[nxspd][\s,.-]?){4,}|(?:%\d{0,3}\$?[nsx]){5,}/.test(value))
    report(REQUEST.formatString);
}

const CODE_IN_FILE =
  /<\?(?:php\b|=)[\t\n\r\u0020-\u007e]{4}|<%[=@!]?[\t\n\r\u0020-\u007e]{12}|<script[\s>][\t\n\r\u0020-\u007e]{8}/i;

/** Finds code hidden in a file of a binary format, whose other bytes say nothing. */
export function findCodeInFile(value: string, report: Report): void {
  if (CODE_IN_FILE.test(value)) report(REQUEST.phpCode);
}

function findTemplates(value: string, report: Report): void {
  let read = 0;
  for (const [whole, ...groups] of value.matchAll(MARKS)) {
    if (++read > MARKS_MAX) return;
    const inner = groups.find((group) => group !== undefined) ?? '';
    if (MATH.test(inner)) report(REQUEST.templateMath);
    const isStrong = !/^\{[^{%]/.test(whole) && !whole.startsWith('$(');
    if (isStrong && REACHES.test(inner) && /[(.[_|*]/.test(inner)) report(REQUEST.templateObject);
    else if (isStrong && /^(?:\{\{|<%|\{%|#\{|\$\{)/.test(whole)) report(REQUEST.templateMarks);
  }
}
