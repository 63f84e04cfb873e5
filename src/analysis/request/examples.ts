/** A line of a stack trace of JavaScript, Java, Python or PHP. */
const FRAME =
  /^[ \t]{1,8}at (?:async |new )?[\w$.<>[\] /@-]{1,200}(?: ?\((?:[^()\n]|\([^()\n]{0,200}\)){1,500}\),?|:\d{1,6}(?::\d{1,6})?)?[ \t\r]*$|^[ \t]{0,8}File "[^"\n]{1,200}", line \d{1,6}[^\n]{0,100}$|^#\d{1,3} [^\n]{1,300}\.php\(\d{1,6}\): [^\n]{1,300}$/gm;
/** A request quoted from a log or a report. */
const REQUEST_LINE =
  /(?:^|\n)\S{3,45} \S{1,60} \S{1,60} \[[^\]\n]{5,60}\] "[A-Z]{3,10} [^\n]{1,4000}?" \d{3} (?:\d{1,12}|-)(?: "[^\n]{0,2000}")?(?=\s|$)|"(?:GET|POST|PUT|HEAD|DELETE|PATCH|OPTIONS) [^"\n]{1,2000} HTTP\/[\d.]{1,3}"/g;
/** Headers of a mail, pasted into a question. */
const MAIL_HEAD =
  /(?:^|\n)(?:[A-Z][\w-]{1,30}: [^\n]{0,500}(?:\n|$)(?:[ \t][^\n]{0,500}(?:\n|$)){0,5}){4,40}/g;
/** Code in Markdown without fences: indented lines after an empty one. */
const SET_IN = /(?<=\S[^\n]{0,2000}\n\r?\n)(?:(?: {4}|\t)[^\n]{1,2000}(?:\n|$)){1,40}/g;

/** Removes the lines of stack traces. */
export const withoutFrames = (text: string): string =>
  /\bat |File "|\.php\(/.test(text) ? text.replace(FRAME, ' ') : text;

/** Removes quoted requests and code from prose. */
export const withoutExamples = (text: string): string =>
  text
    .replace(REQUEST_LINE, ' ')
    .replace(MAIL_HEAD, ' ')
    .replace(text.includes('\n') ? SET_IN : REQUEST_LINE, ' ');
