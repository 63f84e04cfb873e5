import { decodeHtml } from './decode.ts';
import { hidesLinks } from './hidden.ts';
import { allLayers, analyzeJs } from './js/js.ts';
import { JS } from './js/signals.ts';
import { isUntaggedScript, onlyNamesPhp, PHP_TAG } from './php/errors.ts';
import { analyzePhp } from './php/php.ts';
import { isUntaggedPhp } from './php/untagged.ts';
import { newlinesIn, pairAt } from './place.ts';
import { judgePackage } from './script/package-hooks.ts';
import { analyzeScript } from './script/script.ts';
import type { Findings } from './signal.ts';

const PHP_WITHOUT_TAG =
  /\$[a-z_]\w{0,60}\s*(?:=[^=>]|\[|->|\.=)|\$_(?:GET|POST|REQUEST|COOKIE|SERVER|FILES)\b/i;
/** Syntax of JavaScript that PHP does not have. */
const JS_ONLY =
  /\b(?:var|let|const)\s+[\w$[{]|=>\s*[({\w]|\b(?:document|window|module|exports)\b\s*[.=[]|===?\s*typeof|\bfunction\s*\w*\(\s*\w/;
/** Syntax of other languages. */
const OTHER =
  /^#!|<%|<cf|<jsp:|^[ \t]*(?:use (?:strict|CGI|Socket)|my [$@%]|from \w[\w.]{0,60} import|require ['"])/im;
/** Prefilter: each match of OTHER contains one of these, or one of OTHER_WORDS without a quote before it. */
const OTHER_SIGNS = ['<%', '<cf', '<jsp:'];
const OTHER_WORDS = '#!|use strict|use cgi|use socket|my $|my @|my %| import|require '.split('|');
const MARKUP = /^\s*(?:<!doctype|<html|<head|<body|<script|<div|<!--|<iframe|<meta)/i;
const SCRIPT = /<script\b([^>]{0,500})>([\s\S]*?)(?:<\/script|$)/gi;
/** Further scripts are analysed together as one. */
const SCRIPTS_MAX = 200;
const NO_SCRIPT = /json|template|text\/html|language\s*=\s*["']?php/i;
const WITHOUT_SCRIPTS = /<noscript>[\s\S]{0,2000}?<\/noscript>/gi;
const FRAME = /<iframe\b[^>]{0,1000}/gi;
const HIDDEN =
  /(?<![\w-])(?:width|height)\s*=\s*["']?[01](?:px)?["'\s>]|display\s*:\s*none|visibility\s*:\s*hidden|(?<![\w-])(?:left|top)\s*:\s*-\d{3}/i;
const REDIRECT_RULE =
  /(RewriteCond\s+%\{HTTP_(?:REFERER|USER_AGENT)\}[^\n]{0,300}(?:google|bing|yahoo|yandex|android|iphone|mobile))|RewriteRule[^\n]{0,200}https?:\/\//gi;
const REDIRECT_RULE_CHARS = 2_000;
const HANDLER_RULE =
  /(?:AddHandler|AddType|SetHandler)\s+["']?(?:application\/x-httpd-php\d?|php\d?-script|x-httpd-php)["']?\s+[^\n]{0,60}\.(?:jpe?g|png|gif|ico|txt|html?|css|pdf|bak)\b/i;
const HANDLER_OF_FILES =
  /^[ \t]*<Files(?:Match)?\s[^>\n]{0,200}\.?(?:jpe?g|png|gif|ico|txt|css|pdf)\b[^>\n]{0,200}>\s*(?:SetHandler|ForceType|AddHandler)\s+["']?(?:application\/x-httpd-php|php\d?-script)/im;
const PREPEND_RULE = /php_value\s+auto_(?:prepend|append)_file/i;
/** A PHP setting that runs, before all others, a file that is hidden, among uploads, or without a PHP extension. */
const PREPEND_SETTING =
  /^[ \t]*auto_(?:prepend|append)_file\s*=\s*["']?\S{0,200}(?:\.(?:jpe?g|png|gif|ico|txt|css|pdf|log)\b|\/\.[a-z]|\/tmp\/|\/uploads\/)/im;

const mayBeOther = (lower: string): boolean =>
  OTHER_SIGNS.some((sign) => lower.includes(sign)) || OTHER_WORDS.some((word) => occursUnquoted(lower, word));

/** Whether a word occurs without a quote before it, unlike `'use strict'` in scripts. */
function occursUnquoted(text: string, word: string): boolean {
  let at = text.indexOf(word);
  while (at > 0 && (text[at - 1] === '"' || text[at - 1] === "'")) at = text.indexOf(word, at + 1);
  return at >= 0;
}

/** Analyses a file of a site: a program, a page with scripts, or a configuration file of Apache or PHP. */
export function analyzeCode(content: string, findings: Findings): void {
  // Substring search first: a pattern takes far longer to find that there is no match.
  const lower = content.toLowerCase();
  const has = (word: string) => lower.includes(word);
  if (has('rewrite') && pairAt(content, REDIRECT_RULE, REDIRECT_RULE_CHARS) !== undefined)
    findings.add(JS.htaccessRedirect, 'in a rewrite rule');
  const hasHandler = has('addhandler') || has('sethandler') || has('addtype');
  if (hasHandler && (has('x-httpd-php') || has('-script')) && HANDLER_RULE.test(content))
    findings.add(JS.htaccessHandler, 'in a handler rule');
  if (has('<files') && HANDLER_OF_FILES.test(content)) findings.add(JS.htaccessHandler, 'in a handler rule');
  if (has('pend_file') && PREPEND_SETTING.test(content)) findings.add(JS.prependRule, 'in a setting');
  if (has('"scripts"') && /^\s*\{/.test(content) && judgePackage(content, findings)) return;
  const hasTag = (has('<?') || has('<script')) && PHP_TAG.test(content) && !onlyNamesPhp(content);
  // Within PHP it is a string, such as in firewalls that install themselves.
  if (!hasTag && has('php_value') && PREPEND_RULE.test(content)) findings.add(JS.prependRule, 'in a rule');
  if (!hasTag && findings.all.length > 0) return;
  const isUntagged = !hasTag && isUntaggedPhp(content);
  const isJs = !hasTag && !isUntagged && JS_ONLY.test(content);
  const isOther =
    !hasTag &&
    (!isJs || (mayBeOther(lower) && OTHER.test(content))) &&
    analyzeScript(content, lower, findings) === 'program';
  if (isOther && !isJs && !isUntagged) return;
  if (hasTag) analyzePhp(content, false, findings);
  // A script may begin with `<!--`, for very old browsers.
  const isMarkup = !hasTag && MARKUP.test(content) && (!isJs || has('<script') || !/^\s*<!--/.test(content));
  if (hasTag || isMarkup) {
    if (!hasTag && hidesLinks(content)) findings.add(JS.hiddenLinks, 'in the markup');
    if (has('<script')) analyzeScripts(content, findings);
    if (has('eval') || has('atob') || has('fromcharcode') || has('function('))
      analyzeHandlers(content, findings);
    if (has('<iframe')) findFrames(content, findings);
    return;
  }
  const mayBePhp = isUntagged || (!isJs && PHP_WITHOUT_TAG.test(content));
  if (mayBePhp && !isUntaggedScript(content)) analyzePhp(content, true, findings);
  analyzeJs(content, findings, allLayers());
}

function analyzeScripts(content: string, findings: Findings): void {
  const found = [...content.matchAll(SCRIPT)].filter(
    ([, attributes = '', body = '']) => body.trim() !== '' && !NO_SCRIPT.test(attributes),
  );
  const scripts = found.map(([, , body = '']) => withPlainQuotes(body));
  const layers = allLayers();
  let lines = findings.linesBefore;
  let countedTo = 0;
  for (const { index, 1: attributes = '', 2: body = '' } of found.slice(0, SCRIPTS_MAX)) {
    const from = index + '<script>'.length + attributes.length;
    lines += newlinesIn(content.slice(countedTo, from));
    countedTo = from;
    analyzeJs(withPlainQuotes(body), findings, layers, lines);
  }
  if (scripts.length > SCRIPTS_MAX) analyzeJs(scripts.slice(SCRIPTS_MAX).join('\n'), findings, layers);
}

/** Removes the backslashes before quotes, for a page inside a string of another program. */
const withPlainQuotes = (script: string): string =>
  /\\['"]/.test(script) && !/(?<!\\)['"]/.test(script) ? script.replace(/\\(['"])/g, '$1') : script;

/** An event handler longer than a function call. */
const HANDLER = /\son[a-z]{3,20}\s*=\s*(?:"([^"]{12,8000})"|'([^']{12,8000})')/gi;
const HANDLERS_MAX = 100;

function analyzeHandlers(content: string, findings: Findings): void {
  const layers = allLayers();
  const handlers = [...content.matchAll(HANDLER)].slice(0, HANDLERS_MAX);
  for (const [, double, single] of handlers) analyzeJs(decodeHtml(double ?? single ?? ''), findings, layers);
}

function findFrames(content: string, findings: Findings): void {
  // Frames in <noscript> belong to visitor counters.
  for (const [frame] of content.replace(WITHOUT_SCRIPTS, '').matchAll(FRAME)) {
    if (HIDDEN.test(frame) && /src\s*=\s*["']?https?:/i.test(frame))
      findings.add(JS.hiddenFrame, 'in the markup');
  }
}
