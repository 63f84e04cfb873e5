import type { Proximity } from './proximity.ts';
import { TEXT } from './signals.ts';

/** Spam sent through contact forms: offers to site owners, and accusations with a link to a file. */
export const TO_SITES: readonly Proximity[] = [
  {
    signal: TEXT.siteOffer,
    anchor:
      /\b(?:noticed|found|saw|see|spotted|identified|detected|there are) (?:some|a few|several|many|multiple|serious|technical|seo|\d+) (?:\w+ )?(?:errors?|issues|problems|mistakes|bugs)\b/g,
    needs: [
      /\b(?:rank\w*|google|seo|search engines?|traffic|first page|conversions?)\b/,
      /\b(?:quote|screenshots?|proposal|audit|price list|packages|fix (?:them|it) for|improve)\b/,
      /\byour (?:web ?)?(?:site|page|blog|shop)|\bon your\b/,
    ],
  },
  {
    signal: TEXT.siteOffer,
    anchor:
      /\b(?:sponsored|guest|paid) (?:posts?|posting|articles?|content)\b|\bdo-?follow\b|\blink insertions?\b|\bgastbeitrag\w*|\barticles? sponsorises?\b|\barticulos? patrocinados?\b/g,
    needs: [
      /\b(?:your|ihre[mnrs]?|votre|su|tu) (?:\w+ )?(?:web ?site|site|blog|page|webseite|seite|sitio|pagina)\b/,
      /\b(?:price|cost|charge|budget|rates?|fee|client|publish|contribute|preis|kosten|tarif|precio)\b/,
    ],
  },
  {
    signal: TEXT.siteOffer,
    anchor:
      /\b(?:we|our (?:team|company|agency)) (?:\w+ ){0,3}(?:design|redesign|build|develop|create|promote|optimi[sz]e)s? [^.!?\n]{0,40}\b(?:web ?sites?|apps?|shops?)\b/g,
    needs: [
      /\b(?:affordable|cheap\w*|low(?:est)? (?:price|cost)|reasonable|discount\w*|starting (?:at|from)|from \$|for (?:just|only) [$€£])/,
      /\b(?:reply|interested|phone number|requirements|quote|whats ?app|let me know|contact|may i (?:send|share)|samples)\b/,
      /\b(?:website owner|business owner|sir|hello|hi|dear)\b/,
    ],
  },
  {
    signal: TEXT.siteOffer,
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
    signal: TEXT.siteOffer,
    anchor:
      /\b(?:platz (?:1|eins)|erste\w? (?:seite|platz)|top ?(?:1|3|10)|premiere page|primera pagina|prima pagina|primeira pagina) (?:(?:bei|von|auf|de|di|do|en|su|in|sur) )?google\b|(?:топ|перв\p{L}{1,3} страниц\p{L}) (?:google|яндекса?)/gu,
    needs: [
      /\b(?:ihre|deine|votre|su|tu|vostro|tuo|seu) (?:\w+ )?(?:webseite|website|homepage|seite|site|sitio|sito|pagina)\b|ваш \p{L}*саит/u,
      /\b(?:wir|nous|nosotros|noi|angebot|ab \d|gunstig\w*|offre|oferta|offerta|gratis)\b|мы/,
    ],
  },
  {
    signal: TEXT.infringement,
    anchor:
      /\b(?:infring\w+|copyright(?:ed)? (?:images?|photos?|material|works?|content)|protected by copyright|copyright (?:notice|claim|violation)|without (?:my|our) (?:permission|consent)|(?:stole|stolen|copied|used?|using) my (?:photos?|images?|pictures?|works?|content)|urheberrechtsverletz\w+)\b/g,
    needs: [
      /\b(?:legal action|lawsuit|sue|court|lawyers?|klage|anwalt)\b/,
      /\b(?:see|check|download|view|review|find|open|look at|here(?:['’]s| is)|siehe)\b[^.!?\n]{0,60}\b(?:evidence|proof|documents?|report|list|images?|beweise?)\b/,
      /https?:|www\./,
    ],
  },
];
