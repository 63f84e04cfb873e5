import type { Signal } from '../signal.ts';
import { INSTRUCTIONS } from './orders.ts';
import { TEXT } from './signals.ts';

type Rule = readonly [RegExp, Signal];
/** Signals by pattern. */
export const RULES: readonly Rule[] = [
  [
    /\b(?:you(?:'ve| have)? (?:been )?(?:won|win|selected|chosen|awarded)|winner|won a|(?:chance to|to) win\b|win (?:an?|the|up to) |(?<!nobel )prizes?|jackpot|awarded|guaranteed|lucky (?:draw|winner)|claim (?:your|ur|code|now|a|it|call|before|no)|to claim|bonus caller|valued customer|reward|give ?aways?|(?:congratulations|congrats)(?! (?:on|to)\b))\b/i,
    TEXT.winning,
  ],
  [
    /\b(?:urgent\w*|act now|immediately|last chance|expires?|hurry|limited (?:time|offer)|final (?:notice|attempt|warning)|today only|within \d+ (?:hours|hrs|days)|asap|important (?:message|notice|information)|don'?t miss|2nd attempt|attempt to (?:contact|reach))\b/i,
    TEXT.urgency,
  ],
  [/(?<!\b(?:are|am|feel|be|i'm|you're|set) )\bfree\b(?! (?:time|on|at|today|tomorrow)\b)/i, TEXT.free],
  [/(?:[£$€]\s?\d|\b\d[\d,.]{0,12}\s?(?:pounds|gbp|usd|euros?|dollars|p\b|ppm))|\bcash\b/i, TEXT.money],
  [
    /(?<!\b(?:in case|in the event|for help|any questions)\b[^.!?\n]{0,60})\b(?:call|txt|text|reply|send|sms|dial|msg)\b.{0,60}\b(?:0?[89]\d{2}\s?\d{3,}|\d{5}\b|0\d{9,10}|\+\d{9,})(?!.{0,40}\b(?:mon(?:day)?s?|mo) ?(?:to|till|until|bis|-|–) ?(?:f|sa|su|so))/i,
    TEXT.premium,
  ],
  // The keyword is in capitals in these messages.
  [
    /\b(?:(?:[Tt]xt|TXT|[Tt]ext|TEXT|[Rr]eply|REPLY)\s+["']?|(?:[Ss]end|SEND)\s+["']?(?=[A-Z]{2,20}["']?\s+(?:to|TO|now|NOW|at|on)\b|[^\n]{0,60}\d{4}))(?!(?:STOP|YES|NO|HELP|CONFIRM|ME|IT|US|THE|THIS|THAT|YOU|TO|MY|IN|ON|OR|AND|IF|WHEN|CV|SMS|PDF|OK|ALL|ASAP|RSVP|ETA|FYI|PNG|JPE?G|HR|IT|CEO)\b)[A-Z]{2,}/,
    TEXT.keyword,
  ],
  [/\b(?:[Tt]xt|TXT|[Tt]ext|TEXT|[Rr]eply|REPLY)\s+["']?YES\b/, TEXT.agreement],
  [/\b(?:terms|opt[- ]?out|subscribe?\b(?!:? https?:)|subscription|voucher|customer service)\b/i, TEXT.terms],
  [
    /\bt ?&? ?c'?s?(?: apply)?\b(?!\.\w)|\b(?:subscriber|stop to|to stop|txt stop|text stop|16\+|18\+|per (?:msg|message|min|wk)|\d+p(?:\/| per|pm)|std (?:rate|txt)|po ?box\w*|std ntwk|rply|box\d+|cs? sae|sae|national rate|bt-national|landline|ringtone|poly \w+|polyphonic|tones?\b|ur mob|camcorder|nokia|mobileupd8|custcare)\b/i,
    TEXT.smallPrint,
  ],
  [
    /\b(?:sexy ?(?:chat|girls?)?|xxx|dating|singles|horny|adult (?:chat|dating|content|sites?|videos?|lines?)|naked|nude|hot girls?|chat (?:line|to)|flirt\w*|babes|hunks|knickers|dates in your|dream partner|dirty|porn\w*|escort\w*|webcam girl\w*|secret admirer|fantas\w+|admirer|looking 2? ?make contact|lonely (?:wives|housewives|women|girls|moms)|one[- ]night stands?|no strings attached|milfs?|hookups?)\b/i,
    TEXT.dating,
  ],
  [
    /\b(?:viagra|cialis|levitra|tramadol|xanax|valium|phentermine|ambien|oxycontin|pharmacy|pharmacies|prescription|pills?|weight loss|hgh|steroids|erectile|enlarge\w*|kamagra|sildenafil|tadalafil|cbd oil|keto|potenzmittel|rezeptfrei|sans ordonnance|sin receta|senza ricetta)\b|виагр|сиалис/i,
    TEXT.pharmacy,
  ],
  [
    /\b(?:casino\w*|poker|slots?|roulette|betting|bet365|gambling|blackjack|bookmaker|jackpots|bandar|togel|judi|1xbet|mostbet|sbobet|spielcasino|freispiele?|free ?spins?|tragamonedas|giri gratis|tours gratuits|rodadas gr[áa]tis)\b|казино|букмекер|фриспин|赌场|娱乐城|カジノ/i,
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
    /\b(?:(?:verify|confirm|update|validate|unlock|restore|reactivate|secure) (?:your|ur|the) (?:\w+ )?(?:account|password|identity|information|details|mailbox|wallet|card|billing|payment)|account (?:has been|was|is|will be) (?:\w+ )?(?:suspended|limited|locked|disabled|blocked|closed|deactivated)|unusual (?:activity|sign-?in)|security alert|login attempt|password (?:expires?|will expire|reset required)|click (?:here|below|the link|on the link) to (?:verify|confirm|update|login|log in|restore|avoid)|seed phrase|recovery phrase|private key|mailbox (?:is |has been )?(?:\d+ ?% |almost |nearly )?full|(?:storage|quota|mailbox) limit|customs fee|failed delivery)\b/i,
    TEXT.credentials,
  ],
  [
    /\b(?:next of kin|inheritance|beneficiary|late (?:husband|client|father)|million (?:dollars|usd|us dollars|pounds|euros)|bank transfer of|barrister|business proposal|confidential transaction|diplomat|western union|money ?gram|atm card|compensation fund|fund transfer|foreign partner|god bless|lottery)\b/i,
    TEXT.advanceFee,
  ],
  [
    /\b(?:no (?:prior )?(?:experience|skills)(?! (?:with|in|of|as)\b)|keine (?:vor)?(?:kenntnisse|erfahrung)|ohne (?:vor)?(?:kenntnisse|erfahrung)|sin experiencia|sans exp[ée]rience|senza esperienza|sem experi[êe]ncia|geen ervaring|bez do[śs]wiadczenia)\b|без опыта/i,
    TEXT.noSkills,
  ],
  [
    /\b(?:whats ?app|telegram|t\.me\/\w|dm me|wechat|(?:via|per|over|using|sur|por|auf|on my|me on) signal|signal (?:app|messenger|group|gruppe|me))\b|телеграм|ватсап/i,
    TEXT.messenger,
  ],
  [
    /\b(?:earn\w*|get|make|profits?|returns?|pay\w*|yields?|up to|receive|verdien\w*|gewinn\w*|gagn\w*|gan[ae]\w*)\b[^.!?\n]{0,60}?\d{1,3} ?% (?:daily|a day|per day|every day|weekly|t[äa]glich|pro tag|par jour|al d[íi]a)|\b\d{1,3} ?% (?:daily|a day|per day|every day|weekly|t[äa]glich|pro tag|par jour|al d[íi]a)\b[^.!?\n]{0,60}\b(?:profits?|returns?|income|interest|yield|deposit\w*|invest\w*|gewinn|rendite)|\bguaranteed (?:profits?|returns?|income)|\b(?:zero|no) risk(?! of\b| to\b| that\b| for\b)\b|\brisk[- ]free (?:profit|investment|trading)|\bgarantierte\w? (?:gewinn|rendite)|\b(?:lucro|beneficio|ganancias?|guadagno|gains?|zysk)s? (?:garant|gwarant)|гарантированн\S{1,3} (?:доход|прибыл)/i,
    TEXT.certainProfit,
  ],
  [
    /\b(?:nice|great|awesome|amazing|excellent|good|wonderful) (?:post|article|blog|page|site|website|info\w*)\b[\s\S]{0,300}https?:|\b(?:visit|check out|see) my (?:web ?)?(?:site|page|blog|website)\b/i,
    TEXT.flattery,
  ],
  [/\[url=|\[link=|\[\/url\]|<a\s[^>]{0,100}href/i, TEXT.linkMarkup],
  // Soft hyphens and non-joiners occur between letters, but never on both sides of one.
  [/[a-z](?:[\u200b\u200e\u200f\u2060-\u2064\ufeff]|\u200d)[a-z]/i, TEXT.invisible],
  [/[a-z][\u200c\u00ad][a-z][\u200c\u00ad][a-z]/i, TEXT.disguisedWords],
  [INSTRUCTIONS, TEXT.instructions],
  [
    /\b(?:system prompt|jailbreak\w*|developer mode|from now on,? you|pretend (?:you are|that you))\b/i,
    TEXT.aboutModels,
  ],
  [
    /<\|(?:im_start|im_end|system|user|assistant|endoftext)\|>|\[\/?INST\]|<<\/?SYS>>|^\s{0,3}### ?(?:system|instruction|assistant|human|response)(?: ?:|[ \t]{0,5}$)|"role"\s*:\s*"system"|\bBEGIN (?:SYSTEM|ADMIN) (?:PROMPT|MESSAGE)/im,
    TEXT.markers,
  ],
  [/(?:\+\d{1,3}[\s-]?)?\(?\d{3,5}\)?[\s-]?\d{3,4}[\s-]?\d{3,4}\b/, TEXT.phone],
  [
    /\b(?:v[i1!|]agr[a@]|c[i1!|]al[i1!|]s|cas[i1!|]n[0o]|p[o0]rn|fr[3]e|v\s?i\s?a\s?g\s?r\s?a|m0ney|l[o0]an5|b[i1]tc[o0][i1]n)\b(?<!viagra|cialis|casino|porn|free|loans|bitcoin)/i,
    TEXT.disguisedWords,
  ],
];

/** Pairs of patterns, the first before the second, with the maximum distance in characters. */
export const PAIRS: readonly (readonly [RegExp, number, Signal])[] = [
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
    /(\b(?:gift ?cards?|geschenkkarten|guthabenkarten|cartes? cadeaux?|tarjetas? (?:de )?regalo)\b)|\b(?:scratch|(?:send|take|text|email|share) (?:me |us )?(?:a |the |some |clear )?(?:pictures?|photos?|pics?)|(?:pictures?|photos?|pics?) of (?:the |each |both |all )?(?:cards?|codes?|back|them|receipts?)|reimburs\w+|confidential|rubbel\w*|codes? (?:to|on)|fotos?)\b/gi,
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
  [
    /(\b(?:invoices?|payments?)\b)|\bnew (?:bank )?account\b(?! (?:manager|executive|team|page|portal|area)\b)/gi,
    120,
    TEXT.newBankDetails,
  ],
  [
    /(\b(?:infected|virus(?:es)?|trojan|infiziert|viren|infect[ée])(?!\p{L}))|(?<!\b(?:i|we|he|she|they|will|ll|did) )\b(?:call|rufen|anrufen|appelez|llame|chiami|ligue)\b(?! (?:me|him|her|them|mich|mir|moi)\b).{0,80}(?:toll[- ]free|microsoft|support|windows (?:help|service|team|security|expert)|hotline|\d{3}[- ]\d{3})/giu,
    200,
    TEXT.support,
  ],
  [
    /(\b(?:your|dein|ihr|votre|tu|su)\w{0,3} (?:personal |own )?(?:bank ?(?:account|konto)|konto|compte bancaire|cuenta bancaria)\b)|\b(?:receive|forward|transfer|empfangen|weiter\w+|recevoir|recibir)/gi,
    80,
    TEXT.bankAccountLent,
  ],
];

/** Context required for pairs that also occur by chance. */
export const COMPANY: ReadonlyMap<Signal, RegExp> = new Map([
  [
    TEXT.support,
    /\b(?:computer|pc|laptop|windows|microsoft|apple|mac|device|system|i?phone|android|tablet|ordinateur|ordenador|equipo|dispositivo|gerät|rechner|firewall|browser|data)\b/iu,
  ],
  [
    TEXT.advanceFeeTold,
    /[$€£]|\b(?:million|billion|thousand)s? (?:usd|us|united|dollars?|euros?|pounds?|gbp)|\b(?:usd|dollars?|funds?|inherit\w*|estate|deceased|died|late|dying|kin|consent|beneficiary|bank\w*|transaction|deposit\w*|proposal|confidential\w*|charity|god|\d+ ?%)\b/i,
  ],
  [
    TEXT.giftCards,
    /\b(?:scratch\w*|codes?|confidential|reimburs\w*|back|urgent\w*|asap|need|purchase|buy|get (?:me|some|\d)|favou?r|brauche|besorg\w*|kauf\w*|rubbel\w*|ach[eè]te\w*|compr\w+)\b/i,
  ],
]);
