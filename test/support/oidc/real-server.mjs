import Provider from 'oidc-provider';

// A process of its own: oidc-provider, at a port of this host. A person signs in as NAME:GROUP,GROUP, which is the person NAME.

const { PORT = '', CONSOLE = '', IN_TOKEN = '1' } = process.env;
const issuer = `http://127.0.0.1:${PORT}`;

const provider = new Provider(issuer, {
  clients: [
    {
      client_id: 'redoubt',
      client_secret: 'a secret of the console',
      redirect_uris: [`${CONSOLE}/console/oidc/callback`],
      post_logout_redirect_uris: [`${CONSOLE}/console/sign-in`],
    },
  ],
  cookies: { keys: ['of a test'] },
  // Otherwise, only the address for user information tells them.
  conformIdTokenClaims: IN_TOKEN !== '1',
  claims: { openid: ['sub'], profile: ['preferred_username', 'groups'], email: ['email'] },
  findAccount(_, accountId) {
    const [name = '', groups = ''] = accountId.split(':');
    return {
      accountId,
      claims: async () => ({
        sub: name,
        preferred_username: name,
        email: `${name}@example.com`,
        groups: groups.split(','),
      }),
    };
  },
});
provider.listen(Number(PORT), '127.0.0.1', () => console.log('listens'));
