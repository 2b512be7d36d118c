import { join } from 'node:path';
import { type Problem, type Reply, createOAuth, readDescription, startSimulator } from '../kit/index.ts';
import { type Manners, createRoutes } from './routes.ts';
import { seed } from './seed.ts';
import { contents, createState } from './state.ts';

const description = readDescription(join(import.meta.dirname, 'description.json'));

export type CloudDrive = Awaited<ReturnType<typeof startCloudDrive>>;

const mara = { id: 'u1', email: 'mara@example.org', name: 'Mara' };
const statuses: Readonly<Record<Problem['kind'], number>> = {
  badRequest: 400,
  unknownOperation: 404,
  notSimulated: 500,
  unauthorized: 401,
  forbidden: 403,
  rateLimited: 429,
  broken: 500,
};
const refusal = (problem: Problem): Reply => ({
  status: statuses[problem.kind],
  json: { logref: '0', code: problem.kind, message: 'why' in problem ? problem.why : problem.kind, info: {} },
});

const [reads, writes] = [['clouddrive:read_all'], ['clouddrive:write']];
const scopes = {
  '*': reads,
  'POST /drive/v1/nodes': writes,
  'PATCH /drive/v1/nodes/{id}': writes,
  'POST /drive/v1/nodes/{id}/children': writes,
  'PUT /drive/v1/trash/{id}': writes,
  'POST /drive/v1/trash/{id}/restore': writes,
  'POST /cdproxy/nodes': writes,
};
/** Statuses that are missing in the description. */
const alsoStatuses = { 403: 'Error', 416: 'Error' } as const;

interface Options {
  readonly redirectUris?: readonly string[];
}

/** Amazon Cloud Drive as documented by its clients: Login with Amazon, nodes, contents on a separate URL, trash, changes. */
export async function startCloudDrive({ redirectUris = ['http://127.0.0.1:1/oauth'] }: Options = {}) {
  const state = createState();
  const client = { id: 'amzn1.application.sheaf', secret: 'amazon secret', title: 'Sheaf', redirectUris };
  const manners: Manners = { quota: 5 * 1024 ** 3, spoil: 0 };
  const routes = createRoutes(state, manners);
  const oauth = createOAuth({
    provider: 'Amazon',
    client,
    accounts: [mara],
    scopes: [...reads, ...writes],
    pkce: 'none',
    rotation: 'none',
  });
  const simulator = await startSimulator({
    name: 'clouddrive',
    authenticate: oauth.authenticate,
    refusal,
    mounts: [
      oauth.mount({ at: '/login', authorize: '/ap/oa', token: '/auth/o2/token' }),
      {
        at: '/api',
        description,
        scopes,
        alsoStatuses,
        routes: {
          'GET /drive/v1/account/endpoint': ({ url }) => ({
            json: { customerExists: true, metadataUrl: url('/customer/drive/v1/'), contentUrl: url('/content/cdproxy/') },
          }),
          'GET /drive/v1/nodes': routes.find,
        },
      },
      { at: '/customer', description, scopes, alsoStatuses, routes: routes.customer },
      {
        at: '/content',
        description,
        scopes,
        alsoStatuses,
        routes: { 'POST /cdproxy/nodes': routes.upload, 'GET /cdproxy/nodes/{id}/content': routes.download },
      },
    ],
  });

  return {
    ...simulator,
    simulator,
    state,
    contents,
    oauth,
    mara,
    manners,
    /** Operator settings to link this drive. */
    app: {
      clientId: client.id,
      clientSecret: client.secret,
      apiUrl: `${simulator.url}/api/drive/v1`,
      authUrl: `${simulator.url}/login/ap/oa`,
      tokenUrl: `${simulator.url}/login/auth/o2/token`,
    },
    seed: () => seed(state),
  };
}
