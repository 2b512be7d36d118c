import { join } from 'node:path';
import { type OAuthOptions, createOAuth, readDescription, startSimulator } from '../kit/index.ts';
import { documentRoutes, paged } from './documents.ts';
import { createFinder } from './finding.ts';
import { refusal } from './replies.ts';
import { mara, otto, seed } from './seed.ts';
import { createState } from './state.ts';
import { createStorageHost } from './storage-host.ts';
import { createUploads } from './uploads.ts';

interface Options {
  readonly client?: OAuthOptions['client'];
  /** Maximum bytes of a file or segment that is kept in memory unabridged. */
  readonly keepUpTo?: number;
}

export type Procore = Awaited<ReturnType<typeof startProcore>>;

/** Procore: sign-in, the documents of companies and projects, and the storage behind them. */
export async function startProcore({
  client = { id: 'sheaf-procore', secret: 'procore-secret', title: 'Sheaf', redirectUris: [] },
  keepUpTo = 64 * 1024 * 1024,
}: Options = {}) {
  const state = createState(keepUpTo);
  const places = seed(state);
  const behaviour = { ahead: 0, trims: false };
  const now = () => Date.now() + behaviour.ahead;
  const find = createFinder(state);
  const uploads = createUploads(state, find, now);
  const storage = createStorageHost({ state, uploads, now });
  const oauth = createOAuth({
    provider: 'Procore',
    client,
    accounts: [mara, otto],
    scopes: [],
    pkce: 'none',
    clientAuth: ['body'],
    codeSeconds: 600,
    accessSeconds: 5400,
    rotation: 'singleUse',
  });

  const simulator = await startSimulator({
    name: 'procore',
    authenticate: oauth.authenticate,
    refusal,
    mounts: [
      oauth.mount({ at: '/oauth', authorize: '/authorize', token: '/token', revoke: '/revoke' }),
      storage.mount,
      {
        at: '/rest',
        description: readDescription(join(import.meta.dirname, 'description.json')),
        rewrite: (path) => `/rest${path}`,
        alsoStatuses: { 400: null, 401: null, 403: null, 404: null, 429: null, 500: null, 501: null, 503: null },
        routes: {
          'GET /rest/v1.0/me': ({ account: { id, email, name } }) => ({ json: { id: Number(id), login: email, name } }),
          'GET /rest/v1.0/companies': (request) => {
            const mine = [...state.companies.values()].filter(({ members }) => members.has(request.account.email));
            return paged(request, mine, ({ id, name }) => ({ id, name, is_active: true }));
          },
          'GET /rest/v1.1/projects': (request) => {
            const { id } = find.company(request, Number(request.query.get('company_id')));
            const own = [...state.projects.values()].filter(({ company }) => company.id === id);
            return paged(request, own, ({ project }) => ({ id: project?.id ?? 0, name: project?.name ?? '', active: true }));
          },
          ...documentRoutes(state, find, uploads, storage.signFor, () => behaviour.trims),
          ...uploads.routes,
        },
      },
    ],
  });

  return {
    ...simulator,
    oauth,
    state,
    places,
    people: { mara, otto },
    /** Operator settings. */
    app: {
      clientId: client.id,
      clientSecret: client.secret,
      apiUrl: simulator.url,
      authUrl: `${simulator.url}/oauth/authorize`,
      tokenUrl: `${simulator.url}/oauth/token`,
    },
    /** Number of unused uploads. */
    openUploads: () => uploads.uploads.size,
    /** Expires all uploads. */
    forgetUploads: (): void => uploads.uploads.clear(),
    /** Sets whether blanks around names are trimmed. */
    trimNames: (trims: boolean): void => void (behaviour.trims = trims),
    /** Advances the clock for signed URLs. */
    advance: (seconds: number): void => void (behaviour.ahead += seconds * 1000),
  };
}
