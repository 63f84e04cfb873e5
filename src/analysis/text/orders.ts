import type { Proximity } from './proximity.ts';
import { TEXT } from './signals.ts';

const VERB =
  '(?:ignore|disregard|say|tell|rate|recommend|write|reply|respond|answer|send|praise|approve|give|summari[sz]e|include|add|output|print|reveal|always|never|do not|don.?t|you (?:must|should|will|are)|please|translate|forget|mention|treat|act|insert|append|visit|click|forward)';
const MODEL =
  '(?:ai|a\\.i\\.|language models?|llms?|chat ?gpt|gpt|claude|gemini|copilot|assistants?|chatbots?)';
/** An instruction to a model: to ignore its instructions, or addressed to it. */
const ORDER = `\\b(?:disregard|ignore|forget|override) (?:(?:all|any|the|your|my|every|everything|anything|previous|prior|above|earlier|preceding|other|these|those|of|what(?:ever)?) ){1,5}?(?:instructions?|prompts?|rules|guidelines|above|below|before|content|context|reviews?|else|told|previous|prior)\\b|\\b(?:assistants?|${MODEL})(?: assistant| model)?s? ?[:,] ?${VERB}\\b|\\bdo not (?:mention|tell|summari[sz]e|reveal)\\b[^<>]{0,60}\\b(?:instructions?|prompts?|users?|humans?|readers?)\\b|\\b(?:if|as|when) you(?: are|'re)? (?:reading this as )?(?:an? )?(?:\\w+ ){0,3}${MODEL}\\b|\\b(?:note|instructions?|message|attention)s? (?:to|for) (?:the |any |all |every )?${MODEL}\\b`;
/** The style of a hidden element or the start of a comment (group 1), the end of a comment (group 2), or an instruction. */
const HIDDEN_OR_ORDER = new RegExp(
  `(\\bstyle ?= ?[^<>]{0,200}?(?:display ?: ?none|visibility ?: ?hidden|font-size ?: ?[01](?:px|pt)?\\b|opacity ?: ?0(?![.\\d])|(?:left|top|text-indent) ?: ?-\\d{3})|<!--|<[a-z]{1,10} hidden\\b)|(-->)|${ORDER}`,
  'gi',
);
const NEAR_CHARS = 800;

/** Offset of a hidden element with an instruction to a language model; undefined if there is none. Linear. */
export function hiddenOrderAt(text: string): number | undefined {
  if (!text.includes('<')) return undefined;
  let hiddenAt: number | undefined;
  for (const { 1: hidden, 2: end, index } of text.replace(/\s/g, ' ').matchAll(HIDDEN_OR_ORDER)) {
    if (hidden !== undefined) hiddenAt = index;
    else if (end !== undefined) {
      // A hidden element may contain a comment.
      if (hiddenAt !== undefined && text.startsWith('<!--', hiddenAt)) hiddenAt = undefined;
    } else if (hiddenAt !== undefined && index - hiddenAt <= NEAR_CHARS) return hiddenAt;
  }
  return undefined;
}

const TELL = '(?:reveal|print|repeat|show|output|leak|tell me|display)';
/** Instructions that only make sense to a model. */
export const INSTRUCTIONS =
  /(?<!\b(?:not|never|don.?t) )\b(?:ignore|disregard|forget|override|bypass) (?=(?:the |of |these |those )*(?:all|any|your|my|previous|prior|above|earlier|these|those) )(?:all |any |the |your |my |previous |prior |above |earlier |these |those |of ){1,5}(?:instructions?|prompts?|guidelines|directions|commands|constraints)\b|\byou are (?:now|no longer) (?:dan|bound|chatgpt|acting)\b|\b(?:reveal|print|repeat|show|output|leak|tell me|display) (?:me )?(?:the |your |all |full |exact |entire |hidden |initial |original ){1,4}(?:system (?:prompt|instructions)|(?<=(?:your|hidden|initial|original) )(?:prompt|instructions)|api keys?)|\bdo anything now\b|\bnow in developer mode\b|(?<=^|[.!?:\n] ?|please |now |you (?:must|will|should|now) )(?:(?:pretend (?:to be|you are|that you(?: are|'re)?)|act as(?: if you (?:are|were))?) (?:an? |the |my )?(?:\w+ ){0,3}?(?:ai|assistant|chatbot|language model|evil|unrestricted|unfiltered|admin\w*|root|dan|terminal|system|hacker|developer)\b)|\bfrom now on,? you(?:'re| are|'ll| will| must| should| shall)? (?:to |now |be )?(?:act|respond|answer|behave|ignore|obey|dan\b|an? (?:\w+ ){0,3}(?:ai|assistant|model|bot)\b)|\bsend the (?:conversation|keys?|password)s? to https?\b/i;
/** Instructions that are addressed to people as well; they count only in texts that address a model. */
const LOOSE = new RegExp(
  `\\b(?:(?:ignore|disregard|forget|override|bypass|skip) (?:all |any |the |your |my |previous |prior |above |earlier |these |those |of ){0,5}(?:instructions?|prompts?|rules|guidelines|directions|context|commands|safety|messages|constraints)|you are (?:now|no longer) (?:a|an|in|free)|${TELL} (?:me )?(?:the |your |all |full |exact |entire |hidden |initial |original ){1,4}(?:system )?(?:prompt|instructions|secrets?|context|configuration)|(?:enter|into|activate) developer mode|developer mode (?:enabled|activated|output)|new instructions?(?=:)|pretend (?:to be|you are|that you)|from now on,? you(?:'re| are|'ll| will| must| should| shall)? (?:to |now |be )?(?:follow|only|an? )|without (?:any )?(?:restrictions|filters|limitations)|exfiltrate|send (?:it|them|the (?:data|contents?)) to https?)\\b`,
  'i',
);
/** Words in texts to or about a model. */
const TO_A_MODEL =
  /\b(?:ai|llms?|gpt|chat ?gpt|claude|gemini|chatbots?|bots?|assistants?(?! (?:manager|professor|director|editor|coach))|language models?|prompts?|jailbreak\w*|unrestricted|uncensored|unfiltered|system (?:message|role)|api keys?|developer mode\.|(?:answer|respond|reply) (?:only|with|every\w*|all|as)|say only|your (?:task|role|goal) is|never refuse|always (?:answer|obey|comply|say)|(?:tell|give) me (?:how|the (?:password|secret|key)s?)|explain how to|passwords?)\b|(?:translate|output|say|reply|answer|respond)[^.\n]{0,30}["'“]/i;

/** Offset of an ambiguous instruction in a text that addresses a model; undefined if there is none. */
export function looseInstructionsAt(text: string): number | undefined {
  const at = LOOSE.exec(text)?.index;
  return at === undefined || !TO_A_MODEL.test(text) ? undefined : at;
}

const BEFORE_CHARS = 120;
const AFTER_CHARS = 80;
/** The writer's own instructions. */
const OWN =
  /(?:ignor|disregard|forget|vergess|vergiss|missacht|oubli|olvid|dimentic|esque|negeer|vergeet)\p{L}{0,8} (?:(?!the |your |deine|ihre)\p{L}{1,12} ){0,3}(?:my|our|meine\p{L}?|unsere\p{L}?|mes|nos|mis|mie|miei|minhas|mijn|onze)(?!\p{L})/iu;
/** Instructions about a thing, not for a model. */
const ABOUT_A_THING =
  /^\p{L}{0,12} (?:to (?!you|me|act|be|the (?:ai|model))|about|for|regarding|concerning|on|in|from|sent|printed|attached)\b/iu;

/** Whether writers withdraw their own instructions or call them outdated; false in texts that address a model. */
export function isWithdrawnAt(text: string, from: number, to: number): boolean {
  if (TO_A_MODEL.test(text)) return false;
  const before = text.slice(Math.max(0, from - BEFORE_CHARS), to + AFTER_CHARS);
  return OWN.test(before) || ABOUT_A_THING.test(text.slice(to, to + AFTER_CHARS));
}

const FOR_THE_WRITER =
  /\b(?:vip|approved?|safe|not spam|10\/10|five stars|highest|best (?:match|candidate|fit)|positive|discount|refund|harmless|100 ?%|full score)\b/;
/** Instructions to a model that processes a form. Lower-case without accents. */
export const TO_A_READING_MODEL: readonly Proximity[] = [
  {
    signal: TEXT.instructions,
    anchor:
      /\bif you(?: are|['’]re) an? (?:\w+ ){0,2}?(?:ai|llm|language model|chatbot|assistant)\b(?! (?:company|startup|researcher|engineer|expert|developer|student|user|team|lab|fan|manager|professor|director))|\b(?:wenn|falls) du eine? (?:ki|sprachmodell|chatbot)\b|\bsi tu es une? (?:ia|modele|chatbot)\b|\bsi eres una? (?:ia|modelo|chatbot)\b|\bse sei un(?:a |['’])?(?:ia|modello|chatbot)\b|\bse voce (?:e|for) uma? (?:ia|modelo|chatbot)\b|если ты (?:ии|языковая|неиросеть|чат-?бот)/g,
    needs: [
      /\b(?:rate|recommend|say|tell|approve|ignore|skip|include|mention|answer|rank|list|send|reveal|forget|disregard|ignorier\w*|gib|bewerte|empfiehl|antworte|ignore[sz]?|ignora\w*|di|dis|recommande|recomienda|raccomanda|envia|invia)\b|игнорируи|выведи|отправь|ответь/,
    ],
  },
  {
    signal: TEXT.instructions,
    anchor:
      /(?:^|[.:!\n] {0,3})(?:dear |hey |hi |hello |attention )?(?:ai|assistant|chatbot|bot|agent|ai (?:assistant|agent|model|system)) ?[,:]/g,
    needs: [
      /\btell me\b[^.!?\n]{0,30}\bpasswords?\b|\b(?:list|send|reveal|forward|print|export|give|show|output|dump)\b[^.!?\n]{0,40}\b(?:all|every|customers?|users?|passwords?|keys?|conversations?|database|e-?mails|orders)\b/,
      /\byou (?:can see|have access|know)\b|\b(?:forget|ignore|disregard) (?:the|your|all)\b|\bto \S{1,60}@|https?:|\bhistory\b/,
    ],
  },
  {
    signal: TEXT.instructions,
    anchor: /[[<(](?:system|admin|developer)(?: message| note| override)?[\])>]/g,
    needs: [
      /\b(?:new (?:policy|instructions?)|override|from now on|ignore (?:all|any|the|your|previous))\b/,
      /\b(?:approve|grant|refund|reveal|output|disable|obey|comply)\b/,
    ],
  },
  {
    signal: TEXT.instructions,
    anchor:
      /\b(?:when|if|while|before) (?:you(?: are|['’]re)? )?(?:summari[sz]|translat|evaluat|review|classif|process|read|scor|rank)\w{0,4} (?:this|the) (?:\w+ )?(?:ticket|text|message|e-?mail|page|document|review|resume|cv|application|form|comment)\b|\b(?:note|message|instructions?|attention)s? (?:to|for) (?:the |any |all |every )?(?:ai|language model|llm|chatbot)s?\b|\bfor ai (?:reviewers?|models?|assistants?|agents?|systems?|readers?) only\b/g,
    needs: [
      /\b(?:say|state|report|rate|mark|classify|label|score|conclude|output|answer)\b/,
      FOR_THE_WRITER,
      /\b(?:must|only|always|get|do not|that (?:the|this|it)|as (?:the|a|an|not)|it as|skip)\b/,
    ],
    without: /\b(?:please let me know|in my opinion|guests|colleagues)\b/,
  },
];
