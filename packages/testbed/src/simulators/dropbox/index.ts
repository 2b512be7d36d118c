import { join } from 'node:path';
import { createOAuth, createWebhooks, readDescription, startSimulator } from '../kit/index.ts';
import { accountRoutes } from './accounts.ts';
import { createBytes } from './bytes.ts';
import { createCursors } from './cursors.ts';
import { downloadRoutes } from './downloads.ts';
import { fileRoutes } from './files.ts';
import { createPeople } from './people.ts';
import { refusal } from './refusals.ts';
import { restoreRoutes } from './revisions.ts';
import { searchRoutes } from './search.ts';
import { seed } from './seed.ts';
import { type UploadState, uploadRoutes } from './uploads.ts';
import { createWebhook } from './webhook.ts';

const scopes = [
  'account_info.read',
  'files.metadata.read',
  'files.content.read',
  'files.content.write',
  'team_data.member',
  'team_info.read',
];

const metadata = ['files.metadata.read'];
const writing = ['files.content.write'];
const account = ['account_info.read'];

interface Options {
  readonly redirectUris?: readonly string[];
  /** Maximum bytes of a request's content that are kept unabridged; see the kit's contents. */
  readonly keepUpTo?: number;
}

export type Dropbox = Awaited<ReturnType<typeof startDropbox>>;

/**
 * Dropbox, with Mara who has no team, and a team of Noor (its administrator) and Otto. The hosts for calls and for content are distinguished by path
 * prefix instead of host name. Start URLs are in `app`.
 */
export async function startDropbox({ redirectUris = [], keepUpTo = 64 * 1024 * 1024 }: Options = {}) {
  const contents = createBytes(keepUpTo);
  const people = createPeople();
  const cursors = createCursors();
  const clock = { ahead: 0 };
  const state: UploadState = { quota: 2 * 1024 ** 3, damageNext: false };
  const client = { id: 'sheaf-dropbox', secret: 'dropbox-secret', title: 'Sheaf', redirectUris };
  const oauth = createOAuth({
    provider: 'Dropbox',
    client,
    accounts: people.all.map((person) => person.account),
    scopes,
    defaultScopes: scopes,
    pkce: 'optional',
    publicClient: true,
    clientAuth: ['body', 'basic'],
    accessSeconds: 14_400,
    offline: ({ query }) => query.get('token_access_type') === 'offline',
    answer: (standard, { account: { id }, scopes: granted }) => ({
      ...standard,
      uid: '12345',
      ...(granted.includes('team_data.member') ? { team_id: people.team.id } : { account_id: id }),
    }),
  });
  const description = readDescription(join(import.meta.dirname, 'description.json'));
  const alsoStatuses = { 400: null, 404: null, 416: null, 501: null };
  const uploads = uploadRoutes(people, contents, state, () => Date.now() + clock.ahead);

  const simulator = await startSimulator({
    name: 'dropbox',
    authenticate: oauth.authenticate,
    refusal,
    mounts: [
      oauth.mount({
        at: '/oauth2',
        authorize: '/authorize',
        token: '/token',
        extra: { token_access_type: ['online', 'offline', 'legacy'], force_reapprove: ['true', 'false'] },
      }),
      {
        at: '/api',
        description,
        alsoStatuses,
        scopes: {
          'POST /2/files/list_folder': metadata,
          'POST /2/files/list_folder/continue': metadata,
          'POST /2/files/list_folder/get_latest_cursor': metadata,
          'POST /2/files/get_metadata': metadata,
          'POST /2/files/search_v2': metadata,
          'POST /2/files/search/continue_v2': metadata,
          'POST /2/files/create_folder_v2': writing,
          'POST /2/files/move_v2': writing,
          'POST /2/files/copy_v2': writing,
          'POST /2/files/copy_reference/get': writing,
          'POST /2/files/copy_reference/save': writing,
          'POST /2/files/delete_v2': writing,
          'POST /2/files/restore': writing,
          'POST /2/files/list_revisions': metadata,
          'POST /2/users/get_current_account': account,
          'POST /2/users/get_space_usage': account,
          'POST /2/team/get_info': ['team_info.read'],
          'POST /2/team/token/get_authenticated_admin': ['team_info.read'],
        },
        routes: {
          ...fileRoutes(people, cursors, state),
          ...restoreRoutes(people),
          ...searchRoutes(people),
          ...accountRoutes(people, oauth, state),
        },
      },
      {
        at: '/content',
        description,
        alsoStatuses,
        scopes: {
          '*': writing,
          'GET /2/files/download': ['files.content.read'],
          'POST /2/files/download': ['files.content.read'],
          'GET /2/files/export': ['files.content.read'],
          'GET /2/files/get_thumbnail_v2': ['files.content.read'],
        },
        routes: { ...uploads.routes, ...downloadRoutes(people) },
      },
    ],
  });
  seed(people, contents);
  const webhooks = createWebhooks();

  return {
    ...simulator,
    oauth,
    people,
    contents,
    state,
    webhooks,
    webhook: createWebhook(people, client.secret, webhooks),
    /** Settings for a client of this simulator. */
    app: {
      clientId: client.id,
      clientSecret: client.secret,
      apiUrl: `${simulator.url}/api`,
      uploadUrl: `${simulator.url}/content`,
      authUrl: `${simulator.url}/oauth2/authorize`,
      tokenUrl: `${simulator.url}/oauth2/token`,
    },
    /** Number of upload sessions that are neither finished nor expired. */
    sessions: () => uploads.sessions.size,
    /** Expires every upload session. */
    forgetSessions: (): void => uploads.sessions.clear(),
    /** Makes the next cursor expired. */
    resetNextCursor: cursors.resetNext,
  };
}
