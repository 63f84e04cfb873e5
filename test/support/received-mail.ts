import { execFileSync } from 'node:child_process';

/** A mail as a mail program reads it. */
export interface ReceivedMail {
  /** In their order; names in lower case. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly text: string;
  readonly html: string;
}

const PARSER = `
import email, email.policy, json, sys
mail = email.message_from_binary_file(sys.stdin.buffer, policy=email.policy.default)
body = lambda kind: mail.get_body((kind,)).get_content()
print(json.dumps({"headers": [[k.lower(), str(v)] for k, v in mail.items()], "text": body("plain"), "html": body("html")}))
`;

/** Parses a mail with Python, which shares no code with the sender. */
export const readMail = (raw: Buffer): ReceivedMail =>
  JSON.parse(execFileSync('python3', ['-c', PARSER], { input: raw, encoding: 'utf8' }));

export const headerIn = ({ headers }: ReceivedMail, wanted: string): string | undefined =>
  headers.find(([name]) => name === wanted)?.[1];
