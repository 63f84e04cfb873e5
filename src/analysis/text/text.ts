import { decodeHtml, normalize } from '../decode.ts';
import { pairAt, placeIn } from '../place.ts';
import { findTagsAndLookups } from '../request/code.ts';
import { findElements } from '../request/html.ts';
import { ORDINARY_HANDLER } from '../request/quotations.ts';
import { findAddresses } from '../request/script.ts';
import { REQUEST } from '../request/signals.ts';
import { Findings, type Signal } from '../signal.ts';
import { domainOf, judgeAddress } from '../url.ts';
import { URL_SIGNALS } from '../url-signals.ts';
import { judge } from '../verdict.ts';
import { charsOf, isProse, shareOf, withoutQuotedCode } from '../words.ts';
import { plainOf } from './concepts.ts';
import { hiddenLinkAt } from './hidden-text.ts';
import { TO_SITES } from './offers.ts';
import { hiddenOrderAt, isWithdrawnAt, looseInstructionsAt, TO_A_READING_MODEL } from './orders.ts';
import { findProximate } from './proximity.ts';
import { isWarningIn, reportsFraud } from './reported-fraud.ts';
import { COMPANY, PAIRS, RULES } from './rules.ts';
import { findSchemes, isOwnQuestion, isOwnStory } from './schemes.ts';
import { TEXT } from './signals.ts';

/** A way for readers to follow, call or reply. */
const WAY_TO_ACT =
  /https?:|www\.|@|\[url|\bt\.me|whats ?app|telegram|\bskype\b|\bviber\b|телеграм|\b(?:repl(?:y|ies)|txt|text|call|dial|sms|dm|click (?:here|below)|order now|msg)\b|\d{5}/i;
/** Words of ordinary conversation, which sell nothing without a way to buy. */
const OFFERS: ReadonlySet<Signal> = new Set([
  TEXT.winning,
  TEXT.urgency,
  TEXT.free,
  TEXT.money,
  TEXT.terms,
  TEXT.smallPrint,
  TEXT.dating,
  TEXT.pharmacy,
  TEXT.gambling,
  TEXT.finance,
  TEXT.seo,
  TEXT.goods,
  TEXT.credentials,
]);

const ABOUT_INSTRUCTIONS =
  /prompt[ -]?injection|プロンプトインジェクション|提示词注入|\b(?:example|for instance|such as|e\.g|said|says|wrote|writes|tried|typed|phrase|llms?|chatbots?|bots?|quot(?:e|ed|ation)|fixture|tutorial|attack(?:er)?s?|zum beispiel|beispiel|par exemple|por ejemplo)\b/i;
/** A quotation that is meant to be executed. */
const TO_BE_DONE =
  /\b(?:now|please|then|must|should|have to|need to|and) (?:do|follow|obey|execute|comply)\b|\bdo (?:it|so|exactly (?:this|that))\b/i;
const QUOTE_CHARS = 200;

/** Whether an instruction is quoted in a text about such instructions. */
function isQuotedAt(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - QUOTE_CHARS), at);
  const after = text.slice(at, at + QUOTE_CHARS);
  const isQuoted =
    /["'`\u201c\u201e\u00ab\u300c\u300e][^"'`\u201d\u00bb\u300d\u300f]{0,80}$/.test(before) &&
    /["'`\u201d\u201c\u00bb\u300d\u300f]/.test(after);
  return isQuoted && ABOUT_INSTRUCTIONS.test(before + after) && !TO_BE_DONE.test(before + after);
}

/** Whether the text reports that something was ignored, rather than ordering it. */
const isNarratedAt = (text: string, at: number): boolean =>
  /\b(?:i|we|he|she|they|it|who|bot)\b[^.!?]{0,60}\b(?:ignored|forgot|disregarded|overrode|skipped)\b/i.test(
    text.slice(Math.max(0, at - QUOTE_CHARS), at + 40),
  );

/** Whether a word mixes two alphabets and is longer than words in formulas. */
const isMixed = (text: string): boolean =>
  /[a-z]/i.test(text) &&
  (text.match(/[a-z\u0370-\u04ff]{4,40}/gi) ?? []).some(
    (word) => /[a-z]/i.test(word) && /[\u0370-\u04ff]/.test(word),
  );

/** Topics that people discuss without selling, and words of sellers. */
const TOPICS: ReadonlySet<Signal> = new Set([TEXT.pharmacy, TEXT.gambling, TEXT.finance, TEXT.seo]);
const SELLING =
  /\b(?:buy|cheap\w*|order|discount\w*|offers?|offering|bonus\w*|deposit\w*|spins?|best|deals?|sales?|click|join|sign up|register|earn\w*|guarantee\w*|we (?:offer|provide|sell|can|help)|services?|play|win\w*|daily|profits?|apply|approved|interested|contact|whats ?app|telegram|per (?:day|week|month)|without (?:a )?prescription|no prescription|online|increase|boost|improve|more at|top|instant\w*|fast|quick|now|today|get|invest with|trading|opportunit\w+|returns?|make money|double|money back|diskret|ohne rezept|limited|exclusive|high[- ]quality|traffic|rezeptfrei|sans ordonnance|sin receta|senza ricetta|sans d[ée]p[ôo]t|ohne einzahlung|sin dep[óo]sito|senza deposito)\b|\d ?%|[$€£]\s?\d|[^\u0000-\u024f\u2000-\u2fff]/i;

/** Goods that people mention with more context when they do not sell them. */
const TRADE =
  /\b(?:viagra|cialis|levitra|tramadol|xanax|kamagra|sildenafil|tadalafil|casino\w{0,8}|1xbet|mostbet|togel|bandar|payday)\b(?! royale|,? \()/i;
const REFERENCE = /\/\/(?:[\w-]{1,20}\.){0,2}(?:wikipedia|youtube|imdb|github|archive|nih|who|europa)\.\w/i;
const LABEL_WORDS_MAX = 5;

/** Whether a text is only a label for a link or address. */
const isLabel = (text: string): boolean =>
  /https?:|\bt\.me\/|@\w/.test(text) &&
  !REFERENCE.test(text) &&
  TRADE.test(text.replace(LINK, ' ')) &&
  text.replace(LINK, ' ').trim().split(/\s+/).length <= LABEL_WORDS_MAX;

/** Schemes that banks, shops and companies warn about in the same words. */
const OFTEN_REPORTED: ReadonlySet<Signal> = new Set([TEXT.newBankDetails, TEXT.giftCards]);

const LINK = /\b(?:https?:\/\/|www\.)[^\s<>"'\])]{3,500}/gi;
const LINKS_MAX = 100;

/** Finds spam, phishing, hidden content and injected markup or instructions in a text. */
export function analyzeText(content: string, findings: Findings, siteUrl: string | undefined): void {
  const text = normalize(decodeHtml(content));
  const where = placeIn(text, '', findings.linesBefore);
  const plain = plainOf(text);
  const canAct = WAY_TO_ACT.test(text);
  for (const [pattern, found] of RULES) {
    if (!canAct && OFFERS.has(found)) continue;
    const match = pattern.exec(text);
    if (!match) continue;
    if (found === TEXT.credentials && (isOwnQuestion(text) || isWarningIn(plain))) continue;
    const isAbout = found === TEXT.instructions || found === TEXT.aboutModels;
    if (found === TEXT.instructions && isWithdrawnAt(text, match.index, match.index + match[0].length))
      continue;
    const isTold = isAbout && isQuotedAt(text, match.index);
    const isTopic = TOPICS.has(found) && !SELLING.test(text) && !isLabel(text);
    findings.add(isTold ? TEXT.quotedInstructions : isTopic ? TEXT.topic : found, where(match.index));
  }
  const looseAt = looseInstructionsAt(text);
  if (looseAt !== undefined)
    findings.add(isQuotedAt(text, looseAt) ? TEXT.quotedInstructions : TEXT.instructions, where(looseAt));
  for (const [things, charsMax, found] of PAIRS) {
    const at = pairAt(text, things, charsMax);
    if (at === undefined || (OFTEN_REPORTED.has(found) && reportsFraud(plain))) continue;
    if (COMPANY.get(found)?.test(text) !== false) findings.add(found, where(at));
  }
  const placeInPlain = placeIn(plain, '', findings.linesBefore);
  findProximate(plain, TO_SITES, (found, at) => findings.add(found, placeInPlain(at)));
  findProximate(plain, TO_A_READING_MODEL, (found, at) =>
    findings.add(isQuotedAt(plain, at) ? TEXT.quotedInstructions : found, placeInPlain(at)),
  );
  findSchemes(text, plain, (found, at) => {
    const isTold =
      found === TEXT.instructions
        ? isQuotedAt(text, at) || isNarratedAt(text, at) || isWithdrawnAt(text, at, at)
        : isOwnStory(found, text, plain);
    if (!isTold) findings.add(found, where(at));
  });
  const shown = withoutQuotedCode(text);
  const placeShown = placeIn(shown, '', findings.linesBefore);
  const orderAt = hiddenOrderAt(shown);
  if (orderAt !== undefined) findings.add(TEXT.hiddenInstructions, placeShown(orderAt));
  const hiddenAt = hiddenLinkAt(shown);
  if (hiddenAt !== undefined) findings.add(TEXT.hiddenText, placeShown(hiddenAt));
  if (isMixed(text)) findings.add(TEXT.disguisedWords, 'in the text');
  judgeLinks(text, findings, siteUrl);
  judgeShape(text, findings);
  findMarkup(withoutQuotedCode(content), findings);
}

function judgeLinks(text: string, findings: Findings, siteUrl: string | undefined): void {
  const links = (text.match(LINK) ?? []).slice(0, LINKS_MAX);
  const ownDomain = domainOf(siteUrl);
  if (links.length >= 6) findings.add(TEXT.manyLinks, `${links.length} links`);
  else if (links.length >= 3) findings.add(TEXT.links, `${links.length} links`);
  let doubtful = 0;
  for (const [index, link] of links.entries()) {
    const inner = new Findings();
    judgeAddress(link, (found) => inner.add(found, ''), ownDomain);
    const significant = inner.all.filter((found) => found.signal !== URL_SIGNALS.plainHttp);
    if (judge(significant, 'text').verdict !== 'clean') {
      findings.add(TEXT.badLink, `link ${index + 1}`);
      return;
    }
    if (significant.some((found) => found.signal.weight >= DOUBTFUL_MIN) && ++doubtful === DOUBTFUL_LINKS_MIN)
      findings.add(TEXT.doubtfulLinks, `link ${index + 1}`);
  }
}

const DOUBTFUL_MIN = 1.5;
const DOUBTFUL_LINKS_MIN = 3;
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

/** A script element that would run, and one that only loads a file of the site. */
const RUNNING_SCRIPT =
  /<\s{0,5}\/\s{0,5}script|<script[^<>]{1,200}src|<script[^<>]{0,100}>\s{0,5}[\w.$]{1,60}\s{0,3}[(=`]/i;
const OWN_SCRIPT =
  /<script\s[^<>]{0,100}src=["'](?:\.{0,2}\/)?(?!\/)[\w./-]{1,100}["'][^<>]{0,60}>\s{0,5}<\/script>/gi;
const TAKING =
  /\$_|\b(?:phpinfo|system|exec|shell_exec|passthru|eval|assert|base64_decode|include|file_\w+|popen)\s{0,5}\(|`/i;

function findMarkup(written: string, findings: Findings): void {
  const content = written.replace(OWN_SCRIPT, ' ').replace(ORDINARY_HANDLER, ' ');
  const isMention = isProse(content);
  const report = (found: Signal) => {
    if (!MARKUP_SIGNALS.has(found)) return;
    if (isMention && found === REQUEST.xssScript && !RUNNING_SCRIPT.test(content)) return;
    if (isMention && found === REQUEST.phpCode && !TAKING.test(content)) return;
    findings.add(found, 'in the text');
  };
  if (content.includes('<')) findElements(content, report);
  findAddresses(content, report);
  findTagsAndLookups(content, report);
}
