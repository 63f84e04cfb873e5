import { decodeHtml, normalize } from './decode.ts';
import { pairAt, placeIn } from './place.ts';
import { findTagsAndLookups } from './request/code.ts';
import { findAddresses, findElements } from './request/html.ts';
import { REQUEST } from './request/signals.ts';
import { type Category, Findings, type Signal } from './signal.ts';
import { judgeAddress } from './url.ts';
import { URL_SIGNALS } from './url-signals.ts';
import { judge } from './verdict.ts';
import { charsOf, shareOf } from './words.ts';

const signal = (category: Category, weight: number, what: string): Signal => ({ category, weight, what });

/** What can be found in a text that people write. Weights as in php/signals.ts. */
const TEXT = {
  winning: signal('spam', 3.4, 'a prize, a win or an award'),
  urgency: signal('spam', 1.4, 'haste: act now, last chance, expires'),
  free: signal('spam', 1.5, 'something for nothing'),
  money: signal('spam', 1.5, 'sums of money'),
  premium: signal('spam', 3, 'a short or premium number to call or text'),
  terms: signal('spam', 2.4, 'small print of mass messages: opt out, terms, per message'),
  dating: signal('spam', 2.4, 'contacts and adult offers'),
  pharmacy: signal('spam', 4.2, 'drugs for sale'),
  gambling: signal('spam', 3.6, 'gambling'),
  finance: signal('spam', 3, 'loans, trading and crypto profits'),
  seo: signal('spam', 4, 'links and rankings for sale'),
  goods: signal('spam', 3, 'copies of branded goods'),
  credentials: signal('phishing', 3.2, 'a request to confirm an account or a password'),
  advanceFee: signal('phishing', 5, 'an inheritance, a fund or a partner in need'),
  links: signal('spam', 2.4, 'several links'),
  manyLinks: signal('spam', 3.5, 'many links'),
  linkMarkup: signal('spam', 2.4, 'links in forum markup'),
  badLink: signal('malicious_url', 4, 'a link to a suspicious address'),
  capitals: signal('spam', 1.2, 'much in capitals'),
  exclamations: signal('spam', 0.8, 'many exclamation marks'),
  disguisedWords: signal('spam', 4.2, 'words disguised with digits, signs or other alphabets'),
  hiddenText: signal('hidden_content', 5, 'text that readers cannot see'),
  invisible: signal('hidden_content', 3, 'invisible characters between letters'),
  instructions: signal('prompt_injection', 6.5, 'instructions to a language model'),
  markers: signal('prompt_injection', 4.5, 'marks of a conversation with a language model'),
  phone: signal('spam', 1.6, 'a telephone number to call'),
} as const;

type Rule = readonly [RegExp, Signal];
const RULES: readonly Rule[] = [
  [
    /\b(?:you(?:'ve| have)? (?:been )?(?:won|win|selected|chosen|awarded)|winner|won a|prize|jackpot|awarded|guaranteed|lucky (?:draw|winner)|claim (?:your|ur|code|now|a|it|call|before|no)|to claim|bonus caller|valued customer|reward|congratulations|congrats)\b/i,
    TEXT.winning,
  ],
  [
    /\b(?:urgent\w*|act now|immediately|last chance|expires?|hurry|limited (?:time|offer)|final (?:notice|attempt|warning)|today only|within \d+ (?:hours|hrs|days)|asap|important (?:message|notice|information)|don'?t miss|2nd attempt|attempt to (?:contact|reach))\b/i,
    TEXT.urgency,
  ],
  [/\bfree\b/i, TEXT.free],
  [/(?:[£$€]\s?\d|\b\d[\d,.]{0,12}\s?(?:pounds|gbp|usd|euros?|dollars|p\b|ppm))|\bcash\b/i, TEXT.money],
  [
    /\b(?:call|txt|text|reply|send|sms|dial|msg)\b.{0,60}\b(?:0?[89]\d{2}\s?\d{3,}|\d{5}\b|0\d{9,10}|\+\d{9,})|\b(?:txt|text|reply|send)\s+(?:["']?[A-Z]{2,}["']?)\b.{0,30}\bto\b/i,
    TEXT.premium,
  ],
  [
    /\b(?:t&?c'?s?(?: apply)?|terms|opt[- ]?out|unsubscribe|stop to|to stop|txt stop|text stop|16\+|18\+|per (?:msg|message|min|week|wk)|\d+p(?:\/| per|pm)|std (?:rate|txt)|po ?box|box\d+|cs? sae|sae|national rate|bt-national|landline|subscri\w+|ringtone|polyphonic|tone(?:s)?\b|ur mob|camcorder|nokia|mobileupd8|voucher|custcare|customer service)\b/i,
    TEXT.terms,
  ],
  [
    /\b(?:sexy|xxx|dating|singles|horny|adult|naked|nude|hot girls?|chat (?:line|to)|flirt|dirty|porn\w*|escort\w*|webcam girl\w*|secret admirer|fantas\w+|admirer|looking 2? ?make contact)\b/i,
    TEXT.dating,
  ],
  [
    /\b(?:viagra|cialis|levitra|tramadol|xanax|valium|phentermine|ambien|oxycontin|pharmacy|pharmacies|prescription|pills?|weight loss|hgh|steroids|erectile|enlarge\w*|kamagra|sildenafil|tadalafil|cbd oil|keto)\b/i,
    TEXT.pharmacy,
  ],
  [
    /\b(?:casino\w*|poker|slots?|roulette|betting|bet365|gambling|blackjack|bookmaker|jackpots|bandar|togel|judi|1xbet|mostbet|sbobet)\b/i,
    TEXT.gambling,
  ],
  [
    /\b(?:payday|loans?|credit score|debt|mortgage|forex|binary options?|bitcoin|crypto\w*|investment|invest|earn (?:money|\$|up)|make money|passive income|work from home|double your|roi|profit\w*|airdrop|usdt|insurance quote)\b/i,
    TEXT.finance,
  ],
  [
    /\b(?:backlinks?|seo\b|link building|guest post\w*|rank (?:your|higher|#?1)|ranking|page rank|domain authority|website traffic|buy traffic|web ?site designer|instagram followers|buy followers|xrumer|gsa search|dofollow|search engine optimi[sz]ation|targeted (?:traffic|leads))\b/i,
    TEXT.seo,
  ],
  [
    /\b(?:replica|louis vuitton|rolex|gucci|michael kors|ray ?ban|oakley|uggs?|air jordan|cheap (?:jerseys|nike|shoes|watches|essay)|discount(?:ed)? (?:nike|shoes|handbags)|wholesale|essay writing|buy essay|fake (?:passport|id|diploma))\b/i,
    TEXT.goods,
  ],
  [
    /\b(?:(?:verify|confirm|update|validate|unlock|restore|reactivate|secure) (?:your|ur|the) (?:\w+ )?(?:account|password|identity|information|details|mailbox|wallet|card|billing|payment)|account (?:has been|was|is|will be) (?:\w+ )?(?:suspended|limited|locked|disabled|blocked|closed|deactivated)|unusual (?:activity|sign-?in)|security alert|login attempt|password (?:expires?|will expire|reset required)|click (?:here|below|the link|on the link) to (?:verify|confirm|update|login|log in|restore|avoid)|seed phrase|recovery phrase|private key|mailbox (?:is )?full|customs fee|failed delivery)\b/i,
    TEXT.credentials,
  ],
  [
    /\b(?:next of kin|inheritance|beneficiary|late (?:husband|client|father)|million (?:dollars|usd|us dollars|pounds|euros)|bank transfer of|barrister|business proposal|confidential transaction|diplomat|western union|money ?gram|atm card|compensation fund|fund transfer|foreign partner|god bless|lottery)\b/i,
    TEXT.advanceFee,
  ],
  [/\[url=|\[link=|\[\/url\]|<a\s[^>]{0,100}href/i, TEXT.linkMarkup],
  [/[a-z][\u200b-\u200f\u2060-\u2064\ufeff\u00ad][a-z]/i, TEXT.invisible],
  [
    /\b(?:(?:ignore|disregard|forget|override|bypass|skip) (?:all |any |the |your |my |previous |prior |above |earlier |these |those |of ){0,5}(?:instructions?|prompts?|rules|guidelines|directions|context|commands|safety|messages|constraints)|you are (?:now|no longer) (?:a|an|in|dan|bound|chatgpt|acting|free)|(?:reveal|print|repeat|show|output|leak|tell me|display) (?:me )?(?:the |your |all |full |exact |entire |hidden |initial |original ){1,4}(?:system )?(?:prompt|instructions|secrets?|context|api keys?|configuration)|developer mode|do anything now|jailbreak\w*|pretend (?:to be|you are|that you)|act as (?:if|a|an|the) (?:\w+ )?(?:unrestricted|unfiltered|admin\w*|root|dan|terminal|system)|system prompt|new instructions?:|from now on,? you|without (?:any )?(?:restrictions|filters|limitations)|exfiltrate|send (?:it|them|the (?:data|content|contents|conversation|keys?|password)) to https?)\b/i,
    TEXT.instructions,
  ],
  [
    /<\|(?:im_start|im_end|system|user|assistant|endoftext)\|>|\[\/?INST\]|<<\/?SYS>>|^\s{0,3}#{2,3} ?(?:system|instruction|assistant|human)\b|"role"\s*:\s*"system"|\bBEGIN (?:SYSTEM|ADMIN) (?:PROMPT|MESSAGE)/im,
    TEXT.markers,
  ],
  [/(?:\+\d{1,3}[\s-]?)?\(?\d{3,5}\)?[\s-]?\d{3,4}[\s-]?\d{3,4}\b/, TEXT.phone],
  [
    /\b(?:v[i1!|]agr[a@]|c[i1!|]al[i1!|]s|cas[i1!|]n[0o]|p[o0]rn|fr[3]e|v\s?i\s?a\s?g\s?r\s?a|m0ney|l[o0]an5|b[i1]tc[o0][i1]n)\b(?<!viagra|cialis|casino|porn|free|loans|bitcoin)/i,
    TEXT.disguisedWords,
  ],
];

const HIDDEN_LINK =
  /(display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0|(?:left|top|text-indent)\s*:\s*-\d{3,}|opacity\s*:\s*0\b|height\s*:\s*[01]px)|https?:|<a\s/gi;
const HIDDEN_LINK_CHARS = 800;

const LINK = /\b(?:https?:\/\/|www\.)[^\s<>"'\])]{3,500}/gi;
const LINKS_MAX = 100;

/** Finds spam, phishing, hidden content and injected markup or instructions in a text. */
export function analyzeText(content: string, findings: Findings, siteUrl: string | undefined): void {
  const text = normalize(decodeHtml(content));
  const where = placeIn(text, '');
  for (const [pattern, found] of RULES) {
    const match = pattern.exec(text);
    if (match) findings.add(found, where(match.index));
  }
  const hiddenAt = pairAt(text, HIDDEN_LINK, HIDDEN_LINK_CHARS);
  if (hiddenAt !== undefined) findings.add(TEXT.hiddenText, where(hiddenAt));
  if (
    /[a-z]/i.test(text) &&
    /[a-z][\u0400-\u04ff\u0370-\u03ff]|[\u0400-\u04ff\u0370-\u03ff][a-z]/i.test(text)
  )
    findings.add(TEXT.disguisedWords, 'in the text');
  judgeLinks(text, findings, siteUrl);
  judgeShape(text, findings);
  findMarkup(content, findings);
}

function judgeLinks(text: string, findings: Findings, siteUrl: string | undefined): void {
  const links = (text.match(LINK) ?? []).slice(0, LINKS_MAX);
  if (links.length >= 6) findings.add(TEXT.manyLinks, `${links.length} links`);
  else if (links.length >= 3) findings.add(TEXT.links, `${links.length} links`);
  for (const [index, link] of links.entries()) {
    const inner = new Findings();
    judgeAddress(link, (found) => inner.add(found, ''), siteUrl);
    if (judge(inner.all.filter((found) => found.signal !== URL_SIGNALS.plainHttp)).verdict !== 'clean') {
      findings.add(TEXT.badLink, `link ${index + 1}`);
      return;
    }
  }
}

const SHOUTED_MIN = 12;

function judgeShape(text: string, findings: Findings): void {
  const capitals = charsOf(text, /\p{Lu}/gu);
  if (capitals >= SHOUTED_MIN && capitals > charsOf(text, /\p{L}/gu) * 0.3)
    findings.add(TEXT.capitals, 'in the text');
  if (charsOf(text, /!/g) >= 3 && shareOf(text, /!/g) > 0.01) findings.add(TEXT.exclamations, 'in the text');
}

const MARKUP_SIGNALS: ReadonlySet<Signal> = new Set([
  REQUEST.xssScript,
  REQUEST.xssHandler,
  REQUEST.xssUrl,
  REQUEST.phpCode,
  REQUEST.lookup,
]);

function findMarkup(content: string, findings: Findings): void {
  const report = (found: Signal) => {
    if (MARKUP_SIGNALS.has(found)) findings.add(found, 'in the text');
  };
  if (content.includes('<')) findElements(content, report);
  findAddresses(content, report);
  findTagsAndLookups(content, report);
}
