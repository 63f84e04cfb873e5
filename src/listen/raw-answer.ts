import { STATUS_CODES } from 'node:http';

/** An answer as it goes over the connection, which it ends: for where there is no request that the runtime could answer. */
export async function rawText(answer: Response): Promise<string> {
  const body = await answer.text();
  answer.headers.set('connection', 'close');
  answer.headers.set('content-length', String(Buffer.byteLength(body)));
  const headers = [...answer.headers].map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}\r\n${headers.join('')}\r\n${body}`;
}
