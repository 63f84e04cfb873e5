import { connect } from 'node:net';

/** Sends bytes as they are and returns the status line, headers and body of the first answer. */
export function sendRaw(
  base: string,
  ...chunks: (string | Uint8Array)[]
): Promise<{ status: number; head: string; body: string }> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(Number(port), hostname, () => {
      for (const chunk of chunks) socket.write(chunk);
    });
    const answered = () => {
      const [head = '', body = ''] = text.split('\r\n\r\n', 2);
      const length = /content-length: (\d+)/i.exec(head)?.[1];
      if (length === undefined || Buffer.byteLength(body) < Number(length)) return;
      socket.destroy();
      resolve({ status: Number(head.split(' ')[1]), head, body });
    };
    socket.on('data', (data) => {
      text += data;
      answered();
    });
    socket.on('error', reject);
    socket.on('close', () => reject(new Error(`closed after: ${text.slice(0, 200)}`)));
  });
}
