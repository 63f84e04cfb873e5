import type { REQUEST } from '../../../src/analysis/request/signals.ts';
import { type Pairs, within } from './pair.ts';

const value = within((piece) => `/?q=${encodeURIComponent(piece)}`);
const form = within((piece) => `POST /send HTTP/1.1\nHost: site.example\n\n${piece}`);
/** As it stands, encoded already. */
const target = within((piece) => piece);

export const SHOWN_REQUEST: Pairs<typeof REQUEST> = {
  sqlError: value("1 and extractvalue(1,'a')", 'what does extractvalue do'),
  sqlFile: value("load_file('a')", 'load_file or not'),
  sqlOrder: value('1 order by 5--', 'please order by 5 pm'),
  xssSymbols: value('[][(![]+[])[+[]]+(![]+[])[!+[]]]()', '------[ ]------[ ]------[ ]------'),
  absolutePath: value('/srv/data/report.txt', '/home/office'),
  nullByte: value('a.php\u0000.jpg', 'a.jpg'),
  javaObject: value(`rO0AB${'XNy'}ABFqYXZhLnV0aWwuSGFzaE1hcA`, 'aGVsbG8gd29ybGQgYW5kIGFsbCBvZiB5b3U'),
  serverInclude: value('<!--#include file="a"-->', '<!-- include the map -->'),
  // biome-ignore lint/suspicious/noTemplateCurlyInString: marks of Log4j
  lookupOther: value('${java:version}', '${version}'),
  administrator: form('default_role=administrator', 'default_role=subscriber'),
  mailHeader: form('name=Anna%0ABcc:+a@site.example', 'name=Anna%0ABest+regards'),
  formatString: value('%x%x%x%x%x', '100% of 5%'),
  probePath: target('GET /phpinfo.php HTTP/1.1', 'GET /php-information HTTP/1.1'),
  encodedTwice: target('/?q=%252541', '/?q=%2541'),
};
