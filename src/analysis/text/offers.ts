import { FRAUD } from './fraud-signals.ts';
import type { Near } from './near.ts';
import { TEXT } from './signals.ts';

/** Offers of strangers, which need no address: a form brings them, and is answered. */
export const OFFERS_TO_READERS: readonly Near[] = [
  {
    signal: FRAUD.siteOffer,
    anchor:
      /\b(?:noticed|found|saw|see|spotted|identified|detected|there are) (?:some|a few|several|many|multiple|serious|technical|seo|\d+) (?:\w+ )?(?:errors?|issues|problems|mistakes|bugs)\b/g,
    needs: [
      /\b(?:rank\w*|google|seo|search engines?|traffic|first page|conversions?)\b/,
      /\b(?:quote|screenshots?|proposal|audit|price list|packages|fix (?:them|it) for|improve)\b/,
      /\byour (?:web ?)?(?:site|page|blog|shop)|\bon your\b/,
    ],
  },
  {
    signal: FRAUD.siteOffer,
    anchor:
      /\b(?:sponsored|guest|paid) (?:posts?|posting|articles?|content)\b|\bdo-?follow\b|\blink insertions?\b|\bgastbeitrag\w*|\barticles? sponsorises?\b|\barticulos? patrocinados?\b/g,
    needs: [
      /\b(?:your|ihre[mnrs]?|votre|su|tu) (?:\w+ )?(?:web ?site|site|blog|page|webseite|seite|sitio|pagina)\b/,
      /\b(?:price|cost|charge|budget|rates?|fee|client|publish|contribute|preis|kosten|tarif|precio)\b/,
    ],
  },
  {
    signal: FRAUD.siteOffer,
    anchor:
      /\b(?:we|our (?:team|company|agency)) (?:\w+ ){0,3}(?:design|redesign|build|develop|create|promote|optimi[sz]e)s? [^.!?\n]{0,40}\b(?:web ?sites?|apps?|shops?)\b/g,
    needs: [
      /\b(?:affordable|cheap\w*|low(?:est)? (?:price|cost)|reasonable|discount\w*|starting (?:at|from)|from \$|for (?:just|only) [$€£])/,
      /\b(?:reply|interested|phone number|requirements|quote|whats ?app|let me know|contact|may i (?:send|share)|samples)\b/,
      /\b(?:website owner|business owner|sir|hello|hi|dear)\b/,
    ],
  },
  {
    signal: FRAUD.siteOffer,
    anchor:
      /\b(?:(?:e-?mail|contact|customer|leads?) (?:lists?|databases?)|(?:real|targeted|website|organic|unique) (?:visitors|traffic)|(?:website )?contact forms)\b/g,
    needs: [
      /\b(?:decision makers|leads|industry|counts|million|per month|thousands?|\d[\d,.]{3,}|verified|monthly)\b/,
      /\b(?:we (?:sell|offer|provide)|can i (?:send|share)|interested|acquire|purchas\w+|buy|only \$|for (?:only )?\$|trial)\b|[$€£] ?\d/,
      /\byour (?:\w+ )?(?:web ?site|site|page|shop|business|company|industry|message)\b|\binterested\b/,
    ],
    without: /\b(?:unsubscribe me|take me off|our (?:site|website|contact form))\b/,
  },
  {
    signal: FRAUD.siteOffer,
    anchor:
      /\b(?:platz (?:1|eins)|erste\w? (?:seite|platz)|top ?(?:1|3|10)|premiere page|primera pagina|prima pagina|primeira pagina) (?:(?:bei|von|auf|de|di|do|en|su|in|sur) )?google\b|(?:топ|перв\p{L}{1,3} страниц\p{L}) (?:google|яндекса?)/gu,
    needs: [
      /\b(?:ihre|deine|votre|su|tu|vostro|tuo|seu) (?:\w+ )?(?:webseite|website|homepage|seite|site|sitio|sito|pagina)\b|ваш \p{L}*саит/u,
      /\b(?:wir|nous|nosotros|noi|angebot|ab \d|gunstig\w*|offre|oferta|offerta|gratis)\b|мы/,
    ],
  },
  {
    signal: TEXT.seo,
    anchor: /\b(?:followers?|subscribers|likes|views|abonnenten|abonnes|seguidores|iscritti)\b/g,
    needs: [
      /\b(?:instagram|tiktok|youtube|facebook|twitter|telegram|spotify|google)\b/,
      /\b(?:buy|increase|boost|get \d|cheap\w*|instant|kaufen|achete\w*|compr\w+)\b/,
      /[$€£] ?\d|\d ?(?:€|usd|euros?|eur)|\b(?:cheap\w*|best price)\b/,
      /https?:|@\w|whats ?app|telegram/,
    ],
  },
  {
    signal: FRAUD.papers,
    anchor:
      /\b(?:essays?|thesis|dissertations?|term papers?|homework|coursework|bachelorarbeit|masterarbeit|hausarbeit|memoire|tesis)\b/g,
    needs: [
      /\b(?:we|our (?:experts?|writers?|team)|professional writers?|wir|ghostwriter)\b[^.!?\n]{0,30}\b(?:writ\w+ your|schreib\w+ (?:ihre|deine))|\bghostwrit\w+|\bessay writers\b/,
      /\b(?:order|cheap\w*|per page|a page|plagiarism|plagiatfrei|from \$|from €|ab \d)\b|[$€£] ?\d/,
      /https?:|@\w|whats ?app|telegram/,
    ],
  },
  {
    signal: FRAUD.easyLoan,
    anchor:
      /\b(?:loans?|financing|funding|(?:\w{1,12})?kredite?|darlehen|prets?|prestamos?|prestit[oi]|emprestimos?|lening|pozyczk\w*|kredi|credito)\b|(?<!\p{L})(?:кредит|займ)\p{L}{0,2}/gu,
    needs: [
      /\b(?:(?:no|without) (?:credit check|collateral|guarantor)|bad credit|(?:ohne|trotz|negative\w?) (?:\w+ )?schufa|ohne vorkosten|schlechte\w? bonitat|entre particuliers|sans justificatif\w?|sin aval|sin buro|senza garanzie|sem consulta|zonder bkr|bez bik)\b|без (?:отказа|справок)/,
      /\b(?:we (?:give|offer|provide|grant)|we lend|need (?:an? )?(?:urgent |quick |personal )?(?:loan|cash|money|financ\w+|funding)|apply|contact|email|e-mail|schreiben sie|je vous|nous|vi offro|ofrec\w+|oferec\w+|sofort\w*|whats ?app|skontaktuj\w*)\b|@\w|https?:|звоните|пишите/,
    ],
  },
  {
    signal: FRAUD.papers,
    anchor:
      /\b(?:buy|order|get|obtain|purchase|kaufen|acheter|comprar|comprare|kupic)\b[^.!?\n]{0,50}\b(?:driver['’]?s? licen[cs]es?|passports?|ielts|toefl|diplomas?|degrees?|id cards?|residence permits?|fuhrerschein\w*|reisepass|permis de conduire|carnet de conducir|patente)\b|\b(?:driver['’]?s? licen[cs]es?|passports?|id cards?|diplomas?|certificates?)\b[^.!?\n]{0,50}\b(?:real (?:and|or|&) fake|no (?:test|exam))\b/g,
    needs: [
      /\b(?:(?:no|without) (?:an? |the |attending (?:the )?)?(?:exam|test|theory|study\w*|attendance)|real (?:and|or|&) fake|real registered|registered in the|genuine|undetectable|ohne prufung|sans examen|sin examen|senza esame|counterfeit|novelty)\b/,
      /\b(?:buy|order|get|obtain|purchase|kaufen|acheter|comprar|comprare|kupic|whats ?app|telegram|signal|contact us)\b|@\w/,
    ],
    without: /\b(?:how|where|can|do|should) (?:do |can )?i\b/,
  },
  {
    signal: FRAUD.luxury,
    anchor:
      /\b(?:louis vuitton|chanel|gucci|rolex|omega|prada|hermes|dior|ray ?-?ban|michael kors|moncler|canada goose|designer (?:handbags|bags|watches))\b/g,
    needs: [
      /\b[5-9]\d ?% (?:off|discount|rabatt|de reduction)|\b(?:1:1|aaa\+?|mirror quality|factory (?:outlet|price))\b/,
    ],
  },
  {
    signal: TEXT.pharmacy,
    anchor: /\b(?:ozempic|wegovy|mounjaro|semaglutide?|tirzepatide?|saxenda|adderall|ritalin|diazepam)\b/g,
    needs: [
      /\b(?:without (?:a )?prescription|no prescription|ohne rezept|rezeptfrei|sans ordonnance|sin receta|senza ricetta|sem receita|bez recepty)\b|без рецепта/,
      /\b(?:buy|order|cheap|online|bestellen|kaufen|gunstig|acheter|comprar|shipping|versand)\b/,
    ],
    without: /\b(?:illegal|dangerous|gefahrlich|verboten|is it|ist es|can i|darf man)\b/,
  },
];

const TRADE = /\b(?:viagra|cialis|levitra|tramadol|xanax|kamagra|sildenafil|tadalafil|ozempic|casino)\b/;
const BARE_OFFER =
  /\b(?:buy|order|cheap|discount|(?:no|without) prescription|for sale|free spins|no deposit|bonus|kaufen|rezeptfrei|acheter|comprar)\b/;
/** What makes a sentence of somebody: a person, a question, or what is the case. */
const SENTENCE =
  /[?]|\b(?:i|my|me|we|our|you|he|she|they|it|his|her|is|are|was|were|did|do|does|how|why|not|never|stop|mails?|spam|about|ich|ist|nicht|je|est|no es)\b/;
const BARE_WORDS_MAX = 8;

/** Whether a text in small letters is no more than goods that are hawked, as in titles and names of those who post them. */
export const isBareOffer = (plain: string): boolean =>
  plain.length < 120 &&
  TRADE.test(plain) &&
  BARE_OFFER.test(plain) &&
  !SENTENCE.test(plain) &&
  plain.trim().split(/\s+/).length <= BARE_WORDS_MAX;
