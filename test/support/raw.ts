import { connect, type Socket } from 'node:net';
import { connect as connectOverTls } from 'node:tls';

export interface RawAnswer {
  readonly status: number;
  readonly head: string;
  readonly headers: Headers;
  readonly body: string;
}

/** Bytes to send, or a pause in milliseconds. */
export type Sent = string | Uint8Array | number;

/** Sends bytes unchanged, with pauses, and returns the first answer. */
export const sendRaw = (base: string, ...sent: Sent[]): Promise<RawAnswer> =>
  new Promise((resolve, reject) => {
    converse(base, sent, {
      onText(text, socket) {
        const [answer] = answersIn(text);
        if (answer === undefined) return;
        socket.destroy();
        resolve(answer);
      },
      onClosed: (text) => reject(new Error(`closed after: ${text.slice(0, 200)}`)),
    });
  });

/** Sends bytes unchanged and returns every answer until the service closes the connection. */
export const sendRawToTheEnd = (base: string, ...sent: Sent[]): Promise<RawAnswer[]> =>
  new Promise((resolve) => {
    converse(base, sent, { onText: () => {}, onClosed: (text) => resolve(answersIn(text)) });
  });

interface Listeners {
  readonly onText: (text: string, socket: Socket) => void;
  readonly onClosed: (text: string) => void;
}

function converse(base: string, sent: readonly Sent[], { onText, onClosed }: Listeners): void {
  const { protocol, hostname: host, port } = new URL(base);
  let text = '';
  let isOpen = true;
  const speak = async () => {
    for (const part of sent) {
      if (typeof part === 'number') await Bun.sleep(part);
      else if (isOpen) socket.write(part);
    }
  };
  const socket =
    protocol === 'https:'
      ? connectOverTls({ host, port: Number(port), rejectUnauthorized: false }, speak)
      : connect(Number(port), host, speak);
  socket.on('data', (data: Buffer) => {
    text += data;
    onText(text, socket);
  });
  // A reset is an end too: earlier bytes were read.
  socket.on('error', () => {});
  socket.on('close', () => {
    isOpen = false;
    onClosed(text);
  });
}

/** The complete answers at the start of a connection's text, with bodies of a declared length, or decoded chunks. */
export function answersIn(text: string): RawAnswer[] {
  const answers: RawAnswer[] = [];
  let rest = text;
  while (rest.includes('\r\n\r\n')) {
    const endOfHead = rest.indexOf('\r\n\r\n');
    const head = rest.slice(0, endOfHead);
    const headers = headersOf(head);
    const behind = Buffer.from(rest.slice(endOfHead + 4));
    const isChunked = headers.get('transfer-encoding') === 'chunked';
    const length = isChunked ? lengthOfChunks(behind) : Number(headers.get('content-length') ?? 0);
    const body = behind.subarray(0, length);
    if (body.length < length) break;
    answers.push({ status: Number(head.split(' ')[1]), head, headers, body: body.toString() });
    rest = rest.slice(endOfHead + 4 + body.toString().length);
  }
  return answers;
}

/** More than there is, when the last chunk has not arrived. */
function lengthOfChunks(bytes: Buffer): number {
  const end = bytes.indexOf(LAST_CHUNK);
  return end === -1 ? Number.POSITIVE_INFINITY : end + LAST_CHUNK.length;
}
const LAST_CHUNK = '0\r\n\r\n';

function headersOf(head: string): Headers {
  const lines = head.split('\r\n').slice(1);
  return new Headers(
    lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
  );
}
