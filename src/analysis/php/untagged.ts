/** Superglobals, which only PHP has. */
const SUPERGLOBAL = /\$(?:_(?:GET|POST|REQUEST|COOKIE|SERVER|FILES|SESSION|ENV)|GLOBALS)\s*\[/;
/** Syntax of PHP that few other languages share; each pattern counts once. */
const SIGNS: readonly RegExp[] = [
  /^[ \t]*@?\$[a-z_]\w{0,60}(?:\[[^\]\n]{0,80}\])?[ \t]*\.?=[^=>~][^\n]{0,400};[ \t]*$/im,
  /^[ \t]*echo\b[^\n]{0,400};[ \t]*$/m,
  /\bfunction\s+\w{1,60}\s*\(\s*(?:array\s+)?&?\$\w/,
  /\$\w{1,60}(?:->\w{1,60}){1,8}\s*[(=;]/,
  /@?\b(?:isset|base64_decode|error_reporting|file_get_contents|file_put_contents|curl_(?:init|exec)|str_replace|strlen|mysqli?_\w{1,30}|preg_(?:match|replace)|ini_set|set_time_limit|shell_exec|gzinflate|stripslashes|fopen)\s*\(/,
];
/** Syntax of other languages with a dollar sign. */
const OTHERS: readonly RegExp[] = [
  /^#!(?!\S*php)/,
  /^[ \t]*(?:my|our|local)[ \t]+[$@%(]|^[ \t]*use[ \t]+(?:strict|warnings|CGI|Socket)\b|=~/m,
  /^[ \t]*sub[ \t]+\w{1,60}[ \t]*\{/m,
  /^[ \t]*(?:fi|done|esac)\b|;[ \t]*(?:then|do)\b|^[ \t]*(?:then|do)[ \t]*$|^[ \t]*if[ \t]+\[\[?[ \t]/m,
  /\$\([a-z]/i,
  /\b(?:Get|New|Set|Invoke|Write|Import)-[A-Z]\w{2,30}|[ \t]-(?:eq|ne|like|match)[ \t]|\[(?:System|Net|Convert)\./,
];
const SCRIPT =
  /\b(?:const|let|var)[ \t]+[\w$[{]{1,60}|=>[ \t]*\{|\bdocument\s*\.|\bmodule\.exports\b|\$\.(?:ajax|fn|each|get|post)\b|\$\(["']|\)\.\w/;

/**
 * Whether a text without an opening tag is PHP, such as a part of a file. Weighs the signs of PHP against those of other
 * languages: a line with `echo` may be a shell script as well.
 */
export function isUntaggedPhp(content: string): boolean {
  if (!content.includes('$')) return false;
  const hasSuperglobal =
    (content.includes('$_') || content.includes('$GLOBALS')) && SUPERGLOBAL.test(content);
  // Scripts show in any line, so this test is first.
  if (!hasSuperglobal && SCRIPT.test(content)) return false;
  const others = countIn(content, OTHERS);
  if (hasSuperglobal) return others < 3;
  const signs = countIn(content, SIGNS);
  return signs >= 2 && signs > others;
}

const countIn = (content: string, patterns: readonly RegExp[]): number =>
  patterns.filter((pattern) => pattern.test(content)).length;
