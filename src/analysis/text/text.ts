import { decodeHtml, normalize } from '../decode.ts';
import { pairAt, placeIn } from '../place.ts';
import { findTagsAndLookups } from '../request/code.ts';
import { findElements } from '../request/html.ts';
import { findAddresses } from '../request/script.ts';
import { REQUEST } from '../request/signals.ts';
import { Findings, type Signal, signal } from '../signal.ts';
import { domainOf, judgeAddress } from '../url.ts';
import { URL_SIGNALS } from '../url-signals.ts';
import { judge } from '../verdict.ts';
import { charsOf, shareOf, withoutQuotedCode } from '../words.ts';
import { findSchemes, SCHEME } from './schemes.ts';

/** What can be found in a text that people write. Weights as in php/signals.ts. */
const TEXT = {
  winning: signal('spam', 3.4, 'a prize, a win or an award'),
  urgency: signal('spam', 1.4, 'haste: act now, last chance, expires'),
  free: signal('spam', 1.5, 'something for nothing'),
  money: signal('spam', 1.5, 'sums of money'),
  premium: signal('spam', 3.3, 'a short or premium number to call or text'),
  keyword: signal('spam', 3.3, 'a word to send to a number'),
  terms: signal('spam', 2.4, 'small print of mass messages: opt out, terms, per message'),
  dating: signal('spam', 3.2, 'contacts and adult offers'),
  pharmacy: signal('spam', 4.2, 'drugs for sale'),
  gambling: signal('spam', 3.6, 'gambling'),
  flattery: signal('spam', 1.6, 'general praise and an invitation to another site'),
  finance: signal('spam', 3, 'loans, trading and crypto profits'),
  seo: signal('spam', 4, 'links and rankings for sale'),
  goods: signal('spam', 3, 'copies of branded goods'),
  credentials: signal('phishing', 3.2, 'a request to confirm an account or a password'),
  advanceFee: signal('phishing', 2.4, 'an inheritance, a fund or a partner in need'),
  advanceFeeTold: signal('phishing', 3.4, 'a stranger with money to share'),
  giftCards: signal('fraud', 5, 'gift cards whose codes are asked for'),
  newNumber: signal('fraud', 4.4, 'a relative with a new number'),
  newBankDetails: signal('fraud', 4.2, 'invoices to be paid to another account from now on'),
  support: signal('fraud', 5, 'an infected computer and a number to call'),
  noSkills: signal('fraud', 1.8, 'work that needs no skills'),
  messenger: signal('spam', 1, 'a messenger in place of an address'),
  bankAccountLent: signal('fraud', 2.6, "the reader's bank account for other people's money"),
  certainProfit: signal('fraud', 3, 'a profit that is certain'),
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
  quotedInstructions: signal('prompt_injection', 2.4, 'a quotation of instructions to a language model'),
  hiddenInstructions: signal('prompt_injection', 6.5, 'instructions that readers cannot see'),
  markers: signal('prompt_injection', 4.5, 'marks of a conversation with a language model'),
  phone: signal('spam', 1.6, 'a telephone number to call'),
} as const;

type Rule = readonly [RegExp, Signal];
const RULES: readonly Rule[] = [
  [
    /\b(?:you(?:'ve| have)? (?:been )?(?:won|win|selected|chosen|awarded)|winner|won a|(?:chance to|to) win\b|win (?:an?|the|up to) |prizes?|jackpot|awarded|guaranteed|lucky (?:draw|winner)|claim (?:your|ur|code|now|a|it|call|before|no)|to claim|bonus caller|valued customer|reward|give ?aways?|congratulations|congrats)\b/i,
    TEXT.winning,
  ],
  [
    /\b(?:urgent\w*|act now|immediately|last chance|expires?|hurry|limited (?:time|offer)|final (?:notice|attempt|warning)|today only|within \d+ (?:hours|hrs|days)|asap|important (?:message|notice|information)|don'?t miss|2nd attempt|attempt to (?:contact|reach))\b/i,
    TEXT.urgency,
  ],
  [/\bfree\b/i, TEXT.free],
  [/(?:[£$€]\s?\d|\b\d[\d,.]{0,12}\s?(?:pounds|gbp|usd|euros?|dollars|p\b|ppm))|\bcash\b/i, TEXT.money],
  [
    /\b(?:call|txt|text|reply|send|sms|dial|msg)\b.{0,60}\b(?:0?[89]\d{2}\s?\d{3,}|\d{5}\b|0\d{9,10}|\+\d{9,})/i,
    TEXT.premium,
  ],
  // The word in capitals, as such messages write it.
  [
    /\b(?:[Tt]xt|TXT|[Tt]ext|TEXT|[Rr]eply|REPLY|[Ss]end|SEND)\s+["']?(?!(?:ME|IT|US|THE|THIS|THAT|YOU|TO|MY|IN|ON|OR|AND|IF|WHEN|CV|SMS|PDF|OK)\b)[A-Z]{2,}/,
    TEXT.keyword,
  ],
  [
    /\b(?:t ?&? ?c'?s?(?: apply)?|terms|opt[- ]?out|stop to|to stop|(?:un)?subscribe?\b(?!:? https?:)|subscription|subscriber|txt stop|text stop|16\+|18\+|per (?:msg|message|min|week|wk)|\d+p(?:\/| per|pm)|std (?:rate|txt)|po ?box\w*|std ntwk|rply|box\d+|cs? sae|sae|national rate|bt-national|landline|ringtone|poly \w+|polyphonic|tone(?:s)?\b|ur mob|camcorder|nokia|mobileupd8|voucher|custcare|customer service)\b/i,
    TEXT.terms,
  ],
  [
    /\b(?:sexy|xxx|dating|singles|horny|adult (?:chat|dating|content|sites?|videos?|lines?)|naked|nude|hot girls?|chat (?:line|to)|flirt\w*|babes|hunks|knickers|dates in your|dream partner|dirty|porn\w*|escort\w*|webcam girl\w*|secret admirer|fantas\w+|admirer|looking 2? ?make contact)\b/i,
    TEXT.dating,
  ],
  [
    /\b(?:viagra|cialis|levitra|tramadol|xanax|valium|phentermine|ambien|oxycontin|pharmacy|pharmacies|prescription|pills?|weight loss|hgh|steroids|erectile|enlarge\w*|kamagra|sildenafil|tadalafil|cbd oil|keto|potenzmittel|rezeptfrei|sans ordonnance|sin receta|senza ricetta)\b|виагр|сиалис/i,
    TEXT.pharmacy,
  ],
  [
    /\b(?:casino\w*|poker|slots?|roulette|betting|bet365|gambling|blackjack|bookmaker|jackpots|bandar|togel|judi|1xbet|mostbet|sbobet)\b|казино|букмекер|фриспин|赌场|娱乐城|カジノ/i,
    TEXT.gambling,
  ],
  [
    /\b(?:payday|loans?|credit score|debt|mortgage|forex|binary options?|bitcoin|crypto\w*|investment|invest|earn (?:money|\$|up)|make money|passive income|work from home|double your|roi|profit\w*|airdrop|usdt|insurance quote|geld verdienen|ganhe dinheiro|gan[ae] dinero|gagnez|guadagna|zarabiaj)\b|заработ/i,
    TEXT.finance,
  ],
  [
    /\b(?:backlinks?|seo\b|link building|guest post\w*|rank (?:your|higher|#?1)|ranking|page rank|domain authority|website traffic|buy traffic|web ?site designer|instagram followers|buy followers|xrumer|gsa search|dofollow|search engine optimi[sz]ation|targeted (?:traffic|leads))\b|продвижени[ея] сайт|обратн\S{1,3} ссыл/i,
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
  [
    /\b(?:no (?:prior )?(?:experience|skills)|keine (?:vor)?(?:kenntnisse|erfahrung)|ohne (?:vor)?(?:kenntnisse|erfahrung)|sin experiencia|sans exp[ée]rience|senza esperienza|sem experi[êe]ncia|geen ervaring|bez do[śs]wiadczenia)\b|без опыта/i,
    TEXT.noSkills,
  ],
  [/\b(?:whats ?app|telegram|t\.me\/\w|dm me|wechat|signal)\b|телеграм|ватсап/i, TEXT.messenger],
  [
    /\b\d{1,3} ?% (?:daily|a day|per day|every day|weekly|t[äa]glich|pro tag|par jour|al d[íi]a)|\bguaranteed (?:profits?|returns?|income)|\b(?:zero|no) risk\b|\brisk[- ]free (?:profit|investment|trading)|\bgarantierte\w? (?:gewinn|rendite)|\b(?:lucro|beneficio|ganancias?|guadagno|gains?|zysk)s? (?:garant|gwarant)|гарантированн\S{1,3} (?:доход|прибыл)/i,
    TEXT.certainProfit,
  ],
  [
    /\b(?:nice|great|awesome|amazing|excellent|good|wonderful) (?:post|article|blog|page|site|website|info\w*)\b[\s\S]{0,300}https?:|\b(?:visit|check out|see) my (?:web ?)?(?:site|page|blog|website)\b/i,
    TEXT.flattery,
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

/** One thing before another, at most so many characters apart. */
const PAIRS: readonly (readonly [RegExp, number, Signal])[] = [
  [
    /(\b(?:i am|my name is|i'm)\b)|\b(?:barrister|attorney|widow|banker|diplomat|late (?:husband|client|father)|dying|next of kin|million)\b/gi,
    160,
    TEXT.advanceFeeTold,
  ],
  [
    /(\b(?:next of kin|inheritance|beneficiary)\b)|\b(?:your (?:full )?(?:name|bank|account|consent|reply|passport)|passport|share|\d+ ?%)/gi,
    300,
    TEXT.advanceFeeTold,
  ],
  [
    /(\b(?:gift ?cards?|geschenkkarten|guthabenkarten|cartes? cadeaux?|tarjetas? (?:de )?regalo)\b)|\b(?:scratch|pictures? of|photos?|reimburs\w+|confidential|rubbel\w*|codes? (?:to|on)|fotos?)\b/gi,
    240,
    TEXT.giftCards,
  ],
  [
    /(\b(?:mum|mom|mama|dad|papa|mutti|maman|mam[aá]|pap[aá]|mamma|m[ãa]e|mamo|tato|anne|baba)(?!\p{L}))|\b(?:my new (?:phone )?number|meine neue (?:handy)?nummer|mon nouveau num[ée]ro|mi nuevo n[úu]mero|mio nuovo numero|meu (?:novo n[úu]mero|n[úu]mero novo)|mijn nieuwe nummer|m[óo]j nowy numer|yeni numaram)/giu,
    160,
    TEXT.newNumber,
  ],
  [
    /(\b(?:changed (?:our )?bank|new (?:bank )?account (?:below|details)|new bank details|neue bankverbindung)\b)|\b(?:invoices?|payments?|pay|rechnung\w*|zahlung\w*)\b/gi,
    240,
    TEXT.newBankDetails,
  ],
  [/(\b(?:invoices?|payments?)\b)|\bnew (?:bank )?account\b/gi, 120, TEXT.newBankDetails],
  [
    /(\b(?:infected|virus(?:es)?|trojan|infiziert|viren|infect[ée])(?!\p{L}))|\b(?:call|rufen|anrufen|appelez|llame|chiami|ligue)\b.{0,80}(?:toll[- ]free|microsoft|support|windows|hotline|\d{3}[- ]\d{3})/giu,
    200,
    TEXT.support,
  ],
  [
    /(\b(?:your|dein|ihr|votre|tu|su)\w{0,3} (?:personal |own )?(?:bank ?(?:account|konto)|konto|compte bancaire|cuenta bancaria)\b)|\b(?:receive|forward|transfer|empfangen|weiter\w+|recevoir|recibir)/gi,
    80,
    TEXT.bankAccountLent,
  ],
];

const HIDDEN_LINK =
  /(display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0|(?:left|top|text-indent)\s*:\s*-\d{3,}|opacity\s*:\s*0\b|height\s*:\s*[01]px)|https?:|<a\s/gi;
const HIDDEN_LINK_CHARS = 800;
const HIDDEN_ORDER =
  /(display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*[01](?:px|pt)?\b|opacity\s*:\s*0\b|<!--)|\b(?:disregard|ignore|assistants?\s{0,3}[:,]|do not (?:mention|tell|summari[sz]e|reveal)|this instruction|language model)/gi;

/** Where a reader could follow, call or answer. */
const WAY_TO_ACT =
  /https?:|www\.|@|\[url|\bt\.me|whats ?app|telegram|телеграм|\b(?:repl(?:y|ies)|txt|text|call|dial|sms|dm|click (?:here|below)|order now|msg)\b|\d{5}/i;
/** What sells nothing to a reader who is told no way to buy it: words of ordinary talk. */
const OFFERS: ReadonlySet<Signal> = new Set([
  TEXT.winning,
  TEXT.urgency,
  TEXT.free,
  TEXT.money,
  TEXT.terms,
  TEXT.dating,
  TEXT.pharmacy,
  TEXT.gambling,
  TEXT.finance,
  TEXT.seo,
  TEXT.goods,
  TEXT.credentials,
]);

const ABOUT_INSTRUCTIONS =
  /prompt[ -]?injection|プロンプトインジェクション|提示词注入|\b(?:example|for instance|such as|e\.g|quot(?:e|ed|ation)|fixture|tutorial|attack(?:er)?s?|zum beispiel|beispiel|par exemple|por ejemplo)\b/i;
const QUOTE_CHARS = 200;

/** Whether what stands at an offset is quoted by a text that tells of such instructions. */
function isQuotedAt(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - QUOTE_CHARS), at);
  const behind = text.slice(at, at + QUOTE_CHARS);
  const isQuoted =
    /["'`\u201c\u201e\u00ab\u300c\u300e][^"'`\u201d\u00bb\u300d\u300f]{0,80}$/.test(before) &&
    /["'`\u201d\u201c\u00bb\u300d\u300f]/.test(behind);
  return isQuoted && ABOUT_INSTRUCTIONS.test(before + behind);
}

const LINK = /\b(?:https?:\/\/|www\.)[^\s<>"'\])]{3,500}/gi;
const LINKS_MAX = 100;

/** Finds spam, phishing, hidden content and injected markup or instructions in a text. */
export function analyzeText(content: string, findings: Findings, siteUrl: string | undefined): void {
  const text = normalize(decodeHtml(content));
  const where = placeIn(text, '');
  const canAct = WAY_TO_ACT.test(text);
  for (const [pattern, found] of RULES) {
    if (!canAct && OFFERS.has(found)) continue;
    const match = pattern.exec(text);
    if (!match) continue;
    const isTold = found === TEXT.instructions && isQuotedAt(text, match.index);
    findings.add(isTold ? TEXT.quotedInstructions : found, where(match.index));
  }
  for (const [things, charsMax, found] of PAIRS) {
    const at = pairAt(text, things, charsMax);
    if (at !== undefined) findings.add(found, where(at));
  }
  findSchemes(text, (found, at) => {
    if (found !== SCHEME.instructions || !isQuotedAt(text, at)) findings.add(found, where(at));
  });
  const shown = withoutQuotedCode(text);
  const placeShown = placeIn(shown, '');
  const toldInsideAt = pairAt(shown, HIDDEN_ORDER, HIDDEN_LINK_CHARS);
  if (toldInsideAt !== undefined) findings.add(TEXT.hiddenInstructions, placeShown(toldInsideAt));
  const hiddenAt = pairAt(shown, HIDDEN_LINK, HIDDEN_LINK_CHARS);
  if (hiddenAt !== undefined) findings.add(TEXT.hiddenText, placeShown(hiddenAt));
  if (
    /[a-z]/i.test(text) &&
    /[a-z][\u0400-\u04ff\u0370-\u03ff]|[\u0400-\u04ff\u0370-\u03ff][a-z]/i.test(text)
  )
    findings.add(TEXT.disguisedWords, 'in the text');
  judgeLinks(text, findings, siteUrl);
  judgeShape(text, findings);
  findMarkup(withoutQuotedCode(content), findings);
}

function judgeLinks(text: string, findings: Findings, siteUrl: string | undefined): void {
  const links = (text.match(LINK) ?? []).slice(0, LINKS_MAX);
  const ownDomain = domainOf(siteUrl);
  if (links.length >= 6) findings.add(TEXT.manyLinks, `${links.length} links`);
  else if (links.length >= 3) findings.add(TEXT.links, `${links.length} links`);
  for (const [index, link] of links.entries()) {
    const inner = new Findings();
    judgeAddress(link, (found) => inner.add(found, ''), ownDomain);
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
