import { randomBytes } from 'node:crypto';
import { isIP, type Socket } from 'node:net';

// Implemented here because the TLS of the runtimes no longer supports these versions everywhere.

const TLS_1_1 = [3, 2];
const RECORD_HANDSHAKE = 22;
const CLIENT_HELLO = 1;
const SERVER_HELLO = 2;
/** Offset of the version: after the record header (type, version, length) and the handshake header (type, length). */
const VERSION_AT = 9;
const ANSWER_BYTES = VERSION_AT + 2;

/** IANA numbers of AES and 3DES suites for TLS 1.0 and 1.1, with and without forward secrecy. */
const SUITES = [0xc013, 0xc014, 0xc009, 0xc00a, 0x0033, 0x0039, 0x002f, 0x0035, 0xc012, 0x000a];
const CURVES = [0x001d, 0x0017, 0x0018];

const u16 = (value: number) => [value >> 8, value & 255];
const sized = (bytes: readonly number[]) => [...u16(bytes.length), ...bytes];
const extension = (type: number, bytes: readonly number[]) => [...u16(type), ...sized(bytes)];

/** A ClientHello with TLS 1.1 as the highest version (RFC 4346, section 7.4.1.2; RFC 6066, section 3). */
function clientHello(host: string): Uint8Array {
  const extensions = [
    ...(isIP(host) ? [] : extension(0, sized([0, ...sized([...Buffer.from(host, 'latin1')])]))),
    ...extension(10, sized(CURVES.flatMap(u16))),
    ...extension(11, [1, 0]),
    ...extension(0xff01, [0]),
  ];
  const body = [
    ...TLS_1_1,
    ...randomBytes(32),
    0,
    ...sized(SUITES.flatMap(u16)),
    ...[1, 0],
    ...sized(extensions),
  ];
  const handshake = [CLIENT_HELLO, 0, ...sized(body)];
  return Uint8Array.from([RECORD_HANDSHAKE, 3, 1, ...sized(handshake)]);
}

/** Whether the server accepts TLS 1.0 or 1.1, which RFC 8996 forbids. Reads no further than the ServerHello. */
export async function acceptsLegacyTls(socket: Socket, host: string): Promise<boolean> {
  socket.write(clientHello(host.replace(/^\[|\]$/g, '')));
  let answer = Buffer.alloc(0);
  try {
    for await (const chunk of socket) {
      answer = Buffer.concat([answer, chunk as Uint8Array]);
      if (answer.length >= ANSWER_BYTES) break;
    }
  } catch {
    return false;
  }
  return (
    answer.length >= ANSWER_BYTES &&
    answer[0] === RECORD_HANDSHAKE &&
    answer[5] === SERVER_HELLO &&
    answer.readUInt16BE(VERSION_AT) <= 0x0302
  );
}
