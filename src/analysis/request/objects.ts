import { decodeBase64 } from '../decode.ts';
import { isProse } from '../words.ts';
import { REQUEST, type Report } from './signals.ts';

const PHP_OBJECT = /(?:^|[;{"':=\s|])[OC]:[+]?\d{1,6}:\\?"[\w\\]{1,200}\\?":\d{1,6}:\{/;
const OTHER_OBJECT =
  /(?<![A-Za-z0-9+/])(?:rO0AB[XQ]|AAEAAAD\/{4}|gASV[A-Za-z0-9+/]{8}|gAJ[A-Za-z0-9+/]{12}|BAh[bJIvV](?=[A-Za-z0-9+/]*[0-9+/=])[A-Za-z0-9+/]{6}|KGRw|Y29zCn|Y3Bvc2l4|Y19fYnVpbHRpbl9f|H4sIA{3,}|yv66vg)|\u00ac\u00ed\u0000\u0005|aced0005(?=[0-9a-f]{4}|$)|(?:^|[(.\n'"])c(?:posix|os|nt|__builtin__|builtins|subprocess|sys)\n\w|\(dp\d\n/;
const PICKLED = /\bobjectdataprovider|windowsidentity|typeconfusedelegate|_\$\$nd_func\$\$_/i;
/** Base64 of a serialised PHP object, or of an array that may contain one; the first letters are always these. */
const PHP_ENCODED = /(?<![A-Za-z0-9+/])(?:Tzo|Qzo|YTo)[A-Za-z0-9+/]{16,8000}={0,2}/;
/** Names through which JavaScript changes the prototype of all objects. */
const PROTOTYPE =
  /"__proto__"\s{0,5}:|"constructor"\s{0,5}:\s{0,5}\{\s{0,5}"prototype"|:__proto__:|:constructor:constructor/;
const PROTOTYPE_NAME =
  /(?:^|[.[\]_])__proto__(?:$|[.[\]])|__pro__proto__to__|constructor(?:\.|\]?\[)prototype(?:$|[.[\]])/;

const TYPED =
  /"@type"\s{0,5}:\s{0,5}"(?:L[a-z]{1,40}[./;]|\[|(?!type\.googleapis)(?:[a-z]\w{0,30}\.){2})|"\$type"\s{0,5}:|!!python\/|tag:yaml\.org,2002:(?:python|java|ruby|js)|!!javax?\.|!!com\.|!ruby\/|!!js\/|"javaClass"|"class"\s{0,5}:\s{0,5}"(?:com|org|java)\.|<java\.|<(?:sorted-set|dynamic-proxy|tree-map)>|enableDefaultTyping|com\.sun\.rowset|class\.module\.classloader/i;
const XML_ENTITY =
  /<!ENTITY|<!DOCTYPE\s[^>[]{1,104}(?:SYSTEM|PUBLIC(?!\s{1,5}"-\/\/[\w .,]{2,40}\/\/(?:DTD|ENTITIES) [\w .-]{1,60}\/\/EN"\s{1,5}"https?:\/\/(?:www\.w3\.org|my\.netscape\.com|(?:www\.)?mybatis\.org|www\.hibernate\.org|java\.sun\.com|www\.oasis-open\.org|www\.musicxml\.org|www\.apple\.com)\/[\w./-]{1,100}"\s{0,5}>)|\[)|<\?xml-stylesheet|xmlns:xi=|<xi:include|<!\[CDATA\[[^\]]{0,40}<\]|<!ATTLIST|<!ELEMENT/i;
const LDAP =
  /\*\s{0,3}\)\s{0,3}\(|\)\s{0,3}\(\s{0,3}[&|!(]|\)\s{0,3}\(\s{0,3}\w{1,30}\s{0,3}[~<>]?=|^\s{0,3}\(?[&|!]\s{0,3}\(\w+[=~<>]|\(\w{1,30}=\*\)|\*\)%00|\)\)%00|\)\(%26|^\*\)\(|\|\(\w+=|\*\)\)|\)\(\||\(!\(|^[a-z]{2,20}=\*\)/i;
const XPATH =
  /\bcount\s*\(\s*\/|(?:\/\/|\/child::|\/descendant::|\/parent::|ancestor::|following-sibling::)(?:\*\s{0,3}(?:[[|=]|\/(?:@|\*|\w+\[|text\())|node\(\)|text\(\)|\w+\[)|\|\s*\/\/?[\w*]|string-length\s*\(\s*(?:name|\/|\w+\[)|\bname\s*\(\s*\/|\/\*\[|doc\s*\(\s*(?:concat|['"])|text\(\)/i;
const NOSQL =
  /[[{,"'.\s]\$(?:ne|gt|gte|lt|lte|in|nin|regex|where|exists|or|and|not|nor|type|size|all|elemMatch|expr|func|jsonSchema|mod|text|eq|lookup|function|accumulator)\b["'\]\s]{0,4}(?::|=|\]|$)/i;
/** A secret requested by prefix or pattern. */
const GUESSED =
  /(?:passw(?:or)?d|token|secret|otp|api_?key)\w{0,20}["\]]{0,2}\s{0,3}(?::\s{0,3}\{\s{0,3}"|\[)[$_](?:i?starts_?with|i?contains|like|regex|i?ends_?with|between|[gl]te?)\b/i;
const NOSQL_CODE =
  /\b(?:this\.\w{1,40}(?:\.length)?\s{0,5}(?:==|!=|\.match|\[|>|<)|db\.\w{1,40}\.(?:find|insert|drop|remove|update|stores|injection)|return\s+(?:true|this|1\b|\()|sleep\s*\(\s*\d{3,}\s*\)|tojson\s*\(|tojsononeline|new\s+Date\s*\(\)\s*;[^\n]{0,80}\b(?:do|while)\b|mapreduce|\{\s*\$\w+\s*:|obj\.\w+\s*=|db\.\w+\()|['"]\s*\|\|\s*(?:(?:['"]?\d['"]?|['"]{1,2})\s*)?==|\|\|\s*1\s*==\s*1|;\s*return\s+(?:true|1)|\bwhile\s{0,3}\(\s{0,3}(?:true|!{1,2}[\w'"[\]-]{0,6}|-?\d{1,3}|-?infinity|new\s{1,3}\w{1,10}|string)\s{0,3}\)\s{0,3};?\s{0,3}$|\$where/i;
/** A header with a typical value, because notes contain lines such as `Location:` too. */
const HEADER =
  /[\u560a\u560d]{2}|[\r\n\u560a\u560d\u2028][ \t]{0,5}(?:(?:set-cookie|content-(?:type|length|disposition|encoding)|x-[\w-]{2,40}|transfer-encoding|access-control-[\w-]{1,40})\s{0,5}:|location\s{0,5}:\s{0,5}(?:[a-z]{2,10}:|\/|%)|(?:refresh|host)\s{0,5}:\s{0,5}(?:\d|[\w-]{1,60}[.:]\w)|(?:set-)?cookie2?\s{0,5}:\s{0,5}[\w-]{1,60}=|link\s{0,5}:\s{0,5}<|http\/\d(?:\.\d)?\s{1,5}\d{3}|(?:slaveof|replicaof|config\s{1,3}set|module\s{1,3}load|flushall)(?:\s|$)|(?:GET|POST|PUT|HEAD|DELETE|OPTIONS)\s{1,5}\/\S{0,1000}\s{1,5}HTTP\/\d|\r?\n\s{0,5}<(?:html|script|svg|img|body|iframe)[\s>])/i;
const MAIL =
  /[\r\n][ \t]{0,5}(?:(?:b?cc|to|from|reply-to|subject|mime-version|content-transfer-encoding)\s{0,5}:|(?:rcpt\s{1,5}to|mail\s{1,5}from)\s{0,5}:|(?:data|quit|rset|auth\s{1,5}login)\s{0,5}(?:$|[\r\n])|(?:helo|ehlo|vrfy)\s{1,5}[\w.-]{1,60}\s{0,5}(?:$|[\r\n])|\w{1,6}\s{1,5}(?:capability|fetch|select|noop|logout|create|list|examine|store|login|authenticate)\b)|\b[A-Za-z]\d{2,4}\s{1,5}(?:capability|fetch|select|login|create|delete|list|noop|logout|status)\b/i;

/** Finds attacks in the structure of a document. */
export function findStructure(value: string, report: Report): void {
  if (PROTOTYPE.test(value)) report(REQUEST.prototype);
  if (TYPED.test(value)) report(REQUEST.typedJson);
  if (value.includes('$') && NOSQL.test(value)) report(REQUEST.noSqlOperator);
  if (GUESSED.test(value)) report(REQUEST.noSqlOperator);
}

/** Finds serialised objects. */
export function findSerialized(value: string, report: Report): void {
  if (OTHER_OBJECT.test(value)) report(REQUEST.javaObject);
}

/** Finds input that a server-side parser would interpret. */
export function findObjects(value: string, report: Report): void {
  if (value.includes('{') && PHP_OBJECT.test(value)) report(REQUEST.phpObject);
  findSerialized(value, report);
  if (PICKLED.test(value)) report(REQUEST.javaObject);
  const [encoded] = PHP_ENCODED.exec(value) ?? [];
  if (encoded !== undefined && PHP_OBJECT.test(decodeBase64(encoded))) report(REQUEST.phpObject);
  if (/proto/.test(value) && PROTOTYPE_NAME.test(value)) report(REQUEST.prototype);
  findStructure(value, report);
  if (XML_ENTITY.test(value)) report(REQUEST.xmlEntity);
  if (/[()]/.test(value) && LDAP.test(value) && /\w=|\*\)|\)\(/.test(value) && !/ {2}|_{3}/.test(value))
    report(REQUEST.ldapFilter);
  if (/[(/:]/.test(value) && XPATH.test(value)) report(REQUEST.xpath);
  if (NOSQL_CODE.test(value) && !isProse(value)) report(REQUEST.noSqlCode);
  if (HEADER.test(value) && !isProse(value)) report(REQUEST.headerSplit);
  if (/[\r\n]/.test(value) && MAIL.test(value)) report(REQUEST.mailHeader);
}
