import type { Field } from './field-list.ts';

/** Names of fields for prose, in the most common languages of shops and forms. */
export const WRITING =
  /(?:^|[_\-[.])(?:\w{0,12}content|editor|tinymce|comments?|post|body|raw|\w{0,12}text(?:_?(?:box|area))?|texte|testo|texto|kommentar|comentarios?|commentaires?|commento|opmerking(?:en)?|bericht|mensagem|observaciones|remarques?|domanda|richiesta|pregunta|demande|objet|oggetto|asunto|message|msg|nachricht|mensaje|messaggio|description|desc|beschreibung|bio|about|notes?|notiz|title|titel|titre|subject|betreff|question|frage|anliegen|answer|reply|encoded|antwort|review|feedback|excerpt|summary|details|instructions|caption|alt|alt_text|blurb|abstract|preheader|signature|anmerkung|bemerkung|reason|exception|error|value)\d{0,3}\]?$/i;
/** Names of fields for code. */
export const CODE =
  /(?:^|[_\-[.])(?:code|source|snippet|sql|query|statement|css|custom_css|html|markup|template|jql|filters?|fq|criteria|condition|expr|expression|formula|latex|regex|script-sample|before|after|diff|patch|hunk)\]?$/i;
/** Names of settings for prose or code. */
const SETTING =
  /(?:^|[_\-[.])(?:head(?:er)?|foot(?:er)?|scripts?|js|patterns?|exclu\w{2,6}|agents?|rules?|newcontent|modules|widget\w{0,20})\]?$/i;
/** Minimum number of words in a sentence; fewer in fields for prose. */
const WORDS_MIN = 8;
const NAMED_WORDS_MIN = 3;
const CHARS_PER_WORD = 16;
const NAMED_CHARS_PER_WORD = 30;
const SAMPLE_CHARS = 4_000;
/** Function words, which statements do not contain: with one of them, fewer words make a sentence. */
const LITTLE_WORD =
  /(?:^|\s)(?:a|an|the|of|to|for|with|that|this|it|on|my|our|your|you|i|do|does|are|was|der|die|das|und|ist|ein|eine|le|les|et|est|une?|des|el|los|es|una|que|il|lo|di|per|het|een|van)(?=[\s,.;:!?]|$)/i;
const SHORT_WORDS_MIN = 2;
const ALL_WORDS_MIN = 5;
const WORD = /(?:^|[\s("'“«„])(\p{L}[\p{L}\p{M}-]{1,20})(?=[\s.,;!?)"'”»।،؟]|:(?!\/\/)|$)/gu;
/** Characters of scripts without spaces between words. */
const WORD_WITHOUT_SPACES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}]{3}/gu;
/** Keywords of statements and commands. */
const SQL_WORDS = new Set(
  'and or not union all select from where having order group by like in is null limit as case when then else end distinct insert into update set delete exists between count concat sleep benchmark char exec declare table information_schema users password username admin asc desc values drop waitfor delay curl wget bash sh nc cat whoami'.split(
    ' ',
  ),
);

/** Whether a field is for prose, code or other parts of a page. */
export const isSetting = (name: string): boolean =>
  WRITING.test(name) || CODE.test(name) || SETTING.test(name);

/** Whether a field may contain prose: in a body, or with the name of such a field in a query. */
export const isBody = (field: Field): boolean =>
  field.kind === 'body' ||
  (field.kind === 'whole' && field.name !== undefined) ||
  (field.kind === 'query' && WRITING.test(nameOf(field)));

/** Splits a camel-case name into words. */
export const nameOf = ({ name }: Field): string => (name ?? '').replace(/([a-z])([A-Z])/g, '$1_$2');

/** Counts the words that are not keywords in the beginning of a text. */
export function wordsOf(text: string): number {
  let words = 0;
  for (const [, word = ''] of text.slice(0, SAMPLE_CHARS).matchAll(WORD))
    if (!SQL_WORDS.has(word.toLowerCase())) words++;
  return words + (text.slice(0, SAMPLE_CHARS).match(WORD_WITHOUT_SPACES)?.length ?? 0);
}

/** Whether a value consists of sentences, regardless of quotations. */
export function isWriting(field: Field, value: string): boolean {
  if (!/[\s\u0e00-\u0eff\u3040-\u9fff]/.test(value)) return false;
  const text = value.slice(0, SAMPLE_CHARS).replace(/<[!/a-z][^<>]{0,400}>/gi, ' ');
  const isNamed = WRITING.test(nameOf(field));
  const words = wordsOf(text);
  const isSentence =
    words >= NAMED_WORDS_MIN ||
    (words >= SHORT_WORDS_MIN &&
      (LITTLE_WORD.test(text) || [...text.matchAll(WORD)].length >= ALL_WORDS_MIN));
  return isNamed
    ? isSentence && words * NAMED_CHARS_PER_WORD > text.length
    : words >= WORDS_MIN && words * CHARS_PER_WORD > text.length;
}
