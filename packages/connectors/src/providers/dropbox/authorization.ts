import type { Static, TSchema } from 'typebox';
import type { Authorization, AuthorizationEnv, Grant } from '../../core/authorization.ts';
import { ConnectorError, isKind } from '../../core/error.ts';
import { oauth } from '../../kit/oauth/oauth.ts';
import { createApi } from '../../kit/rest/api.ts';
import { refusalOf } from '../../kit/rest/refusal.ts';
import { Account, Admin, Nothing, Team } from './api.ts';
import { apiUrl } from './client.ts';
import { dropboxError, tagsIn } from './errors.ts';

/** The minimal scopes of the calls in use. https://developers.dropbox.com/oauth-guide */
const userScopes = ['account_info.read', 'files.metadata.read', 'files.content.read', 'files.content.write'];
/** A team application acts on behalf of a member, and first looks up the administrator. */
const teamScopes = [...userScopes, 'team_data.member', 'team_info.read'];

type Headers = Readonly<Record<string, string>>;

const refusal: Parameters<typeof createApi>[0]['refusal'] = (response, text) =>
  response.status === 401 ? refusalOf(response, 'unauthorized', tagsIn(text).join('/')) : dropboxError(response, text);

/** Sends one request with a token that belongs to no link yet. */
async function ask<S extends TSchema>(
  schema: S,
  route: string,
  { accessToken }: Grant,
  { dialer, app }: AuthorizationEnv,
  signal: AbortSignal,
  headers: Headers = {},
): Promise<Static<S>> {
  const nothing = async (): Promise<undefined> => undefined;
  const env = { dialer, app, remember: async () => undefined, recall: nothing };
  const api = createApi({ env, base: app.apiUrl ?? apiUrl, maxConnections: 1, refusal });
  try {
    return await api.json(schema, {
      method: 'POST',
      url: `/2/${route}`,
      signal,
      headers: { ...headers, authorization: `Bearer ${accessToken}` },
    });
  } finally {
    api.close();
  }
}

/** Returns the headers for the team's root namespace when the user's folder is inside a team space; its folders are visible only there. */
const rootOf = ({ root_info: { root_namespace_id, home_namespace_id } }: Static<typeof Account>): Headers =>
  root_namespace_id === home_namespace_id ? {} : { root: root_namespace_id };

const identifyUser: Authorization['identify'] = async ({ grant }, _provider, env, signal) => {
  const account = await ask(Account, 'users/get_current_account', grant, env, signal);
  return { accountId: account.account_id, email: account.email, name: account.name.display_name, ...rootOf(account) };
};

const adminOf = async (grant: Grant, env: AuthorizationEnv, signal: AbortSignal) =>
  (await ask(Admin, 'team/token/get_authenticated_admin', grant, env, signal)).admin_profile;
const acting = ({ team_member_id }: Awaited<ReturnType<typeof adminOf>>): Headers => ({ 'dropbox-api-select-user': team_member_id });

const identifyTeam: Authorization['identify'] = async ({ grant }, _provider, env, signal) => {
  const admin = await adminOf(grant, env, signal).catch((error: unknown) => {
    // The token is new: it is refused because it does not belong to a team.
    if (isKind(error, 'unauthorized', 'forbidden')) throw new ConnectorError('accountKind', 'no administrator of a team', { cause: error });
    throw error;
  });
  const team = await ask(Team, 'team/get_info', grant, env, signal);
  const account = await ask(Account, 'users/get_current_account', grant, env, signal, acting(admin));
  return {
    teamId: team.team_id,
    team: team.name,
    memberId: admin.team_member_id,
    email: admin.email,
    ...rootOf(account),
  };
};

type End = (grant: Grant, env: AuthorizationEnv, signal: AbortSignal) => Promise<unknown>;

const endUser: End = (grant, env, signal) => ask(Nothing, 'auth/token/revoke', grant, env, signal);
/** Revoking a token is a user call: a team token makes it on behalf of a member. */
const endTeam: End = async (grant, env, signal) =>
  ask(Nothing, 'auth/token/revoke', grant, env, signal, acting(await adminOf(grant, env, signal)));

function authorizationWith(scopes: readonly string[], identify: Authorization['identify'], end: End): Authorization {
  const authorization: Authorization = oauth({
    authUrl: () => 'https://www.dropbox.com/oauth2/authorize',
    tokenUrl: () => `${apiUrl}/oauth2/token`,
    scopes: () => scopes,
    pkce: true,
    clientAuth: 'body',
    // Only applications that request offline access get a refresh token.
    parameters: ({ prompt }) => ({ token_access_type: 'offline', ...(prompt && { force_reapprove: 'true' }) }),
    async revoke(grant, provider, env, signal) {
      try {
        await end(grant, env, signal);
      } catch (error) {
        // The access token has expired: renews it, because revoking the new one revokes the refresh token as well.
        if (!isKind(error, 'unauthorized') || !authorization.renew) throw error;
        await end(await authorization.renew(grant, provider, env, signal), env, signal);
      }
    },
    identify,
  });
  return authorization;
}

export const userAuthorization = authorizationWith(userScopes, identifyUser, endUser);
export const teamAuthorization = authorizationWith(teamScopes, identifyTeam, endTeam);
