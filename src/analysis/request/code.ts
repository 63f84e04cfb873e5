import { findPhp, findPhpTag, withoutJoints } from './php.ts';
import { REQUEST, type Report } from './signals.ts';

/** Calls to other languages and their runtimes. */
const EXPRESSION =
  /\b(?:java\s{0,5}\.\s{0,5}(?:lang|io|net|util|beans)\s{0,5}\.\s{0,5}(?!\w{0,40}(?:Exception|Error)\b)\w|javax\s*\.\s*script|getruntime\s*\(|processbuilder|classloader\s{0,3}[.([]|class\s*\.\s*forname\s{0,3}\(|getclass\s*\(|forname\s*\(|scriptenginemanager|_memberaccess|ognl[.@(]|xwork|com\.opensymphony|springframework|(?<!\bat )org\.apache\.(?:commons|xalan|logging|struts)\.\w|sun\.reflect|freemarker\.template|__(?:import|globals|builtins|subclasses|mro|class|bases?|init(?!__\.py))__\s{0,3}[.,([\]"'|})~]|subprocess\s*\.|os\s*\.\s*(?:system|popen|exec\w*|environ)\s*[([]|child_process|process\s*\.\s*(?:env\s{0,3}(?:[.[)};]|$)|binding|mainmodule|exit\s{0,3}\()|(?:global(?:this)?|process|this)\s{0,3}\[\s{0,3}["'`](?:process|mainmodule|binding|env|constructor|require)|import\s{0,3}\(\s{0,3}["'`](?:child_process|fs|node:)|["']\s{0,3}\.\s{0,3}execute\s{0,3}\(|require\s*\(\s*["'](?:child_process|fs|os|net|http)|(?:global(?:this)?|root)\s*\.\s*process|system\.(?:exit|getenv|getproperty|setproperty|load\w{0,10})\s{0,3}\(|process\.(?:spawn|start|exec\w{0,10})\s{0,3}\(|deno\.(?:run|command|env|read\w{1,20})\b|bun\.(?:spawn\w{0,5}|write)\s{0,3}\(|function\s{0,3}\(\s{0,3}["'`]return\b|vm\.run\w{1,30}\s{0,3}\(|shell\.application\b|kernel\s*\.\s*(?:exec|system|open)|io\s*\.\s*popen|system\s*\.\s*diagnostics|xp_cmdshell|server\s*\.\s*(?:createobject|execute|mappath|transfer)|wscript\s*\.\s*shell|response\s*\.\s*write|activexobject|new\s+java\.|beanshell|\bruntime\s*\.\s*exec|__proto__\s*(?:\[|\.|"|'|=)|constructor\s*\.\s*prototype|constructor\s*\[\s*["']?prototype|processimpl|mappedbytebuffer|inetsocketaddress|stringbuilder\s{0,3}[(.]|proxyservices|unsafe\.allocate|base64\.getdecoder|bsh\.interpreter|jdk\.(?:nashorn|internal|jshell)|nashorn\.|groovy\.(?:lang|util|transform|sql|json)|luajava)/i;
const LOOKUP =
  /\$\{\s{0,5}jndi\s{0,5}(?::|\}\s{0,3}:)(?! [a-z]{2,9} [a-z]|\w{1,8}:\/\/(?:\.{2,3}|\u2026)\})|\$\{(?:lower|upper)\s{0,3}:|jndi\s{0,5}:\s{0,5}(?:ldaps?|rmi|dns|nis|iiop|corba|nds|https?)\s{0,5}:(?!\/\/\.{2,3}[}\s]|\/\/\u2026)/i;
const LOOKUP_OTHER =
  /\$\{(?:sys:(?:java|os|user)\b|java:(?:version|os|vm|runtime|hw|locale)|k8s:|docker:|script:\w{1,20}:|url:utf-?8:|dns:(?:address|name)\||env:(?:AWS|DB|MYSQL)_)/i;
const INNER_LOOKUP =
  /\$\{(?:[^${}]{0,60}:-([^${}]{0,60})|(?:lower|upper)\s{0,3}:([^${}]{0,60})|date:'([^${}']{0,20})')\}/gi;
const LOOKUPS_DEPTH_MAX = 4;
/** OGNL as accepted by Struts, Razor calls, and Scheme in LilyPond scores. */
const OGNL =
  /#\(\s{0,3}(?:system|open-(?:input-|output-)?(?:file|pipe)|getenv)\b|@\(?system\.(?:io|diagnostics|environment|reflection|net)\.|\(#[a-z_]\w{0,30}\s{0,3}[=.[@]|(?:^|[?&\s])(?:redirect|action|redirectaction):\s{0,3}[$%]\{/i;
/** A class name alone, as in searches of documentation; nothing is called. */
const CLASS_NAME = /^(?:\/[\w.-]{1,40}){0,6}\/?(?:java|javax|System|org|com)(?:\.[A-Za-z]\w{0,40}){2,8}$/;
/** Ruby's commands: backticks and their alternative notation. */
const RUBY_RUN =
  /(?:^|[\s.;(=|])qx\s?(?:[{(]\w|\/\w{2,20}(?:[\s\\;|&][^/]{0,80})?\/(?!\w))|(?:^|[^\w%])%x(?:\([^()]{1,80}\)|\{[^{}]{1,80}\}|\[[^[\]]{1,80}\])/;

const MARKS =
  /\{\{([^{}]{1,300})\}\}|\$\{([^{}]{1,300})\}|#\{([^{}]{1,300})\}|<%=?([^%]{1,300})%>|\*\{([^{}]{1,300})\}|\{%([^%]{1,300})%\}|\[\[\$\{([^}]{1,300})\}\]\]|@\(([^()]{1,200})\)|~\{([^{}]{1,200})\}|%\{([^{}]{1,300})\}|\{([^{}\s"':;]{1,60})\}|\$\(([^()]{1,100})\)/g;
const MATH =
  /^\s*(?:=\s*)?["']?\d{1,12}["']?\s*[*+\-/|]\s*["']?\d{1,12}["']?\s*$|^\s*\d+\s*\*\s*['"]\d+['"]\s*$/;
const REACHES =
  /__\w+__|\blookup\s{0,3}\(\s{0,3}["'](?:pipe|file|env|url|lines)\b|`|#with\s{1,3}["']|["'\])]\.(?!to(?:Lower|Upper)Case|to(?:Fixed|ISOString|LocaleString)|trim|slice|split|join|strftime|format)\w{2,30}\(|\b(?:_context|dir|io|kernel|config|self|request|cycler|joiner|lipsum|namespace|url_for|get_flashed_messages|constructor|getclass|forname|runtime|exec|system|popen|import|open|file|env|session|settings|_self|registerundefinedfiltercallback|getfilter|map|sort|filter|reduce|php|passthru|new\s(?!Date\()|t\(|class|application|dump|app\.|debug|process|require|global|this|print|eval|phpinfo|freemarker|execute|ex\s*\(|assign|#set|import|alert|math\.|toString|valueof|response|bsh|ognl|loadclass|invoke|jexl|server|include|mailto|smarty|velocity)\b/i;
/**
 * A named value with filters, as in templates for mails and builds. The argument of a filter is matched once by lookahead, so
 * that spaces around it cannot match in several ways.
 */
const PLACEHOLDER =
  /^\s{0,5}-?\s{0,5}(?!config\b|_context|self\b(?!:)|system\.|class\.|dir\.|_self|lipsum|cycler|joiner|request\.(?:application|environ|args|form|values|cookies|headers)|settings\.|app\.request)[\w$-]{1,40}(?:[.:][\w-]{1,60}){0,6}(?:\s{0,3}\|\s{0,3}(?!attr\b|exec|system|passthru|map\s{0,3}\(|filter\s{0,3}\(|sort\s{0,3}\(|reduce)[a-z_]{1,30}(?:\s{0,3}(?=(:\s{0,3}["'\w ,.%-]{1,40}))\1)?){0,6}\s{0,5}$/i;
/** Built-in names of template engines, which alone reveal the host. */
const OWN_NAME =
  /^\s{0,5}(?:config|self|_self|lipsum|cycler|joiner|app|_context|@root|#?(?:application|session|request)Scope|pageContext|facesContext|debug|\.(?:version|data_model|globals|main|locals)|#(?:context|request|session|application|_memberAccess|root|vars|ctx))\s{0,5}$/i;
/** Opening marks of several template engines in a row, which test which engine is used. */
const POLYGLOT = /(?:\$\{|\{\{|<%|\{%|#\{|\[\[|\{#){3}|\$\{\{<%/;
const MARKS_MAX = 200;

/** Finds code that is dangerous anywhere: PHP tags and Log4j lookups. */
export function findTagsAndLookups(value: string, report: Report): void {
  findPhpTag(value, report);
  if (!/[:{]/.test(value)) return;
  if (LOOKUP.test(value) || LOOKUP.test(resolved(value))) report(REQUEST.lookup);
  if (LOOKUP_OTHER.test(value)) report(REQUEST.lookupOther);
}

/** Evaluates nested lookups like Log4j. */
function resolved(value: string): string {
  let text = value;
  for (let depth = 0; depth < LOOKUPS_DEPTH_MAX && text.includes('${'); depth++) {
    const before = text;
    text = text.replace(
      INNER_LOOKUP,
      (_, other?: string, cased?: string, quoted?: string) => other ?? cased ?? quoted ?? '',
    );
    if (text === before) break;
  }
  return text;
}

/** Finds server-side code: PHP, templates, expression languages. */
export function findCode(value: string, report: Report, mayNameClass = false): void {
  findTagsAndLookups(value, report);
  const joined = withoutJoints(value);
  findPhp(value, joined, report);
  if (
    (EXPRESSION.test(joined) && !(mayNameClass && CLASS_NAME.test(value))) ||
    OGNL.test(value) ||
    RUBY_RUN.test(value)
  )
    report(REQUEST.expression);
  if (/[{<@[#$*%~]/.test(value)) findTemplates(joined, report);
  if (
    /[<{#]/.test(value) &&
    /<!--\s{0,5}#\s{0,5}(?:exec|include|echo|config|set|printenv|flastmod|fsize)|<esi:\w+|<xsl:|<%\s*@|<jsp:|<c:\w+\s|<#(?:assign|list|if)|#(?:set|foreach|evaluate|parse)\s{0,3}\(\s{0,3}[$"']|\{php\}|\{\$smarty|\{system\(|\{if\s/i.test(
      value,
    )
  )
    report(REQUEST.serverInclude);
  if (value.includes('\\') && TEX.test(value)) report(REQUEST.texCode);
  if (value.includes('%') && /(?:%\d{0,4}(?:\.\d+)?[nxspd][\s,.-]?){4,}|(?:%\d{0,3}\$?[nsx]){5,}/.test(value))
    report(REQUEST.formatString);
}

const TEX =
  /\\write18\b|\\(?:immediate\s{0,3})\\write\b|\\openin\b|\\newread\b|\\(?:input|include|lstinputlisting|verbatiminput)\s{0,3}\{?\s{0,3}(?:\||\/(?:etc|proc|var|home|root)\/|\.\.\/)|\\directlua\b/;
/** Spreadsheet formulas that request another host or start a program (DDE). */
const FORMULA =
  /^\s{0,3}["']?[=+@-](?=[^<>]{0,200}(?:\b(?:hyperlink|webservice|import(?:xml|data|html|feed|range)|filterxml)\s{0,3}\([^)]{0,200}(?:https?:|file:|\/\/)|\b(?:cmd|powershell|mshta|rundll32)\s{0,3}\|))/i;
/** Finds formulas that a spreadsheet would evaluate after an export. */
export function findFormula(value: string, report: Report): void {
  if (FORMULA.test(value)) report(REQUEST.formula);
}

const CODE_IN_FILE =
  /<\?(?:php\b|=)[\t\n\r\u0020-\u007e]{4}|<%[=@!]?[\t\n\r\u0020-\u007e]{12}|<script[\s>][\t\n\r\u0020-\u007e]{8}|\bqx\{[\t\n\r\u0020-\u007e]{1,80}\}|\(metadata\s{1,20}\(/i;

/** Finds code in binary files; other bytes are not significant. */
export function findCodeInFile(value: string, report: Report): void {
  if (CODE_IN_FILE.test(value)) report(REQUEST.phpCode);
}

function findTemplates(value: string, report: Report): void {
  if (POLYGLOT.test(value)) report(REQUEST.templateObject);
  let read = 0;
  for (const [whole, ...groups] of value.matchAll(MARKS)) {
    if (++read > MARKS_MAX) return;
    const inner = groups.find((group) => group !== undefined) ?? '';
    if (MATH.test(inner)) report(REQUEST.templateMath);
    const isStrong = !/^\{[^{%]/.test(whole) && !whole.startsWith('$(');
    const isReaching = REACHES.test(inner) && /[(.[_|*`]/.test(inner) && !PLACEHOLDER.test(inner);
    if (isStrong && (isReaching || OWN_NAME.test(inner))) report(REQUEST.templateObject);
    else if (isStrong && /^(?:\{\{|<%|\{%|#\{|\$\{)/.test(whole)) report(REQUEST.templateMarks);
  }
}
