import type { AuthorizationEnv, Redeemed } from '../../../core/authorization.ts';
import { oauth } from '../../../kit/oauth/oauth.ts';
import { Profile } from '../api.ts';
import { createGraph } from './client.ts';
import { flavourOf } from './flavours.ts';

const endpoint = (provider: string, name: string): string =>
  `https://login.microsoftonline.com/${flavourOf(provider).tenant}/oauth2/v2.0/${name}`;

/**
 * OAuth at Microsoft's identity platform: https://learn.microsoft.com/entra/identity-platform/v2-oauth2-auth-code-flow. Refresh tokens are
 * rotated and last 90 days. There is no call to revoke a grant; the user does so on the account's page.
 */
export const authorization = oauth({
  authUrl: (provider) => endpoint(provider, 'authorize'),
  tokenUrl: (provider) => endpoint(provider, 'token'),
  scopes: (provider) => flavourOf(provider).scopes,
  pkce: true,
  clientAuth: 'body',
  parameters: ({ prompt }) => ({ response_mode: 'query', ...(prompt && { prompt: 'select_account' }) }),
  identify,
});

/** Identifies the account of the grant. */
async function identify(
  { grant }: Redeemed,
  _provider: string,
  { dialer, app }: AuthorizationEnv,
  signal: AbortSignal,
): Promise<Readonly<Record<string, string>>> {
  const graph = createGraph({
    dialer,
    app,
    remember: () => Promise.resolve(),
    recall: () => Promise.resolve(undefined),
    tokens: { access: () => Promise.resolve(grant.accessToken) },
  });
  try {
    const fields = { $select: 'id,displayName,mail,userPrincipalName' };
    const { id, displayName, mail, userPrincipalName } = await graph.json(Profile, { method: 'GET', url: '/me', query: fields, signal });
    return { accountId: id, account: [mail, userPrincipalName, displayName].find(Boolean) ?? id };
  } finally {
    graph.close();
  }
}
