import type { Outcome } from '../../domain/notification/delivery.ts';

/** The fields of nodemailer's errors that are used here. */
interface MailFault {
  readonly code?: string;
  /** Code of the operating system or of TLS. */
  readonly originalCode?: string;
  /** SMTP reply code. */
  readonly responseCode?: number;
  /** The SMTP command that failed. */
  readonly command?: string;
}

const CERTIFICATE = /CERT|SELF_SIGNED|VERIFY|ALTNAME|ISSUER/;
/** Some runtimes set only a message. */
const CERTIFICATE_WORDS = /certificate|altname|self.signed/i;
const FAULTS: Readonly<Record<string, string>> = {
  EDNS: "The mail server's name does not resolve. Check SERVICE_SMTP_HOST, and the DNS of this host.",
  ETIMEDOUT: 'The mail server did not respond in time. Check SERVICE_SMTP_PORT and SERVICE_SMTP_TLS.',
  EABORT: 'The mail server did not respond in time. Check SERVICE_SMTP_PORT and SERVICE_SMTP_TLS.',
  ETLS: 'TLS with the mail server failed, or it does not offer STARTTLS. Check SERVICE_SMTP_TLS and SERVICE_SMTP_PORT.',
  EAUTH: 'The mail server refuses the login. Check SERVICE_SMTP_USER and SERVICE_SMTP_PASSWORD.',
  EMESSAGE: 'The mail server refuses the message. Check its log.',
  EPROTOCOL: 'The mail server sent something that is not SMTP. Check SERVICE_SMTP_PORT and SERVICE_SMTP_TLS.',
};
const UNTRUSTED =
  "The mail server's certificate is not valid. Name its CA in SERVICE_SMTP_CA, or use the name in the certificate as SERVICE_SMTP_HOST.";
const NO_LOGIN = 'The mail server requires a login. Set SERVICE_SMTP_USER and SERVICE_SMTP_PASSWORD.';
const NO_SENDER = 'The mail server refuses the sender. Check SERVICE_SMTP_FROM.';
const NO_RECIPIENT = "The mail server refuses the recipient. Check the target's address.";
const UNREACHABLE =
  'The mail server does not accept connections. Check SERVICE_SMTP_HOST and SERVICE_SMTP_PORT.';

/** Converts an error into an outcome, without the server's own text. */
export function outcomeOfMailFault(error: unknown, latencyMs: number): Outcome {
  const fault = error as MailFault & { readonly message?: unknown };
  const status = fault.responseCode ?? null;
  const words = wordsOf(fault);
  return {
    outcome: 'failed',
    status,
    latencyMs,
    reason: status === null ? words : words.replace('. ', ` (${status}). `),
  };
}

function wordsOf({
  code = '',
  originalCode = '',
  responseCode,
  command = '',
  message,
}: MailFault & { message?: unknown }) {
  const isOfCertificate = CERTIFICATE.test(originalCode) || CERTIFICATE_WORDS.test(String(message));
  if (responseCode === undefined && isOfCertificate) return UNTRUSTED;
  if (responseCode === 530) return NO_LOGIN;
  if (code === 'EENVELOPE') return command === 'MAIL FROM' ? NO_SENDER : NO_RECIPIENT;
  return FAULTS[/SSL|TLS/.test(originalCode) ? 'ETLS' : code] ?? UNREACHABLE;
}
