import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';

type Json = Record<string, unknown>;

/** How the fake differs from a provider. */
export interface Lies {
  /** Changes what it says of itself. */
  discovery?: (said: Json) => Json | Response;
  /** Changes its keys. */
  keys?: (keys: Json[]) => unknown;
  /** Changes its answer with tokens. */
  tokens?: (answer: Json) => Json | Response;
  /** Changes the claims of the ID token. */
  claims?: (claims: JWTPayload) => JWTPayload;
  /** Signs the ID token. */
  sign?: (claims: JWTPayload) => Promise<string>;
  /** What it says at its address for user information. */
  userInfo?: Json;
  /** Looks at what is asked for tokens. */
  seen?: (request: Request, body: URLSearchParams) => void;
  /** Delays every answer. */
  wait?: Promise<unknown>;
}

export type FakeProvider = Awaited<ReturnType<typeof startFakeProvider>>;

/** A person whom it knows. */
export const ALICE = { sub: 'alice-1', preferred_username: 'alice', groups: ['redoubt-owners'] };

/**
 * Starts a provider of this process, which tells what a test wants, also what no provider would.
 *
 * @param tls its certificate and key, in PEM, for localhost
 */
export async function startFakeProvider(tls?: { readonly cert: string; readonly key: string }) {
  let pair = await generateKeyPair('RS256');
  let kid = 'first';
  const lies: Lies = {};
  const asked: string[] = [];
  let lastSub: unknown;
  const codes = new Map<string, { readonly nonce: string; readonly person: Json }>();

  const server = Bun.serve({
    port: 0,
    hostname: tls ? 'localhost' : '127.0.0.1',
    // Its client has a shorter limit.
    idleTimeout: 60,
    ...(tls ? { tls } : {}),
    async fetch(request) {
      const { pathname } = new URL(request.url);
      asked.push(pathname);
      await lies.wait;
      switch (pathname) {
        case '/.well-known/openid-configuration':
          return answerOf((lies.discovery ?? same)(said()));
        case '/keys':
          return answerOf((lies.keys ?? ((keys) => ({ keys })))([await ownKey()]));
        case '/token':
          return tokens(request, new URLSearchParams(await request.text()));
        case '/userinfo':
          return answerOf(lies.userInfo ?? { sub: lastSub });
        default:
          return new Response('nothing', { status: 404 });
      }
    },
  });
  const issuer = tls ? `https://localhost:${server.port}` : `http://127.0.0.1:${server.port}`;

  const said = (): Json => ({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    userinfo_endpoint: `${issuer}/userinfo`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
  });
  const ownKey = async (): Promise<Json> => ({
    ...(await exportJWK(pair.publicKey)),
    kid,
    use: 'sig',
    alg: 'RS256',
  });
  const sign = (claims: JWTPayload) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid }).sign(pair.privateKey);

  const tokens = async (request: Request, form: URLSearchParams): Promise<Response> => {
    lies.seen?.(request, form);
    const code = String(form.get('code'));
    const { nonce, person } = codes.get(code) ?? {};
    codes.delete(code);
    lastSub = person?.sub;
    if (nonce === undefined) return Response.json({ error: 'invalid_grant' }, { status: 400 });
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: issuer,
      aud: 'redoubt',
      iat: now,
      exp: now + 300,
      auth_time: now,
      nonce,
      ...person,
    };
    const id_token = await (lies.sign ?? sign)((lies.claims ?? same)(claims));
    return answerOf((lies.tokens ?? same)({ access_token: 'x', token_type: 'Bearer', id_token }));
  };

  return {
    issuer,
    settings: { SERVICE_OIDC_ISSUER: issuer, SERVICE_OIDC_CLIENT_ID: 'redoubt' },
    lies,
    /** The paths that were asked for. */
    asked,
    sign,
    /** Gives a code for a person, of a sign-in that the console began. */
    codeFor(url: string, person: Json = ALICE): string {
      const code = crypto.randomUUID();
      codes.set(code, { nonce: new URL(url).searchParams.get('nonce') ?? '', person });
      return code;
    },
    /** Signs with another key from now on. */
    async rotate(name: string) {
      pair = await generateKeyPair('RS256');
      kid = name;
    },
    /** Is honest again. */
    beHonest() {
      for (const lie of Object.keys(lies)) delete lies[lie as keyof Lies];
      asked.length = 0;
    },
    end: () => server.stop(true),
  };
}

const same = <Value>(value: Value): Value => value;
const answerOf = (answer: unknown): Response => (answer instanceof Response ? answer : Response.json(answer));
