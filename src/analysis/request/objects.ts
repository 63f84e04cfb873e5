import { isProse } from '../words.ts';
import { REQUEST, type Report } from './signals.ts';

const PHP_OBJECT = /(?:^|[;{"':=\s|])[OC]:[+]?\d{1,6}:\\?"[\w\\]{1,200}\\?":\d{1,6}:\{/;
const OTHER_OBJECT =
  /rO0AB[XQ]|\u00ac\u00ed\u0000\u0005|aced0005|AAEAAAD\/{4}|AAEAAAD\/\/\/\/\/|gASV[A-Za-z0-9]|\bcos\n(?:system|popen)|c__builtin__|cposix\n|\(dp\d\n|BAhvOg|BAh[bJI]|_\$\$ND_FUNC\$\$_|objectdataprovider|windowsidentity|typeconfusedelegate|H4sIA{3,}|yv66vg/i;
const TYPED =
  /"@type"\s{0,5}:|"\$type"\s{0,5}:|!!python\/|!!javax?\.|!!com\.|!ruby\/|!!js\/|"javaClass"|"class"\s{0,5}:\s{0,5}"(?:com|org|java)\.|<java\.|<(?:sorted-set|dynamic-proxy|tree-map)>|enableDefaultTyping|com\.sun\.rowset|class\.module\.classloader/i;
const XML_ENTITY =
  /<!ENTITY|<!DOCTYPE\s[^>[]{1,104}(?:SYSTEM|PUBLIC(?!\s{1,5}"-\/\/W3C\/\/DTD [\w .]{1,40}\/\/EN"\s{1,5}"http:\/\/www\.w3\.org\/[\w./-]{1,100}"\s{0,5}>)|\[)|<\?xml-stylesheet|xmlns:xi=|<xi:include|<!\[CDATA\[[^\]]{0,40}<\]|<!ATTLIST|<!ELEMENT/i;
const LDAP =
  /\*\s{0,3}\)\s{0,3}\(|\)\s{0,3}\(\s{0,3}[&|!(]|\)\s{0,3}\(\s{0,3}\w{1,30}\s{0,3}[~<>]?=|^\s{0,3}\(?[&|!]\s{0,3}\(\w+[=~<>]|\(\w{1,30}=\*\)|\*\)%00|\)\)%00|\)\(%26|^\*\)\(|\|\(\w+=|\*\)\)|\)\(\||\(!\(|^[a-z]{2,20}=\*\)/i;
const XPATH =
  /\bcount\s*\(\s*\/|(?:\/\/|\/child::|\/descendant::|\/parent::|ancestor::|following-sibling::)(?:\*|node\(\)|text\(\)|\w+\[)|\|\s*\/\/?[\w*]|string-length\s*\(\s*(?:name|\/|\w+\[)|\bname\s*\(\s*\/|\/\*\[|doc\s*\(\s*(?:concat|['"])|^\/\/\*|text\(\)/i;
const NOSQL =
  /[[{,"'.\s]\$(?:ne|gt|gte|lt|lte|in|nin|regex|where|exists|or|and|not|nor|type|size|all|elemMatch|expr|func|jsonSchema|mod|text|eq|lookup|function|accumulator)\b["'\]\s]{0,4}(?::|=|\]|$)/i;
const NOSQL_CODE =
  /\b(?:this\.\w{1,40}\s{0,5}(?:==|!=|\.match|\[|>|<)|db\.\w{1,40}\.(?:find|insert|drop|remove|update|stores|injection)|return\s+(?:true|this|1\b|\()|sleep\s*\(\s*\d{3,}\s*\)|tojson\s*\(|tojsononeline|new\s+Date\s*\(\)|mapreduce|\{\s*\$\w+\s*:|obj\.\w+\s*=|db\.\w+\()|['"]\s*\|\|\s*(?:(?:['"]?\d['"]?|['"]{1,2})\s*)?==|\|\|\s*1\s*==\s*1|;\s*return\s+(?:true|1)|\$where/i;
const HEADER =
  /[\r\n\u560a\u560d\u2028][ \t]{0,5}(?:set-cookie|location|content-(?:type|length|disposition|encoding)|x-[\w-]{2,40}|http\/\d|transfer-encoding|refresh|host|access-control-[\w-]+|link|cookie)\s{0,5}[:/]/i;
const MAIL =
  /[\r\n][ \t]{0,5}(?:b?cc|to|from|reply-to|subject|mime-version|content-transfer-encoding|rcpt\s+to|mail\s+from|data|quit|helo|ehlo|vrfy|rset|auth\s+login|\w{1,6}\s+(?:capability|fetch|select|noop|logout|create|list|examine|store|login|authenticate))\b\s{0,5}(?::|$|[\r\n<]|\w)|\b[A-Za-z]\d{2,4}\s+(?:capability|fetch|select|login|create|delete|list|noop|logout|status)\b/i;

/** Finds what lies in how the names and values of a document stand together. */
export function findStructure(value: string, report: Report): void {
  if (TYPED.test(value)) report(REQUEST.typedJson);
  if (value.includes('$') && NOSQL.test(value)) report(REQUEST.noSqlOperator);
}

/** Finds what a parser behind the page would take for more than a text. */
export function findObjects(value: string, report: Report): void {
  if (value.includes('{') && PHP_OBJECT.test(value)) report(REQUEST.phpObject);
  if (OTHER_OBJECT.test(value)) report(REQUEST.javaObject);
  findStructure(value, report);
  if (XML_ENTITY.test(value)) report(REQUEST.xmlEntity);
  if (/[()]/.test(value) && LDAP.test(value) && /\w=|\*\)|\)\(/.test(value) && !/ {2}|_{3}/.test(value))
    report(REQUEST.ldapFilter);
  if (/[(/:]/.test(value) && XPATH.test(value)) report(REQUEST.xpath);
  if (NOSQL_CODE.test(value) && !isProse(value)) report(REQUEST.noSqlCode);
  if (HEADER.test(value)) report(REQUEST.headerSplit);
  if (/[\r\n]/.test(value) && MAIL.test(value)) report(REQUEST.mailHeader);
}
