/** Fraudsters and their actions as described by others, never by themselves. */
const OTHERS_DO =
  /\b(?:fraudsters?|criminals|scammers?|attackers|cyber ?criminals|crooks|betruger\w{0,3}|kriminelle|escrocs?|estafadores|delincuentes|truffatori|golpistas|criminosos|oplichters|oszusci|dolandiricilar)\b[^.!?\n]{0,40}\b(?:send\w*|claim\w*|demand\w*|pretend\w*|ask\w*|call\w*|promis\w*|writ\w*|say|impersonat\w*|threaten\w*|us(?:e|ing)|versenden|verschick\w*|geben sich|behaupten|fordern|drohen|rufen|envoient|pretendent|envian|piden|fingen|inviano|chiedono|enviam|pedem|sturen|wysylaja|gonder\w*)\b|мошенники\s[^.!?\n]{0,40}(?:присылают|звонят|отправляют|требуют|просят)/;
const WARNING =
  /\b(?:beware|be careful|be wary|watch out)\b[^.!?\n]{0,30}\b(?:of|about|with|that|against|for|over)\b|\bwarn(?:s|ed)? (?:\w+ ){0,4}(?:of|about|against|that)\b|\bwarning (?:to|against|about (?:fake|fraud|scams?|messages|e-?mails|calls))\b|\bwarn(?:en|t|ung)\b[^.!?\n]{0,20}\bvor\b|\bvorsicht (?:bei|vor)\b|\bmefiez-vous\b|\battention aux\b|\b(?:cuidado|ojo) con\b|\bcuidado com\b|\battenti a\b|\bpas op voor\b|\buwaga na\b|\bwe (?:will )?never (?:ask|send|call|demand)\b|\bwir fragen (?:sie )?nie\b|\b(?:please )?do not (?:pay|believe) (?:them|it|anybody|anyone)\b|остерегайтесь/;
/** A message that the writer received, or asks about. */
const ASKS_ABOUT =
  /\b(?:i|we|he|she|my \w{1,15}|somebody|people|(?:several|some|many|all|most) of (?:you|us)|members|customers) (?:just |also |have |has |'ve )?(?:got|gets?|received|receives?|had) (?:one of |an? |this |such |these |those |the same |another )?[^.!?\n]{0,30}\b(?:mails?|e-?mails?|messages?|letters?|sms|texts?|calls?|popups?)\b|\b(?:says?|said|saying|reads?|like|such as|claim(?:s|ing)?) ?[,:]? ["'“„«]|\bone of (?:those|these) ["'“«]|\bis (?:it|this|that) (?:real|genuine|true|fake|legit\w*|a (?:scam|fraud|fake|hoax))\b|\b(?:ich|wir) (?:habe?n?|bekam\w*|erhielt\w*) [^.!?\n]{0,40}(?:mail|nachricht|sms|brief)\b[^.!?\n]{0,40}(?:bekommen|erhalten)|\bist (?:das|die|sie|es) (?:echt|betrug|fake)\b/;
const NOTHING_TO_DO =
  /\b(?:you )?(?:do not|don['’]?t) (?:have|need) to do anything|\bno (?:further )?action is (?:needed|required|necessary)|\bnothing to do\b|\bnichts (?:weiter |mehr )?(?:zu )?tun\b|\brien a faire\b|\bno (?:tiene|hay) que hacer nada\b|\bniets te doen\b|ничего делать не/;
/** Public sources of a report. */
const REPORT =
  /\b(?:police|newspaper|hospital|court|authorities|researchers|reporters?|polizei|zeitung|gericht|la policia|la police)\b[^.!?\n]{0,60}\b(?:say|says|said|writes?|wrote|warns?|warned|reports?|reported|told|was hit|meldet|warnt|berichtet|schreibt)\b|\b(?:writes|reports) the (?:newspaper|paper)\b/;

/** Whether a text warns of fraud. Expects lower-case text without accents. */
export const isWarningIn = (plain: string): boolean => OTHERS_DO.test(plain) || WARNING.test(plain);

/** Whether a text warns of fraud, reports it, asks about it, or requires no action. Expects lower-case text without accents. */
export const reportsFraud = (plain: string): boolean =>
  isWarningIn(plain) || ASKS_ABOUT.test(plain) || REPORT.test(plain) || NOTHING_TO_DO.test(plain);
