import { join } from 'node:path';
import { type Mount, type OAuthOptions, createOAuth, readDescription, startSimulator } from '../kit/index.ts';
import { changingRoutes } from './changing.ts';
import { createFinder, readingRoutes } from './reading.ts';
import { refusal } from './replies.ts';
import { mara, otto, seed } from './seed.ts';
import { createState } from './state.ts';
import { createStoreHost } from './store-host.ts';
import { createStore } from './store.ts';

const read = (name: string) => readDescription(join(import.meta.dirname, `description-${name}.json`));

interface Options {
  readonly client?: OAuthOptions['client'];
  /** Maximum bytes of a file or part that is kept in memory unabridged. */
  readonly keepUpTo?: number;
}

export type Autodesk = Awaited<ReturnType<typeof startAutodesk>>;

/** Autodesk Platform Services: sign-in, Data Management and the object store, with Mara's construction projects and a team of Mara and Otto. */
export async function startAutodesk({
  client = { id: 'sheaf-autodesk', secret: 'autodesk-secret', title: 'Sheaf', redirectUris: [] },
  keepUpTo = 64 * 1024 * 1024,
}: Options = {}) {
  const state = createState(keepUpTo);
  const places = seed(state);
  const behaviour = { ahead: 0, damage: 0 };
  const now = () => Date.now() + behaviour.ahead;
  const store = createStore(state, now);
  const find = createFinder(state);
  const { above, below } = readingRoutes(state, find);
  const oauth = createOAuth({
    provider: 'Autodesk',
    client,
    accounts: [mara, otto],
    scopes: ['data:read', 'data:write', 'data:create', 'data:search', 'user-profile:read', 'account:read', 'openid'],
    pkce: 'optional',
    publicClient: true,
    clientAuth: ['basic'],
    codeSeconds: 300,
    refreshSeconds: 15 * 24 * 60 * 60,
    rotation: 'singleUse',
  });
  const data = read('data');
  const alsoStatuses = { 400: null, 401: null, 403: null, 404: null, 409: null, 423: null, 429: null, 500: null, 501: null, 503: null };
  const mount = (at: string, description: Mount['description'], more: Pick<Mount, 'routes' | 'scopes'>): Mount => ({
    at,
    description,
    alsoStatuses,
    // Paths in the descriptions include the mount's own path.
    rewrite: (path) => (path === '/' ? at : `${at}${path}`),
    alsoQuery: ['filter[displayName]-contains'],
    ...more,
  });
  const object = '/oss/v2/buckets/{bucketKey}/objects/{objectKey}';

  const simulator = await startSimulator({
    name: 'autodesk',
    authenticate: oauth.authenticate,
    refusal,
    mounts: [
      oauth.mount({ at: '/authentication/v2', authorize: '/authorize', token: '/token', revoke: '/revoke', extra: { prompt: ['login'] } }),
      mount('/userinfo', read('user'), {
        scopes: { '*': ['user-profile:read', 'openid'] },
        routes: {
          'GET /userinfo': ({ account: { id, email, name } }) => ({ json: { sub: id, name, email, email_verified: true } }),
        },
      }),
      mount('/project', data, { scopes: { '*': ['data:read'] }, routes: above }),
      mount('/data', data, {
        scopes: {
          '*': ['data:read'],
          'GET /data/v1/projects/{project_id}/folders/{folder_id}/search': ['data:read', 'data:search'],
          'PATCH /data/v1/projects/{project_id}/folders/{folder_id}': ['data:write'],
          'PATCH /data/v1/projects/{project_id}/items/{item_id}': ['data:write'],
          ...Object.fromEntries(
            ['storage', 'folders', 'items', 'versions'].map((what) => [`POST /data/v1/projects/{project_id}/${what}`, ['data:create']]),
          ),
        },
        routes: { ...below, ...changingRoutes(state, find) },
      }),
      mount('/oss', read('store'), {
        scopes: { '*': ['data:write', 'data:create'], [`GET ${object}/signeds3download`]: ['data:read'] },
        routes: store.routes,
      }),
      createStoreHost({ state, store, now, damages: () => behaviour.damage > 0 && behaviour.damage-- > 0 }),
    ],
  });

  return {
    ...simulator,
    oauth,
    state,
    /** One folder in Construction Cloud and one in Fusion Team, whose rules differ. */
    places,
    people: { mara, otto },
    /** Operator settings. */
    app: {
      clientId: client.id,
      clientSecret: client.secret,
      apiUrl: simulator.url,
      authUrl: `${simulator.url}/authentication/v2/authorize`,
      tokenUrl: `${simulator.url}/authentication/v2/token`,
    },
    /** Stores the next `count` parts of uploads damaged. */
    damageParts: (count: number): void => void (behaviour.damage = count),
    /** Discards all unfinished uploads. */
    forgetUploads: (): void => store.uploads.clear(),
    /** Number of unfinished uploads. */
    openUploads: () => store.uploads.size,
    /** Advances the clock for signed URLs. */
    advance: (seconds: number): void => void (behaviour.ahead += seconds * 1000),
  };
}
