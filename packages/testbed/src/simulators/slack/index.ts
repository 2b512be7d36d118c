import { join } from 'node:path';
import { type Handler, type OAuthOptions, type Reply, createOAuth, readDescription, startSimulator } from '../kit/index.ts';
import { createFilesHost } from './files-host.ts';
import { createMethods } from './methods.ts';
import { problemReply } from './replies.ts';
import { mara, people, seed } from './seed.ts';
import { type ConversationKind, type NewFile, createState } from './state.ts';

const description = readDescription(join(import.meta.dirname, 'description.json'));
export type Slack = Awaited<ReturnType<typeof startSlack>>;

const scopes = [
  'files:read',
  'files:write',
  'channels:read',
  'groups:read',
  'im:read',
  'mpim:read',
  'users:read',
  'team:read',
  'search:read',
];

interface Options {
  readonly client?: OAuthOptions['client'];
  /** Whether the application uses token rotation. */
  readonly rotation?: boolean;
}

/** Slack's Web API: one workspace with its users, conversations and files. */
export async function startSlack({
  client = { id: '1000.2000', secret: 'slack secret', title: 'Sheaf', redirectUris: [] },
  rotation = true,
}: Options = {}) {
  const state = createState([...people]);
  const behaviour = { sharing: 0, ranges: false, lost: 0 };
  const oauth = createOAuth({
    provider: 'Slack',
    client,
    accounts: people.map(({ id, name, realName }) => ({ id, name: realName, email: `${name}@example.org` })),
    scopes,
    scopeParameter: 'user_scope',
    scopeSeparator: ',',
    pkce: 'none',
    clientAuth: ['basic', 'body'],
    accessSeconds: rotation ? 43_200 : null,
    rotation: 'singleUse',
    offline: () => rotation,
  });
  const { routes, ...page } = oauth.mount({ at: '/oauth/v2', authorize: '/authorize', token: '/token' });
  const simulator = await startSimulator({
    name: 'slack',
    authenticate: oauth.authenticate,
    refusal: problemReply,
    mounts: [
      { ...page, routes: Object.fromEntries(Object.entries(routes).filter(([key]) => key.endsWith(' /authorize'))) },
      {
        at: '/api',
        description,
        open: ['POST /oauth.v2.access'],
        scopes: {
          'GET /files.list': ['files:read'],
          'GET /files.info': ['files:read'],
          'GET /search.files': ['search:read'],
          'GET /users.info': ['users:read'],
          'GET /users.list': ['users:read'],
          'GET /users.conversations': ['channels:read', 'groups:read', 'im:read', 'mpim:read'],
          ...Object.fromEntries(
            ['files.getUploadURLExternal', 'files.completeUploadExternal', 'files.delete'].map((name) => [
              `POST /${name}`,
              ['files:write'],
            ]),
          ),
        },
        routes: {
          ...createMethods({ state, sharing: () => behaviour.sharing, revoke: oauth.revokeToken }),
          'POST /oauth.v2.access': tokenInSlacksWay(oauth.handlers.token, (token) => {
            const identity = oauth.check(token);
            return typeof identity === 'string' ? '' : identity.account.id;
          }),
        },
      },
      createFilesHost({ state, authenticate: oauth.check, ranges: () => behaviour.ranges, lost: () => behaviour.lost }),
    ],
  });

  return {
    ...simulator,
    simulator,
    oauth,
    state,
    /** Operator settings. */
    app: {
      clientId: client.id,
      clientSecret: client.secret,
      apiUrl: `${simulator.url}/api`,
      authUrl: `${simulator.url}/oauth/v2/authorize`,
      tokenUrl: `${simulator.url}/api/oauth.v2.access`,
    },
    /** Sets the delay in ms until an uploaded file appears in its conversation; none by default. */
    sharingTakes: (ms: number): void => void (behaviour.sharing = ms),
    /** Loses this many bytes of each upload, which the response reports. */
    loseBytes: (count: number): void => void (behaviour.lost = count),
    /** Sets whether range requests are supported. */
    offerRanges: (offers: boolean): void => void (behaviour.ranges = offers),
    addChannel: (name: string, kind: ConversationKind = 'public', members: readonly string[] = [mara]) =>
      state.addConversation(kind, members, name),
    addFile: (file: NewFile) => state.addFile(file),
    addPerson: (id: string, realName: string): void => void state.people.push({ id, name: id.toLowerCase(), realName, displayName: '' }),
    /** A few conversations with files and pictures. */
    seed: () => seed(state),
  };
}

/** The token endpoint names the user in `authed_user`, and refuses with status 200. */
function tokenInSlacksWay(token: Handler, personOf: (accessToken: string) => string): Handler {
  return async (request): Promise<Reply> => {
    const isRefresh = request.form.get('grant_type') === 'refresh_token';
    const { json, headers } = await token(request);
    const answer = json as Readonly<Record<string, unknown>>;
    const team = { team: { id: 'T0SHEAF', name: 'Sheaf' }, app_id: 'A0SHEAF' };
    if (typeof answer['access_token'] === 'string') {
      const user = { ...answer, token_type: 'user' };
      const body = isRefresh ? user : { authed_user: { id: personOf(answer['access_token']), ...user } };
      return { json: { ok: true, ...team, ...body }, ...(headers && { headers }) };
    }
    return { json: { ok: false, error: errorOf(String(answer['error']), String(answer['error_description']), isRefresh) } };
  };
}

function errorOf(error: string, why: string, isRefresh: boolean): string {
  if (error === 'invalid_client') return 'bad_client_secret';
  if (error !== 'invalid_grant') return 'invalid_arguments';
  if (isRefresh) return 'invalid_refresh_token';
  if (why.includes('redirect')) return 'bad_redirect_uri';
  return why.includes('used') ? 'code_already_used' : 'invalid_code';
}
