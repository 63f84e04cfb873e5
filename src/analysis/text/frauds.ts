import { FRAUD } from './fraud-signals.ts';
import type { Near } from './near.ts';
import { MILLIONS, SCHEME } from './schemes.ts';
import { TEXT } from './signals.ts';

const LINK = /https?:|www\./;
const CONTACT =
  /@\w|https?:|\bt\.me\b|wa\.me|whats ?app|telegram|\+\d{6}|\b(?:contact|write to|message) (?:me|us|him|her)\b/;

/** What takes money, codes or goods by a pretence, and what threatens. */
export const FRAUDS: readonly Near[] = [
  {
    signal: SCHEME.estate,
    anchor:
      /\b(?:died|deceased|passed away|late (?:client|customer)|next of kin|unclaimed|dormant account|nobody (?:has )?claim\w*|no will|depositor)\b/g,
    needs: [
      MILLIONS,
      /\b(?:stand as|present you|as (?:his|the|my) (?:heir|relative|next of kin|beneficiary)|split|share (?:it|\d)|\d\d ?%|in private|privately|confiden\w+|your (?:consent|cooperation|assistance))\b/,
      /\byou\b/,
    ],
    without: /\bmy (?:father|mother|husband|wife|uncle|aunt|brother|sister)\b[^\n]*\?/,
  },
  {
    signal: SCHEME.blackmail,
    anchor:
      /\b(?:(?:access|entry) to|control (?:of|over)|infected|(?:got|broke) into|hacked) your (?:\w+ )?(?:phone|devices?|computer|camera|pc|laptop|system|webcam|router|accounts?|mailbox)\b|\b(?:footage|videos?|recordings?|clip|film|movie)\b[^.!?\n]{0,40} (?:of|starring) you\b|\b(?:film|video|footage|clip|recording) (?:goes|will go|is sent|gets sent) to (?:your|all)\b|\bmy (?:malware|trojan|virus|rootkit)\b|\bvideos? (?:intim\w+ )?(?:tuyo|suyo|tuo|suo|seu|de vous|von (?:ihnen|dir))\b|\bintim\w* (?:videos?|aufnahmen|fotos?|bilder)\b|\b(?:recorded|filmed|watch(?:ed|ing)) you\b/g,
    needs: [
      /\b(?:bitcoins?|btc|usdt|monero|crypto\w*|litecoin|wallet)\b/,
      /\b(?:send\w*|pay\w*|transfer|deposit|otherwise|or else|pag\w+|zahl\w+|envi\w+|invi\w+|uberweis\w+)\b|[$€£] ?\d|\d ?(?:€|\$|(?:usd|eur|euros?|dollars|btc|bitcoins?)\b)/,
      /\b(?:i|i['’]ve|i['’]m|we|my|ich|wir|je|j['’]ai|tengo|ho|tenho|mam)\b/,
    ],
    without: /\b(?:will you|can you|could you|thank(?:s| you))\b/,
  },
  {
    signal: TEXT.giftCards,
    anchor:
      /\b(?:itunes|apple|steam|google play|amazon|vanilla|razer|paysafe)[ -]?(?:gift ?)?(?:cards?|vouchers?|karten|codes?)\b|\b(?:gift ?cards?|geschenkkarten|guthabenkarten|cartes? cadeaux?|tarjetas? (?:de )?regalo)\b/g,
    needs: [
      /\b(?:buy|get|purchase|pick up|besorg\w*|kauf\w*|achete\w*|compr\w+)\b/,
      /\b(?:send|text|e-?mail|mail|share|give|scratch|schick\w*|envoie\w*|envia\w*)\b[^.!?\n]{0,40}\b(?:numbers?|codes?|pins?|pictures?|photos?|fotos?)\b/,
      /\b(?:meeting|conference|pay you back|reimburs\w*|between us|confidential|urgent\w*|right away|favou?r|asap|ceo|boss|surprise|can['’]?t (?:talk|call)|today)\b/,
    ],
  },
  {
    signal: FRAUD.ransom,
    anchor:
      /\b(?:we|i)(?: have|['’]ve)? (?:encrypted|locked) (?:all )?your\b|\b(?:your|the|all|ihre|deine|vos|tus|sus|i tuoi|os seus) (?:\w+ ){0,2}(?:files|data|documents|databases?|servers?|network|dateien|daten|fichiers|donnees|archivos|datos|file|dati|arquivos|dados)\b[^.!?\n]{0,50}\b(?:encrypted|locked|stolen|verschlusselt|gesperrt|chiffres|cifrados|encriptados|crittografati|criptografados)\b/g,
    needs: [
      /\bbitcoins?\b|\bbtc\b|\bmonero\b|\btor (?:browser|site|link)\b|\.onion\b|\bransom\b|\bdecrypt(?:ion|or|er)\b/,
      /\bpa(?:y|yment)\b|\bbuy\b|\bprice\b|\bcontact us\b|\bzahlen\b|\bpaye[rz]\b|\bpag(?:ar|ue|are|a)\b|\bor (?:we|they) will\b|\bdeadline\b/,
    ],
  },
  {
    signal: FRAUD.leak,
    anchor:
      /\b(?:we|i)(?:['’]ve| have)? (?:\w+ )?(?:downloaded|extracted|stolen|copied|obtained|exfiltrated|dumped|hacked|breached|got hold of)\b|\bhas been (?:breached|hacked|compromised)\b|\b(?:was|were) (?:penetrated|breached|copied|exfiltrated|stolen)\b|\b(?:wir|ich) habe?n? [^.!?\n]{0,60}\b(?:kopiert|gestohlen|heruntergeladen|gehackt)\b/g,
    needs: [
      /\b(?:publish\w*|leak\w*|sold|sell|auction\w*|dark ?net|dark ?web|(?:on|for) sale|veroffentlich\w*|expose\w*|made public)\b/,
      /\bunless (?:you|we)\b|\bif (?:you (?:do not|don['’]?t|refuse|fail|ignore)|we (?:do not|don['’]?t) (?:hear|receive|get))\b|\b(?:wenn|falls|sollten) sie (?:nicht|sich)\b|\boder wir\b|\bsonst\b|\bor (?:we|the data|all|everything)\b|\botherwise (?:we|i|all|your)\b/,
    ],
  },
  {
    signal: FRAUD.threat,
    anchor:
      /\b(?:pay|send|transfer|give|wire) (?:me|us|an? |\d|[$€£])[^.!?\n]{0,60}\b(?:or(?: else)?|otherwise),? (?:i|we)(?: will|['’]ll| am going to| are going to) (?:\w+ )?(?:publish|leak|expose|release|destroy|ruin|ddos|attack|crash|infect|hack|post|write|leave|flood|sell|report|send)\b|\bpay\b[^.!?\n]{0,60}\bor (?:i|we) (?:publish|leak|expose|sell|attack|destroy)\b|\b(?:ddos(?:ed)?|attack(?:ed|s)?|leak(?:ed)?|publish(?:ed)?|destroy(?:ed)?|flood(?:ed)?|taken down)\b[^.!?\n]{0,60}\b(?:unless you|if you (?:do not|don['’]?t|refuse to|will not|won['’]?t)) (?:pay|send|transfer)\b|\b(?:we|i)(?: will|['’]ll) [^.!?\n]{0,60}\b(?:offline|down|ddos|attack|publish|leak|expose)\b[^.!?\n]{0,60}\b(?:if|unless)\b[^.!?\n]{0,40}\b(?:btc|bitcoins?|monero|usdt)\b/g,
    needs: [
      /\b(?:bitcoins?|btc|usdt|monero|crypto\w*|paypal|dollars?|euros?|usd|eur)\b|[$€£]/,
      /\b(?:reviews?|ddos\w*|attack\w*|leak\w*|publish\w*|expos\w*|destroy\w*|ruin\w*|videos?|photos?|pictures?|secrets?|reputation|data\w*|offline|down)\b/,
    ],
  },
  {
    signal: FRAUD.claimNow,
    anchor:
      /\b(?:you(?:['’]ve| have|['’]re| are)?|your (?:e-?mail|number|name|address|phone|mobile|account)(?: \w+)? (?:has|was)) (?:just )?(?:won|(?:been )?(?:drawn|picked|selected|chosen|awarded)|the (?:lucky )?winner)\b/g,
    needs: [
      /\b(?:prizes?|gifts?|rewards?|voucher|iphone|samsung|lottery|jackpot|cash|gift ?cards?|[$€£] ?\d[\d.,]{0,15}|\d[\d.,]{0,15} ?(?:pounds|euros?|eur|usd|gbp|dollars))(?!\w)|[$€£] ?\d/,
      /\b(?:claim|collect|redeem|receive) (?:it|yours?(?: \w+)?|this|the \w+) (?:now|here|today|before|within|immediately)\b|\b(?:to claim|to receive it|before it expires)\b|\b(?:send|provide|reply with|forward|submit|confirm|enter|give|e-?mail) (?:us )?your (?:full )?(?:bank\w*|name|card|credit|address|account|details|passport|phone)\b/,
    ],
    without:
      /\b(?:our|the) (?:club|school|raffle|tombola|choir|library|parish|photo contest|photo competition)\b/,
  },
  {
    signal: FRAUD.newAccount,
    anchor:
      /\b(?:our|my|the company['’]?s?) (?:bank(?:ing)? (?:account )?|account |payment )(?:details |information |coordinates )?(?:have|has|was|were) (?:recently |just )?(?:been )?(?:changed|updated)\b|\b(?:changed|switched|moved) (?:to )?(?:my|our|another|a (?:new|different)) banks?\b|\bnew iban\b|\b(?:update|change) my direct deposit\b/g,
    needs: [
      /\b(?:remit\w*|salary|payroll|wages|pay ?check|direct deposit|outstanding|(?:all|future|further|next|open) (?:invoices?|payments?)|use the (?:attached|new|following) (?:\w+ )?account)\b/,
    ],
    without: /\b(?:where|how) (?:can |do |should |must )?i\b/,
  },
  {
    signal: FRAUD.newAccount,
    anchor:
      /\b(?:send|make|direct|transfer|remit) (?:(?:all|your|the|any|future|further) )*(?:payments?|invoices?|funds)\b[^.!?\n]{0,30}\b(?:to|into) (?:this|our new|the new|the following|another) (?:\w+ )?(?:account|iban)\b/g,
    needs: [
      /\b(?:audit|blocked|frozen|from now on|no longer|instead|with immediate effect|old account|changed)\b/,
    ],
  },
  {
    signal: TEXT.newBankDetails,
    anchor:
      /(?:\b(?:bankverbindung|kontoverbindung|kontodaten|bankdaten|iban|coordonnees bancaires|rib|datos bancarios|coordinate bancarie|dados bancarios|bankgegevens|rekeningnummer|numer(?:u)? (?:konta|rachunku)|hesap bilgi\w*)|реквизиты)(?!\w)[^.!?\n]{0,30}(?:geander|chang|cambi|mud(?:ou|aram)|alterad|gewijzigd|veranderd|zmien|degis|измени)|\b(?:neue[nsr]?|nouve\w+|nuev\w+|nuov\w+|nov[oa]s?|nieuwe?|now[eya]\w{0,2}|yeni|zmienili\w+|geanderte) (?:\w+ )?(?:bankverbindung|iban|konto|compte|rib|conto|cuenta|conta|rekening|rachunek|numer konta|hesap\w*)(?!\w)|новы\p{L} (?:счет|реквизиты)/gu,
    needs: [
      /\b(?:uberweis|zahl|begleich|vire[rmz]|virement|pay[ae]|pag[aoue]|transfer|bonific|betal|overmak|przelew|zaplat|ode[my])|оплат|перев/,
      /\b(?:rechnung|gehalt|lohn|factur|fattur|fatur|faktur|fa[ck]tuur|zahlung|betaling|paiement)|счет/,
    ],
    without:
      /\b(?:pas|nicht|not|no|non|niet|nie|nao) (?:\w+ ){0,2}(?:chang|geander|cambi|mud|gewijzigd|zmien)|\b(?:wie|wo|comment|comme faire|como|come|dove|hoe|jak|nasil)\b[^.!?\n]{0,80}\?/,
  },
  {
    signal: FRAUD.code,
    anchor: /(?<!\w)(?:codes?|otp|pin|sms-code\w?|codigo|codice)(?!\w)|(?<!\p{L})код(?!\p{L})/gu,
    needs: [
      /\b(?:read|tell|send|give|forward|text|share|dictate) (?:it |that |this |the code )(?:back )?to (?:me|us)\b|\b(?:read|tell|send|give|forward|text|dictate) (?:to )?(?:me|us) (?:it\b|what it says|an? screenshot|(?:the|that|this|your) (?:\w+ ){0,3}(?:code|otp|pin|numbers|digits)\b)|\bme lo (?:puedes|podrias|reenvi\w+|mand\w+|envi\w+|invi\w+|puoi)|\bme le (?:renvoyer|transmettre)|\b(?:mir|uns) (?:\w+ ){0,3}(?:weiterleiten|schicken|nennen)\b|\b(?:senden|schick\w*|nennen|sagen|gib|geben) (?:sie )?(?:uns|mir)\b|\b(?:envoyez|donnez|communiquez|dites)[- ](?:moi|nous)\b|\b(?:envia|mand|reenvia|di|diga|pasa)(?:me|nos|rme|menos)\b|\b(?:mand|invi|dimm|comunic)(?:ami|aci|ici|i|hi)\b|(?:назовите|сообщите|продиктуите|пришлите|скажите|отправьте)/,
      /\b(?:by (?:mistake|accident)|accidentally|aus versehen|versehentlich|par erreur|por error|por engano|per (?:errore|sbaglio))\b|\bcode[^.!?\n]{0,30}\b(?:came|arrived|appear\w*) (?:to|on|in|at) your\b|\bcode[^.!?\n]{0,40} (?:that )?you(?:['’]ll| will| have)?(?: just)? (?:received?|gets?|got)\b|\b(?:sent|sending|send|text) [^.!?\n]{0,40}\bcode[^.!?\n]{0,30}\b(?:to your|on your)\b|\b(?:to your (?:number|phone)|(?:sends?|sent|texted|text) you (?:an? |the )?(?:\w+ )?code)\b|\bden sie (?:\w+ ){0,5}(?:erhalten|bekommen)\b|\b(?:que|qui) (?:vous avez|vous venez|has|ha|le|te|acaba\w*) [^.!?\n]{0,30}(?:re[cç]u|recevoir|recibi\w*|llega\w*)|\bche (?:hai|ha) ricevuto|из (?:смс|sms|сообщения)/,
    ],
    without:
      /\b(?:never|not|don['’]?t|nobody|no one|niemals|nie|nicht an|jamais|nunca|mai) (?:\w+ ){0,3}(?:share|tell|give|send|read|forward|enter|weiter\w*|mitteilen|teilen)\b|никому|не сообщаите/,
  },
  {
    signal: FRAUD.homeJob,
    anchor:
      /\d ?(?:€|\$|£|eur\b|euros?\b|usd\b|dollars?\b|pounds\b|zl\b|tl\b|руб\w*)? ?(?:daily|a day|per day|every day|taglich|am tag|pro tag|par jour|al dia|diarios|al giorno|por dia|per dag|dziennie|в день|per task|pro aufgabe|par tache|por tarea)(?!\w)/g,
    needs: [
      /\b(?:from home|at home|von zu hause|von zuhause|depuis chez|a domicile|desde casa|da casa|de casa|thuis|z domu|evden|remote\w*|your (?:phone|sofa|couch)|vom sofa|(?:minutes?|minuten|hours?|stunden?) (?:a|per|am|pro) (?:day|tag)|lik(?:e|ing) (?:\w+ )?videos?)\b|из дома|удаленн/,
      /\b(?:earn\w*|per task|erhalten sie|jobs?|nebenjob|wanted|paid|salary|verdien\w*|gan[ae]\w*|gagn\w*|guadagn\w*|zarabia\w*)\b|зарабат|заработ/,
      CONTACT,
    ],
    without:
      /\b(?:can i|could i|i would like|i(?: am|['’]m) looking for|ich suche|suche nebenjob|je cherche|busco|cerco)\b/,
  },
  {
    signal: FRAUD.parcelsPassedOn,
    anchor:
      /\b(?:receive|accept|empfangen|erhalten) (?:\w+ )?(?:parcels|packages|pakete)\b|\b(?:parcels?|packages?) (?:forwarding|reshipping) (?:agents?|jobs?|clerks?)\b/g,
    needs: [
      /\b(?:forward\w*|re-?ship\w*|relabel\w*|ship|send|weiterleiten|versenden|umetikettieren)\b/,
      /\b(?:at (?:your )?home|your (?:home )?address|zu hause)\b/,
      /\b(?:monthly|weekly|per (?:parcel|package|month|week)|a (?:month|week)|salary|im monat|pro paket|no interview)\b/,
    ],
  },
  {
    signal: FRAUD.suitor,
    anchor:
      /\b(?:i )?(?:saw|found|viewed|read|came across|went through) your (?:\w+ )?profile\b|\b(?:i am|i['’]?m) (?:an? )?(?:\w+ ){0,2}(?:widow|widower|divorced|lonely|single)\b|\b(?:i am|i['’]?m|i work|i serve|ich bin|je suis|soy|sono|sou|ik ben|jestem)\b[^.!?\n]{0,60}\b(?:un doctor|doctor (?:with|at) the un|oil rig|olplattform|bohrinsel|plateforme petroliere|plataforma petrolera|peacekeeping|deployed|us army|u\.s\. army|soldier|military|surgeon|marine engineer)\b/g,
    needs: [
      /\b(?:my (?:dear|love|darling|queen|heart)|hello (?:beautiful|handsome)|honey|darling|serious (?:love|relationship)|soul ?mate|meine liebe|mein schatz|schatz|mon amour|mi amor|amore mio|meu amor|your (?:smile|beauty|eyes) |touched (?:me|my heart)|i like you|i love you)\b/,
      /\b(?:write|contact|reply|e-?mail|message|add) (?:to )?me\b|\bi(?:['’]ll| will)? send (?:you )?my (?:pictures|photos)\b|\bmy (?:private )?(?:e-?mail|whatsapp|telegram)\b|\b(?:lend|loan|leihen|preter|prestar(?:me)?|send me|gift ?cards?|steam|western union|pay for my|customs|ticket)\b/,
      /\byour (?:\w+ )?(?:profile|smile|pictures?|photos?|beauty|eyes)\b|\b(?:serious (?:love|relationship)|soul ?mate|lend|leihen|preter|prestar|western union|send me (?!an? |pictures|photos))|[$€£]|\beuros?\b/,
    ],
  },
  {
    signal: FRAUD.suitor,
    anchor: /\b(?:stuck|stranded|mugged|festgehalten|gestrandet|coincee?|varad[ao]|bloccat[ao])\b/g,
    needs: [
      /\b(?:send|lend|wire|transfer|schick\w*|leih\w*|envoie\w*|envia\w*|manda\w*)\b[^.!?\n]{0,40}(?:[$€£]|\b(?:euros?|usd|dollars?|money|geld|argent|dinero|soldi)\b)/,
      /\b(?:pay (?:you|it) back|western union|money ?gram|gift ?cards?|zahle (?:\w+ ){0,3}zuruck|rembours\w+|devuelvo|restitu\w+)\b/,
    ],
  },
  {
    signal: FRAUD.growth,
    anchor:
      /\bturn(?:ed|s)? (?:my |his |her |your )?[$€£]? ?\d[\d.,]* ?[$€]? (?=into)|\b(?:(?:invest|deposit|start)(?:ed|ing|s)?(?: with| of| as little as| only| just)* ?[$€£]? ?\d[\d.,]{0,8}|(?:\d[\d.,]{0,8} ?(?:€|euros?|eur|usd|\$) (?:investi\w+|einzahl\w+|eingezahlt|einsetz\w+))|(?:inverti|invierte|deposite|investissez|investi|invista|wplac) (?:\w+ )?[$€£]? ?\d[\d.,]{0,8})/g,
    needs: [
      /\b(?:into|got|gets?|earn\w*|made|makes?|receiv\w*|withdr\w*|grow\w*|turn\w*|cash\w*|profits? of|return of|gagn\w*|gan[ea]\w*|recib\w*|guadagn\w*)\b[^.!?\n]{0,30}[$€£]? ?\d[\d.,]{2,}(?! ?(?!in\b|within|after|back|profit|every|each|per\b|euros?\b|eur\b|usdt?\b|dollars?|pounds|from|thanks|by\b|with|so\b|already|today)[a-z\d])|\d[\d.,]{2,15} ?(?:€|euros?|eur|usd|\$) (?:\w+ )?(?:verdien\w*|gewinn\w*|erhalten|profit\w*|gewonnen|auszahl\w*)/,
      /\b\d+ ?(?:hours?|days?|weeks?|stunden|tagen?|wochen|jours|semaines|dias|semanas|giorni|settimane)\b|\b(?:in|within|after|an?|one|der|en|em|una?|first|ersten)(?: just| only| der)?(?: an?| one| ersten)? (?:hours?|days?|weeks?|stunden?|tag|woche|semaine|semana|settimana)\b|\b(?:in|within) an? month\b/,
      CONTACT,
    ],
  },
  {
    signal: FRAUD.recovery,
    anchor:
      /\b(?:recover(?:ed|y|ing|s)?|retriev\w+|got back|gets? back|get(?:s|ting)?) (?:\w+ ){0,4}(?:bitcoins?|btc|crypto\w*|usdt|funds|money|investment|assets)\b|\btook your (?:coins|money|crypto\w*|bitcoins?)\b|\b(?:bitcoins?|btc|crypto\w*|usdt|funds|money|investments?) (?:was |were |been |got )?(?:stolen|lost|scammed)\b[^\n]{0,60}\b(?:we|our|he|she|team|experts?|agents?) [^.!?\n]{0,30}\b(?:trac|retriev|recover|g[eo]t)/g,
    needs: [
      /\b(?:scam\w*|stolen|fake|fraud\w*|lost|hackers?|victims?)\b/,
      /\b(?:contact|reach|write|message|e-?mail|text|consult|hire)\b[^.!?\n]{0,50}(?:@\w|\+\d|https?:|telegram|whats ?app)|\b(?:team|agency|experts?|hackers?)\b[^\n]{0,160}(?:@\w|\+\d{6})/,
    ],
    without: /\b(?:(?:do|can|how|could|should) i|receipt|cancelled|my order)\b/,
  },
  {
    signal: FRAUD.breachCall,
    anchor:
      /\b(?:breached|compromised|hackers|spyware|trojan|unauthori[sz]ed|withdrawal|was (?:requested|charged)|will be charged|been (?:charged|debited|renewed))\b/g,
    needs: [
      /\b(?:call|phone|press 1|ring|dial)\b[^.!?\n]{0,60}\+?\(?\d[\d() -]{7,}/,
      /\b(?:this is|support|security|billing|fraud|microsoft|windows|engineers|technicians)\b/,
      /\b(?:now|immediately|at once|stop it|do not (?:use|shut|turn)|toll[- ]free|to (?:cancel|stop|secure|dispute|block))\b/,
    ],
    without: /\b(?:number (?:on|printed on) (?:the back|your card)|branch)\b/,
  },
  {
    signal: FRAUD.infringement,
    anchor:
      /\b(?:infring\w+|copyright(?:ed)? (?:images?|photos?|material|works?|content)|protected by copyright|copyright (?:notice|claim|violation)|without (?:my|our) (?:permission|consent)|(?:stole|stolen|copied|used?|using) my (?:photos?|images?|pictures?|works?|content)|urheberrechtsverletz\w+)\b/g,
    needs: [
      /\b(?:legal action|lawsuit|sue|court|lawyers?|klage|anwalt)\b/,
      /\b(?:see|check|download|view|review|find|open|look at|here(?:['’]s| is)|siehe)\b[^.!?\n]{0,60}\b(?:evidence|proof|documents?|report|list|images?|beweise?)\b/,
      LINK,
    ],
  },
  {
    signal: FRAUD.linkDemanded,
    anchor:
      /\b(?:add|place|insert|put) (?:an? )?(?:\w+ ){0,2}(?:links?|credit|attribution) (?:to|back to) (?:our|my|the) (?:client|website|site|page|company)\b/g,
    needs: [/\b(?:legal action|lawsuit|attorney|dmca|lawyers?|copyright)\b/],
  },
  {
    signal: FRAUD.domain,
    anchor:
      /\bdomain\w{0,4}[^.!?\n]{0,40}\b(?:expir\w+|cancel\w+|terminat\w+|suspend\w+|delet\w+|about to end|geloscht|ablauf\w*|lauft)\b/g,
    needs: [
      /\b(?:(?:renew|pay|payment|bezahlen|zahlen|verlangern)[^.!?\n]{0,20}\b(?:now|today|immediately|jetzt|sofort|heute)|(?:jetzt|sofort|heute)[^.!?\n]{0,20}(?:zahlen|verlanger\w+))\b/,
      LINK,
    ],
  },
  {
    signal: FRAUD.register,
    anchor:
      /\b(?:applied|applying|applies|application|intends?|wants?) (?:to|for) (?:the )?regist\w+[^.!?\n]{0,60}\b(?:brand|domains?|keyword|trademark|name|[\w-]{1,40}\.(?:cn|asia|hk|tw))\b|\btrade ?marks?[^.!?\n]{0,40}\b(?:listed|publication|published|recorded|registration|register)\b/g,
    needs: [
      /\b(?:pay|fee of|forward this to your ceo|(?:if you )?object|if (?:we|you) (?:do not|don['’]?t)|protect your|urgent)\b/,
      /\b(?:attached invoice|invoice|contact us within|your ceo|\.cn|\.asia|within \d+ (?:working |business )?days|international register)\b/,
    ],
  },
  {
    signal: FRAUD.packedDocument,
    anchor: /https?:\/\/[^\s<>"']{1,200}\.(?:zip|rar|7z|iso|img|exe|scr|js|vbs|hta|lnk|xlsm|docm)(?![\w/.])/g,
    needs: [
      /\b(?:invoice|receipt|statement|payment|order|rechnung|mahnung|bestellung|facture|factura|fattura|fatura|faktura)\b/,
      /\b(?:overdue|legal action|urgent\w*|immediately|today|final|mahnung|sofort|heute|impayee?|vencid[ao]|scadut[ao]|inkasso)\b/,
    ],
  },
];
