import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { Configuration, interactionPolicy } from 'oidc-provider';
import { freePort } from '../process.ts';

/** An account at the provider. */
export interface OidcPerson {
  readonly email: string;
  readonly emailVerified?: boolean;
  readonly name?: string;
  readonly groups?: readonly string[];
  readonly picture?: string;
  /** Limits, as a claim of that name. */
  readonly limits?: unknown;
}

interface Options {
  /** Allowed redirect URIs of the client. */
  readonly redirectUris: readonly string[];
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** The client's address for logout tokens (OpenID Connect Back-Channel Logout 1.0). */
  readonly logoutUri?: string;
  /** Where the client may send browsers back to after a sign-out. */
  readonly afterLogoutUris?: readonly string[];
  /** Gives claims at the UserInfo endpoint only, not in the ID token (OpenID Connect Core 1.0, section 5.4). */
  readonly isTerse?: boolean;
}

export interface Oidc {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /**
   * Simulates a browser that is sent to `authorizationUrl`: signs in, or declines without a person. Returns the URL at the client to which the
   * provider redirects.
   */
  visit(authorizationUrl: string, person?: OidcPerson): Promise<string>;
  /** Simulates the browser of the last visit that is sent to the end of its session and agrees. Returns where the provider sends it then. */
  leave(endSessionUrl?: string): Promise<string>;
  stop(): Promise<void>;
}

/** Starts a certified OpenID provider (oidc-provider) on 127.0.0.1, with a sign-in form that browser tests can use too. */
export async function startOidc({
  redirectUris,
  clientId = 'sheaf',
  clientSecret = randomBytes(24).toString('hex'),
  logoutUri = '',
  afterLogoutUris = [],
  isTerse = false,
}: Options): Promise<Oidc> {
  const { Provider, interactionPolicy } = await import('oidc-provider');
  const port = await freePort();
  const issuer = `http://127.0.0.1:${port}`;
  const people = new Map<string, OidcPerson>();
  const provider = new Provider(
    issuer,
    configuration({ redirectUris, clientId, clientSecret, logoutUri, afterLogoutUris, isTerse }, people, policyOf(interactionPolicy)),
  );
  const handle = provider.callback();
  const server = createServer((request, response) => {
    const isForm = request.url?.startsWith('/interaction/');
    const work = isForm ? answerForm(request, response) : handle(request, response);
    work.catch((error: unknown) => response.writeHead(500).end(String(error)));
  });

  async function answerForm(request: IncomingMessage, response: ServerResponse): Promise<void> {
    await provider.interactionDetails(request, response);
    if (request.method !== 'POST') {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(form);
      return;
    }
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const fields = new URLSearchParams(body);
    if (fields.has('decline')) {
      await provider.interactionFinished(request, response, { error: 'access_denied' });
      return;
    }
    const email = fields.get('email') ?? '';
    people.set(email, {
      email,
      emailVerified: fields.get('emailVerified') === 'true',
      name: fields.get('name') ?? '',
      groups: fields.getAll('group'),
      ...(JSON.parse(fields.get('more') ?? '{}') as Pick<OidcPerson, 'picture' | 'limits'>),
    });
    await provider.interactionFinished(request, response, { login: { accountId: email }, select_account: {} });
  }

  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  let cookies = new Map<string, string>();
  return {
    issuer,
    clientId,
    clientSecret,
    visit(authorizationUrl, person) {
      cookies = new Map();
      return browse(issuer, authorizationUrl, person, cookies);
    },
    leave: (endSessionUrl = `${issuer}/session/end`) => leave(issuer, endSessionUrl, cookies),
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** Follows the provider's redirects with its cookies until they leave the provider; submits the form on the way. */
async function browse(issuer: string, start: string, person: OidcPerson | undefined, cookies: Map<string, string>): Promise<string> {
  let address = start;
  for (let step = 0; step < 12; step++) {
    if (!address.startsWith(`${issuer}/`)) return address;
    const isForm = new URL(address).pathname.startsWith('/interaction/');
    const fields = person
      ? [
          ['email', person.email],
          ['emailVerified', String(person.emailVerified ?? true)],
          ['name', person.name ?? ''],
          ...(person.groups ?? []).map((group) => ['group', group]),
          ['more', JSON.stringify({ picture: person.picture, limits: person.limits })],
        ]
      : [['decline', 'true']];
    const response = await fetch(address, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(isForm ? { method: 'POST', body: new URLSearchParams(fields) } : {}),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location === null)
      throw new Error(`the provider answered ${response.status} at ${new URL(address).pathname}:\n${await response.text()}`);
    address = new URL(location, address).href;
  }
  throw new Error('the provider redirects without end');
}

/** Opens the page that ends a session, and presses its button. */
async function leave(issuer: string, start: string, cookies: Map<string, string>): Promise<string> {
  const headers = () => ({ cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') });
  const page = await fetch(start, { headers: headers() });
  for (const line of page.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    cookies.set(name, value);
  }
  const xsrf = /name="xsrf" value="([^"]+)"/.exec(await page.text())?.[1];
  if (xsrf === undefined) throw new Error(`the provider answered ${page.status} to the end of a session`);
  const body = new URLSearchParams({ xsrf, logout: 'yes' });
  const left = await fetch(`${issuer}/session/end/confirm`, { method: 'POST', redirect: 'manual', headers: headers(), body });
  return new URL(left.headers.get('location') ?? '', issuer).href;
}

type Policy = interactionPolicy.DefaultPolicy;

/** The default prompts plus an account chooser, which the large providers offer as well. */
function policyOf({ Check, Prompt, base }: typeof interactionPolicy): Policy {
  const policy = base();
  const everyTime = new Check('account_choice', 'the client asks for a choice of account', ({ oidc }) =>
    oidc.promptPending('select_account'),
  );
  policy.add(new Prompt({ name: 'select_account', requestable: true }, everyTime), 0);
  return policy;
}

function configuration(
  { redirectUris, clientId, clientSecret, logoutUri, afterLogoutUris, isTerse }: Required<Options>,
  people: ReadonlyMap<string, OidcPerson>,
  policy: Policy,
): Configuration {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [...redirectUris],
        grant_types: ['authorization_code'],
        post_logout_redirect_uris: [...afterLogoutUris],
        ...(logoutUri !== '' && { backchannel_logout_uri: logoutUri, backchannel_logout_session_required: true }),
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kty: 'RSA', use: 'sig', alg: 'RS256', kid: 'testbed' }] },
    cookies: { keys: [randomBytes(24).toString('hex')] },
    // The library's own dispatcher refuses addresses of this machine, where the client is.
    fetch: (url, options = {}) => globalThis.fetch(url, { ...options, dispatcher: undefined } as unknown as RequestInit),
    // Like the large providers, puts e-mail and name into the ID token itself, unless it is terse.
    conformIdTokenClaims: isTerse,
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups', 'picture', 'limits'] },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
    interactions: { policy, url: (_context, { uid }) => `/interaction/${uid}` },
    ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    async findAccount(_context, sub) {
      const person = people.get(sub);
      if (!person) return undefined;
      const { email, emailVerified = true, name, groups = [], picture, limits } = person;
      return {
        accountId: sub,
        claims: async () => ({
          sub,
          email,
          email_verified: emailVerified,
          groups: [...groups],
          picture,
          limits,
          ...(name ? { name } : {}),
        }),
      };
    },
    // Signing in includes consent.
    async loadExistingGrant({ oidc }) {
      const account = oidc.session?.accountId;
      if (!oidc.client || account === undefined) return undefined;
      const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: account });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  };
}

const form = `<!doctype html>
<html lang="en">
  <title>Sign in at the test provider</title>
  <form method="post">
    <label>E-mail <input name="email" type="email" value="mara@example.org" /></label>
    <label>Name <input name="name" value="Mara" /></label>
    <label>Verified <input name="emailVerified" type="checkbox" value="true" checked /></label>
    <button>Continue</button>
    <button name="decline" value="true">Cancel</button>
  </form>
</html>`;
