import { decodeUrl } from '../decode.ts';
import type { Signal } from '../signal.ts';
import { REQUEST, type Report } from './signals.ts';
import { DIALECT_RULES, hasNestedKeywords } from './sql-dialects.ts';
import { type Enclosure, normalizeSql } from './sql-lexer.ts';

/** Rules in the notation of {@link normalizeSql}. */
const RULES: readonly (readonly [RegExp, Signal])[] = [
  [/^(?:\) )?(?:or|and|xor|\|\||&&) (?:\( )?\w+ (?:=|<|>|!=|<>) (?:\( )?\w+(?: --)?$/, REQUEST.sqlTautology],
  [/^(?:or|and|\|\||&&) (?:not )?(?:true|false)(?: --)?$/, REQUEST.sqlTautology],
  // In a numeric context no quote is closed.
  [
    /^(?:[(-] ){0,3}0 (?:\) ){0,3}(?:=|!=|<>|<=>|<|>|<=|>=) (?:[(-] ){0,3}0 (?:\) ){0,3}--/,
    REQUEST.sqlTautology,
  ],
  [
    /^(?:[(-] ){0,3}0 (?:\) ){0,3}(?:not )?(?:like|rlike|regexp) (?:[(-] ){0,3}0(?: \)){0,3}(?: --)?$/,
    REQUEST.sqlTautology,
  ],
  [/^(?:0|'s'|\)|\w+) (?:\) )*(?:or|xor|\|\|) (\w+) = \1(?: --|$)/, REQUEST.sqlTautology],
  [
    /\bunion (?:all |distinct |distinctrow |\( ){0,4}select(?!$| 'q'$| \w+(?: \w+){0,30}(?: [?.])?$)|(?:^|(?<!% )0|'s'|\)) union (?:all |distinct |distinctrow |\( ){0,4}select\b(?! 'q'$)|\bunion (?:all |distinct )?select (?:[a-z_]\w* ){0,20}?(?:0|null|from|all|distinct|top)\b/,
    REQUEST.sqlUnion,
  ],
  [/\bunion (?:all |distinct )?\( ?values\b/, REQUEST.sqlUnion],
  [
    /(?:\b(?:or|and|xor|having|when|where|not)|\|\||&&) (?:not |! |\( |~ |- |binary ){0,5}(?:0|'s') (?:\) ){0,4}(?:=|<>|!=|<=>|<|>|<=|>=|like|rlike|regexp|is|in|between|div|sounds like|not like|not in|= =) (?:\( |- |~ |! |binary |not ){0,5}(?:0|'[sq]'|\w+|\()/,
    REQUEST.sqlTautology,
  ],
  [
    /(?:(?:^|0|'s'|\)) (?:or|and|xor|having|\|\||&&)|^\w+ (?:or|and|\|\||&&)) (?:not |! |\( ){0,3}(?:true|false|null)\b(?! (?:[\w,.?!]|'[sqt]' \w))/,
    REQUEST.sqlTautology,
  ],
  [
    /(?:^|(?<!\w (?:=|<|>|<=|>=)(?: -)?) )(?:0|'s'|\)) (?:\) ){0,4}(?:or|and|xor|\|\||&&) (?:not |! |\( ){0,3}(?:\w+ \. ){0,3}\w+ (?:\) ){0,3}(?:=|<>|!=|<|>|<=|>=|like|in|is|between|regexp|rlike) (?:\( |- |not ){0,3}(?:0|'[sq]'|null|\()/,
    REQUEST.sqlTautology,
  ],
  [
    /(?:^| )(?:0|'s'|\)) (?:\) ){0,4}(?:or|and|xor|\|\||&&) (?:not |! |- |~ |\( ){0,4}(?:0|'[sq]')(?: \)){0,4}(?: --| '[sq]'|$)/,
    REQUEST.sqlCondition,
  ],
  [
    /(?:\b(?:or|and|xor)|\|\||&&) (?:not |! |\( ){0,4}(?:exists|ascii|ord|substr|substring|mid|length|len|count|if|elt|bin|hex|row_count|char_length|iif|ifnull|nullif|strcmp|make_set|rand|user_name|is_srvrolemember|db_name|unicode|instr|isnull|updatexml|extractvalue|sleep|benchmark|json_\w+|has_\w+) \(/,
    REQUEST.sqlTautology,
  ],
  [
    /; (?:(?!(?:then|or|and|please|now|also|but|so|to|just) )\w+ )?(?:(?:drop|create|alter|truncate|rename) (?:table|database|view|user|procedure|function|index|schema|column|or|login|trigger|temporary|extension|assembly)|insert into|replace into|update \w+ set|delete from|delete \w+|exec(?:ute)?\b (?:\w+|'|\(|@)|declare @?\w+|waitfor (?:delay|time)|shutdown\b|select (?:0(?= (?:,|from|--|;|union|into|where|\+|-|\*|\|)|$)|'|\*|\w+ \(|\w+ from|\w+ ,|@|pg_|count|case|top|if)|begin\b|grant \w+|call \w+|set @|if \(|copy \w+|use \w+|desc \w+|load data|handler \w+|print\b|backup database|reconfigure|dbms_\w+|prepare \w+|truncate \w+|drop \w+)/,
    REQUEST.sqlStacked,
  ],
  [
    /(?:^|[=(|]|'s'|\b0) ?(?:select) (?!\w+(?: \w+){1,8} from \w+(?: \w+){0,20}$)(?:distinct |all |top 0 |\( ){0,3}(?:\*|0|'s'|@@?\w+|\w+(?: \. \w+)?)(?: (?:[^\w\s;][^\s;]*|\w+(?= (?:[^\w\s]|from\b|as\b))|as(?! (?:[^\w\s]|from\b|as\b)))){0,60} from (?!(?:table|database|where)\b|\w+ where (?:to|the|you|it|is|i|we|can|does|do|are) )[\w.]+/,
    REQUEST.sqlStatement,
  ],
  [
    /^(?:insert into \w+(?: \.\s\w+)? ?(?:\(|values|select)|update \w+ set \w+ =|delete from \w+(?: where| ;| --|$)|drop (?:table|database|view|user) (?:if exists )?\w+(?: \. \w+)?(?: [,(]| ;(?! [a-z]{2,20}(?: \.|$))| --| cascade|$)|create (?:table|database|user|function|procedure|or replace) \w+|alter (?:table|user|database) \w+|truncate table \w+|exec(?:ute)? (?:master|sp_\w+|xp_\w+|\( (?:'|@|0|\w+ (?:\(|\+|\|\|)))|declare @\w+|waitfor delay '|select (?:@@?\w+|\w+ \(|0|'s'|\*))/,
    REQUEST.sqlStatement,
  ],
  [
    /\( (?:\( ){0,4}select (?:\( |distinct |all |0|'|@|\*|\w+ (?:\(|,|from|\.|\)|where)|case|top|count)/,
    REQUEST.sqlSubselect,
  ],
  [
    /\b(?:sleep|pg_sleep|benchmark|randomblob|sleepfn|dbms_lock \. sleep|dbms_session \. sleep|dbms_pipe \. receive_message|generate_series|delay) \( (?:\( )?(?:- )?(?:0|'s'|select|\w+ \()/,
    REQUEST.sqlDelay,
  ],
  [/\bwaitfor (?:delay|time)\b/, REQUEST.sqlDelay],
  [
    /\b(?:extractvalue|updatexml|geometrycollection|multipoint|multilinestring|multipolygon|linestring|polygon|xmltype|st_latfromgeohash|st_longfromgeohash|st_pointfromgeohash|gtid_subset|gtid_subtract|drithsx \. sn|get_host_address|get_host_name|getmappingxpath|name_const|xpath_\w+|exp) \( (?:\(|0|'|~|select|concat|\w+ \()/,
    REQUEST.sqlError,
  ],
  [/\b(?:convert|cast) \( (?:int|\( select|@@|0x|char|'s' as|\w+ \( )/, REQUEST.sqlError],
  [
    /\b(?:information_schema|mysql \. (?:user|db|innodb\w*)|sysobjects|syscolumns|sysdatabases|syslogins|sysusers|pg_catalog|pg_tables|pg_shadow|pg_user|pg_database|pg_class|sqlite_master|sqlite_schema|all_tables|all_tab_columns|user_tables|user_tab_columns|user_objects|v \$ version|v\$version|v\$session|v\$parameter|sys \. (?:tables|objects|databases|sql_logins|columns|dual|user\$?)|msysaccessobjects|msysobjects|rdb\$\w+|syscat|sysibm|master \. (?:dbo|sys|\.)|xp_cmdshell|xp_\w+|sp_executesql|sp_password|sp_oacreate|sp_oamethod|sp_makewebtask|sp_addextendedproc|sp_configure|sp_help|sp_addsrvrolemember|openrowset|opendatasource|openquery|domain \. domains|tables_schema|table_schema|table_name from|dba_users|all_users|performance_schema|user_password)\b/,
    REQUEST.sqlSchema,
  ],
  [
    /@@(?:version|servername|hostname|datadir|basedir|spid|global|language|microsoftversion|pack_received|connections|tmpdir|version_compile_os|secure_file_priv|identity|innodb_\w+|rowcount)\b/,
    REQUEST.sqlSchema,
  ],
  [
    /\b(?:load_file|utl_http \. request|utl_inaddr|dbms_xslprocessor|httpuritype|lo_import|lo_export|pg_read_file|pg_ls_dir|pg_file_write|dbms_ldap \. init|load_extension|readfile|writefile|fn_xe_file\w*|bulk insert) ?\(/,
    REQUEST.sqlFile,
  ],
  [
    /\b(?:into (?:outfile|dumpfile)|load data (?:local )?infile|copy \w+ (?:from|to) (?:program )?'|procedure analyse|bulk insert)\b ?/,
    REQUEST.sqlFile,
  ],
  [/\bprocedure analyse \(/, REQUEST.sqlError],
  [/\b(?:order|group) by (?:\( )?0(?: , \w+){0,20}(?: \)){0,3}(?: --| '[sq]'| ;)/, REQUEST.sqlOrder],
  [
    /(?:^|[)'] |0 )(?:order|group) by (?:(?:0|\w+|\( select)(?: , \w+){0,20}(?: (?:asc|desc))?(?: having 0 = 0)?(?: --| limit)|(?:0|\( select)(?: , \w+){0,20}(?: (?:asc|desc))?(?: having 0 = 0)?$)/,
    REQUEST.sqlOrder,
  ],
  [/\bhaving (?:0|'s'|\w+ \( ?\w*\*? ?\)) (?:=|<|>)/, REQUEST.sqlOrder],
  [
    /^(?:\( )?case when (?:\( )?(?:\w+ \(|0 (?:=|<|>)|'s'|@@)[^;]{1,200} end(?: \))?(?: --| asc| desc)?$/,
    REQUEST.sqlTautology,
  ],
  [/\b(?:case when|when) [^;]{1,80} then (?:0|'|\(|\w+)/, REQUEST.sqlFunction],
  [
    /\b(?:if|iif) \( (?:\( )?(?:0|'s'|\w+ \(|select|now|user|@@)[^;]{0,60} , (?:0|'|\w+ \(|\()/,
    REQUEST.sqlFunction,
  ],
  [
    /\b(?:chr|char|nchar) \( 0(?: , 0){0,60} \)(?: (?:\|\||\+|,)|$| (?:and|or|from|--|\)))/,
    REQUEST.sqlFunction,
  ],
  [
    /\b(?:concat|concat_ws|group_concat|string_agg|ascii|ord|substring|substr|mid|regexp_substring|crypt_key|make_set|elt|db_name|host_name|hex|unhex|quote_ident|string_to_array|array_to_string|xmlagg|listagg|wm_concat|utl_raw|rawtohex|ascii_val|md5) \( (?:0|'|\(|select|@@|\w+ \(|user|database|version|distinct|cast|table_name|column_name|username|password)/,
    REQUEST.sqlFunction,
  ],
  [
    /\b(?:database|version|user|current_user|system_user|session_user|schema|current_database|connection_id|last_insert_id|suser_sname|user_name|getpgusername) \( \)/,
    REQUEST.sqlFunction,
  ],
  [
    /'s' (?:\) ){0,4}(?:like|rlike|regexp|between|in|is not|not in|div|mod|collate|limit|offset) (?:\( |- ){0,3}(?:0|'|binary|\()/,
    REQUEST.sqlBreak,
  ],
];

const ALL_RULES = [...RULES, ...DIALECT_RULES];

/** Rules for a value that has closed the enclosing quote. */
const BREAK_RULES: readonly (readonly [RegExp, Signal])[] = [
  [
    /^'s' (?:\) ){0,6}(?:or|and|xor|not|having|union|where|order|group|limit|like|rlike|regexp|in|between|is|procedure|into|\|\||&&|=|<>|!=|<|>|<=|>=|\+|-|\*|\/|%|\^|\||&|,|;) (?:(?:'s'|@{0,2}\w+|[^\w\s';@]+) ){0,40}(?:'q'|--)$/,
    REQUEST.sqlBreak,
  ],
  [/^'s' (?:\) ){0,6}(?:; )?--$/, REQUEST.sqlEnd],
  [/^'s' (?:\) ){1,6}(?:or|and|union|as \w+ where|order by|group by|limit|waitfor|;)/, REQUEST.sqlBreak],
  [
    /^'s' (?:=|<|>|<>|!=|-|\+|\*|\/|\^|%|&|\||\|\||&&|like|and|or|div|mod|is|xor) '[qs]'(?: --)?$/,
    REQUEST.sqlBreak,
  ],
  [/^'s' (?:(?:\|\||\+|-|\*) )?\( (?:select|case|if)/, REQUEST.sqlSubselect],
  [/^'s' (?:or|and|\|\||&&) (?:0|'s'|\w+)(?: --| '[sq]')?$/, REQUEST.sqlCondition],
];

const MAYBE_SQL =
  /['"#;@*]|--|\|\||&&|\b(?:select|union|or|and|xor|having|where|exec|declare|drop|insert|delete|update|create|alter|truncate|waitfor|sleep|benchmark|order|group|case|procedure|char|concat|convert|cast|into|information_schema|if|shutdown|rlike|like|limit|pg_sleep|randomblob|desc|print|make_set|elt|iif|nullif)\b/i;

/** Feet and inches, such as `6' x 4'`. */
const MEASURES =
  /\b\d[\d./]{0,6}\s?(["'])(?:\s?\d[\d./]{0,6}\s?["'])?\s(?:x|or|and|to|by|×|-)\s\d[\d./]{0,6}\s?\1(?!\s{0,3}=)/g;
/** Waist and length, such as `10.5" / 27'`. */
const SIZES = /\b\d[\d.]{0,5}"\s?\/\s?\d[\d.]{0,5}'/g;
/** Strand ends and positions in molecules, such as `5'-UTR` and `3',5'-cAMP`. */
const PRIMES =
  /\b\d{1,2}'{1,2}(?=(?:,\d{1,2}'{1,2}){0,4}-[A-Za-z][\w-]{0,60}(?:\d'-[A-Za-z][\w-]{0,60}){0,4}(?:\d?'(?=[;.)]))?(?:[\s;.)]|,\s|$))|(?<=\d',)\d{1,2}'(?=-[A-Za-z])|\b[35]'-[35]'(?=[\s;,.)]|$)/g;
const HEART = /(?<=[A-Za-z.,!] |^)<3(?=[\s.,!?]|$)/g;
const WORDS_MAX = 4;
const ENCLOSED_CHARS_MAX = 8 * 1024;
const ESCAPES_CHARS_MAX = 200;
const BEFORE_QUOTE_CHARS = 1_000;
/** The text before the closed quote: one value, not a sentence. */
const BEFORE_QUOTE = /^[\w@.%+-]{0,60}[\s)\\]{0,10}$/;

/** A quoted phrase followed by words; an injection that closes a quote has no reason to open one first. */
const PHRASE_FIRST =
  /^"(?!\s|[)=])[^"]{0,200}[^\s"=]"(?:[.,:!?]|\s{1,3}(?:\((?!select)|(?!(?:or|and|xor|union|like|in|is|between|having|where|order|group|limit|rlike|regexp|div|mod|not|as)\b)\p{L}{2}))/iu;
/** A comment at the end of a quotation, as in a joke about a name. */
const CUT_IN_QUOTATION = /--\s?["”»](?:\s|$)/;

/** Finds SQL in a value, both unquoted and inside quotes of its statement. */
export function findSql(whole: string, report: Report): void {
  if (hasNestedKeywords(whole)) report(REQUEST.sqlHidden);
  if (!MAYBE_SQL.test(whole)) return;
  const value = whole.replace(MEASURES, ' ').replace(SIZES, ' ').replace(PRIMES, '').replace(HEART, ' ');
  const enclosures: Enclosure[] = [''];
  if (value.includes("'")) enclosures.push("'");
  if (value.includes('"') && !PHRASE_FIRST.test(value)) enclosures.push('"');
  const isQuoted = CUT_IN_QUOTATION.test(value);
  for (const enclosure of enclosures) {
    const read = enclosure === '' ? value : aroundQuote(value, enclosure);
    const { text, hidden } = normalizeSql(read, enclosure);
    const leavesQuote = enclosure !== '' && BEFORE_QUOTE.test(beforeQuote(value, enclosure));
    const isProse = enclosure !== '' && startsWithProse(text);
    for (const [pattern, signal] of ALL_RULES) {
      if (signal === REQUEST.sqlCondition && enclosure === '') continue;
      if (isQuoted && signal === REQUEST.sqlStacked) continue;
      if (!isProse && pattern.test(text)) report(signal);
    }
    if (leavesQuote && !isQuoted)
      for (const [pattern, signal] of BREAK_RULES) if (pattern.test(text)) report(signal);
    if (
      hidden > 0 &&
      /\b(?:select|union|from|and|or|where|sleep|insert|drop|order|group|null|exec|0)\b/.test(text)
    )
      report(REQUEST.sqlHidden);
  }
}

/** The text around the first quote. The text before it may be long, and only shows whether the quote is escaped. */
function aroundQuote(value: string, quote: string): string {
  const from = Math.max(0, value.indexOf(quote) - ESCAPES_CHARS_MAX);
  return value.slice(from, from + ENCLOSED_CHARS_MAX);
}

/** The decoded text before a quote; encoded, a sentence would look like one word. */
function beforeQuote(value: string, quote: string): string {
  const at = value.indexOf(quote);
  return decodeUrl(value.slice(0, Math.min(at, BEFORE_QUOTE_CHARS)));
}

/** Whether prose follows the quote, which is then an apostrophe. */
function startsWithProse(text: string): boolean {
  const words = text.slice(0, 200).split(' ');
  let plain = 0;
  for (const word of words.slice(1, WORDS_MAX + 1))
    if (/^[a-z]{1,20}$/.test(word) && !KEYWORDS.has(word)) plain++;
  return plain >= 3;
}

const KEYWORDS = new Set(
  'or and union select from where having order group by like rlike regexp not in is null limit waitfor delay case when then else end as all distinct exec declare drop table insert into update set delete exists between procedure analyse sleep benchmark'.split(
    ' ',
  ),
);
