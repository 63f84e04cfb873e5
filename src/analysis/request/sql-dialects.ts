import type { Signal } from '../signal.ts';
import { REQUEST } from './signals.ts';

/** The end of a value before an added condition. */
const AFTER_VALUE = "(?:^|[^?] )(?:0|'s'|\\)) (?:\\) ){0,4}";
const JOINED = '(?:or|and|xor|\\|\\||&&)';
const CREDENTIALS =
  '(?:\\w{0,20}passw\\w{0,10}|pwd|user_pass|users?|admins?|accounts?|members|customers|credit_?cards?|wp_\\w{1,30})';

/** Rules for the syntax of particular databases, in the notation of `normalizeSql`. */
export const DIALECT_RULES: readonly (readonly [RegExp, Signal])[] = [
  // A function that is compared, or has a value as an argument; in prose, no bracket follows "or".
  [
    new RegExp(
      `${AFTER_VALUE}${JOINED} (?:not |! |\\( ){0,3}(?:\\w{1,30} \\. ){0,2}\\w{1,40} \\( [^;]{0,120}\\) (?:=|<|>|<=|>=|<>|!=|like|rlike|regexp|in|is|between) (?:\\( |- ){0,2}(?:0|'[sq]'|null|\\w{1,30} \\()`,
    ),
    REQUEST.sqlTautology,
  ],
  [
    new RegExp(
      `${AFTER_VALUE}${JOINED} (?:not |! |\\( ){0,3}(?:find_in_set|field|greatest|least|coalesce|conv|locate|position|left|right|lower|upper|concat\\w{0,3}|char|chr|md5|sha1|soundex|version|user|database|nullif|query_to_xml|current_setting|lo_import|pg_\\w{1,30}|dbms_\\w{1,30}|utl_\\w{1,30}) \\( (?:(?:0|'s'|user|database|version|select|@@\\w{1,30}) (?:,|\\(|\\)|from|in\\b)|\\))`,
    ),
    REQUEST.sqlTautology,
  ],
  [
    new RegExp(
      `${AFTER_VALUE}${JOINED} (?:not |\\( ){0,3}(?:\\w{1,40}|'s'(?: : : \\w{1,20})?) (?:@ >|< @|- > >?|# >|\\? (?:\\|)?|~ \\*?|! ~|~ ~|ilike|glob|similar to|match|is distinct from|regexp|rlike) (?:\\( )?'[sq]'`,
    ),
    REQUEST.sqlTautology,
  ],
  [
    new RegExp(
      `${AFTER_VALUE}${JOINED} (?:\\( )?(?:@@?\\w{1,40}|current_user|session_user|system_user|user|rownum) (?:=|<|>|like|in|between|is)\\b`,
    ),
    REQUEST.sqlTautology,
  ],
  [new RegExp(`${AFTER_VALUE}${JOINED} (?:\\( )?\\{ (?:ts|d|t|fn|x|oj) (?:'s'|\\w)`), REQUEST.sqlTautology],
  [
    /^(?:0|'s'|\)) (?:\) ){0,4}(?:or|and|\|\||&&) 0 (?:[-+*/%] 0 (?:=|<|>|<>) 0|isnull|notnull)(?: --| '[sq]'|$)/,
    REQUEST.sqlTautology,
  ],
  [
    /^0 (?:like|rlike|regexp) 0$|(?:^|, )(?:make_set|elt|iif|if|nullif) \( 0 (?:=|<|>|<>) 0 ,|^\( 0 = 0 \) \* 0$/,
    REQUEST.sqlTautology,
  ],
  [/^(?:- )?0 (?:(?:or|and|\|\||&&) (?:!|~) |xor )(?:- )?0$/, REQUEST.sqlTautology],
  [/^(?:where )?0 = 0 (?:or|and|&&|\|\|) (?:0|'s')(?: --|$| =)/, REQUEST.sqlTautology],
  [
    /^'s' (?:\) ){0,3}(?:or|and|\|\||&&) \( exists \)|^'s' (?:\) ){0,3}(?:or|and) \w{1,40} (?:like|rlike|regexp|=) \w{1,20} \(/,
    REQUEST.sqlTautology,
  ],
  [
    /\b(?:intersect|except|minus) (?:all |\( ){0,2}select (?:0|'s'|\*|null|\w{1,40} (?:,|from|\())/,
    REQUEST.sqlUnion,
  ],
  [/(?:^|[^?] )(?:0|'s'|\)) union (?:all )?table \w{1,40}(?: --|$| limit)/, REQUEST.sqlUnion],
  [
    /; (?:vacuum into|pragma \w{1,40}|attach (?:database )?'|flush \w{1,20}|reset master|kill 0|lock tables?|do (?:\$|'s'|sleep)|perform \w{1,30} \(|grant \w{1,30} to|open \w{1,30}|drop function|create or replace|merge into|raiserror|exec(?:ute)? immediate|desc(?:ribe)? \w{1,40} ; --)/,
    REQUEST.sqlStacked,
  ],
  [
    /^'s' (?:exec(?:ute)? (?:\w{1,30} \. ){0,3}(?:\. )?[sx]p_\w|insert into \w|create (?:user|login) \w|grant \w{1,30} (?:to|on) )/,
    REQUEST.sqlStacked,
  ],
  [/^(?:if|iif) \( 0 (?:=|<|>) 0 \) select\b/, REQUEST.sqlStacked],
  [
    new RegExp(`^select (?:\\w{1,40} , ){0,10}\\w{1,40} from ${CREDENTIALS}(?: where| limit| ;| --|$)`),
    REQUEST.sqlStatement,
  ],
  [
    /^select (?:current_user|session_user|user|system_user|current_database|version)(?: ;| --|$)/,
    REQUEST.sqlStatement,
  ],
  [
    /^\w{1,40} (?:, \w{1,40} ){0,10}from \w{1,40} (?:where|limit|order|union) [^;]{0,200}--$/,
    REQUEST.sqlStatement,
  ],
  [/^backup (?:database|log) \w/, REQUEST.sqlStatement],
  [
    /\bcopy (?:\w{1,40}|\( select [^;]{0,200}\)) ?(?:\([^;)]{0,100}\) )?(?:from|to) (?:program|'s')/,
    REQUEST.sqlFile,
  ],
  [
    /\b(?:lo_get|lo_put|lo_from_bytea|pg_read_binary_file|pg_stat_file|dblink\w{0,20}|xmltype|dbms_xmlgen \. \w{1,20}|dbms_scheduler \. \w{1,20}|dbms_java \. \w{1,20}|utl_file \. \w{1,20}|utl_smtp \. \w{1,20}|ctxsys \. \w{1,20} \. \w{1,5}|sys_eval|sys_exec|bfilename|eval_js|sp_execute_external_script|xp_\w{1,40}) ?\(/,
    REQUEST.sqlFile,
  ],
  [/^(?:\w{0,30} )?; --$/, REQUEST.sqlEnd],
  [/\b(?:chr|char|nchar|chr) \( 0 \) (?:\+|\|\|) (?:chr|char|nchar) \( 0 \)/, REQUEST.sqlAssembled],
];

const NESTED =
  /\b(?:(?:un?|uni|unio)union(?:i?on|nion|n)|(?:se?|sel|sele|selec)select(?:elect|lect|ect|ct|t)|(?:wh?|whe|wher)where(?:here|ere|re|e)|(?:fr?|fro)from(?:rom|om|m)|oorr|anandd|aandnd|(?:in?|inf|info)information_?)\b/i;

/** Whether a keyword is nested in another, so that a filter that removes it once leaves a keyword. */
export const hasNestedKeywords = (value: string): boolean => NESTED.test(value);
