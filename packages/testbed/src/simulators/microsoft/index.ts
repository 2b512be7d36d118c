import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import {
  type Account,
  type Description,
  createContents,
  createOAuth,
  createWebhooks,
  nodeHash,
  readDescription,
  startSimulator,
} from '../kit/index.ts';
import { accountRoutes } from './accounts.ts';
import { describedPath } from './addresses.ts';
import { copyRoutes } from './copies.ts';
import { downloadRoutes } from './downloads.ts';
import type { Drive } from './drive.ts';
import { itemRoutes } from './items.ts';
import { listingRoutes } from './listing.ts';
import { quickXor } from './quick-xor.ts';
import { refusal, tokenRefusal } from './replies.ts';
import { people, seed } from './seed.ts';
import { type World, driveOf } from './state.ts';
import { createSubscriptions } from './subscriptions.ts';
import { uploadRoutes } from './uploads.ts';

const reading = ['Files.Read', 'Files.ReadWrite', 'Files.Read.All', 'Files.ReadWrite.All'];
const writing = ['Files.ReadWrite', 'Files.ReadWrite.All'];
const sites = ['Sites.Read.All', 'Sites.ReadWrite.All'];
const scopes = ['offline_access', 'User.Read', ...reading, ...sites];

interface Options {
  readonly redirectUris?: readonly string[];
  /** The hash algorithm of drives; default: quickXorHash. */
  readonly hash?: 'quickXorHash' | 'sha1Hash' | 'sha256Hash';
}

const hashers = { quickXorHash: quickXor, sha1Hash: upper(nodeHash('sha1')), sha256Hash: upper(nodeHash('sha256')) };

/** Microsoft writes hexadecimal in upper case. */
function upper(hash: ReturnType<typeof nodeHash>): ReturnType<typeof nodeHash> {
  return () => {
    const { update, digest } = hash();
    return { update, digest: () => digest().toUpperCase() };
  };
}

export type Microsoft = Awaited<ReturnType<typeof startMicrosoft>>;

/**
 * Microsoft Graph with OneDrive of Mara (personal), of Noor and Otto (of an organisation), and the organisation's SharePoint sites. Hosts are told apart by the
 * beginning of the path; the one of bytes, sessions and monitors is shown as `localhost`, so that a token sent there is seen. Start addresses are in `app`.
 */
export async function startMicrosoft({ redirectUris = [], hash = 'quickXorHash' }: Options = {}) {
  const world: World = {
    contents: createContents<string>({ hashes: { [hash]: hashers[hash] }, keepUpTo: 64 * 1024 * 1024 }),
    drives: new Map(),
    sites: [],
    downloads: new Map(),
    manners: { damageNext: false, tellsDownloads: true, copyTakes: 20, forgetsChanges: false, page: undefined },
  };
  seed(world);
  const client = { id: 'sheaf-microsoft', secret: 'microsoft-secret', title: 'Sheaf', redirectUris };
  const oauthFor = (accounts: readonly Account[]) =>
    createOAuth({
      provider: 'Microsoft',
      client,
      accounts,
      scopes,
      pkce: 'optional',
      clientAuth: ['body'],
      rotation: 'kept',
      refreshSeconds: 90 * 86_400,
      offline: (ask) => ask.scopes.includes('offline_access'),
      refuse: tokenRefusal,
    });
  /** Two tenants: each signs in only its own accounts. */
  const consumers = oauthFor([people.mara]);
  const organizations = oauthFor([people.noor, people.otto]);
  const authenticate = (incoming: IncomingMessage) => {
    const identity = consumers.authenticate(incoming);
    return identity === 'invalid' ? organizations.authenticate(incoming) : identity;
  };

  const official = readDescription(join(import.meta.dirname, 'description.json'));
  const more = readDescription(join(import.meta.dirname, 'description-more.json'));
  const description: Description = {
    ...official,
    paths: { ...official.paths, ...more.paths },
    components: { ...official.components, schemas: { ...official.components?.['schemas'], ...more.components?.['schemas'] } },
  };
  const hostDescription = readDescription(join(import.meta.dirname, 'description-hosts.json'));
  const uploads = uploadRoutes(world);
  const webhooks = createWebhooks();
  const subscriptions = createSubscriptions(world, webhooks);
  const downloads = downloadRoutes(world);
  const copies = copyRoutes(world);
  const item = '/drives/{drive-id}/items/{driveItem-id}';
  const tenant = (name: string, oauth: typeof consumers) =>
    oauth.mount({
      at: `/${name}/oauth2/v2.0`,
      authorize: '/authorize',
      token: '/token',
      extra: { response_mode: ['query'], prompt: ['select_account', 'consent'] },
    });

  const simulator = await startSimulator({
    name: 'microsoft',
    authenticate,
    refusal,
    mounts: [
      tenant('consumers', consumers),
      tenant('organizations', organizations),
      {
        at: '/v1.0',
        description,
        rewrite: describedPath,
        alsoQuery: ['search', 'includeDeletedItems', '$skiptoken', '@microsoft.graph.conflictBehavior'],
        scopes: {
          '*': reading,
          'GET /users/{user-id}': ['User.Read'],
          'GET /users/{user-id}/followedSites': sites,
          'GET /sites': sites,
          'POST /subscriptions': reading,
          'GET /sites/{site-id}/drives': [...sites, 'Files.Read.All', 'Files.ReadWrite.All'],
          'POST /drives/{drive-id}/root/children': writing,
          [`POST ${item}/children`]: writing,
          [`PATCH ${item}`]: writing,
          [`DELETE ${item}`]: writing,
          [`PUT ${item}/content`]: writing,
          [`POST ${item}/microsoft.graph.restore`]: writing,
          [`POST ${item}/microsoft.graph.copy`]: writing,
          [`POST ${item}/microsoft.graph.createUploadSession`]: writing,
          [`POST ${item}/versions/{driveItemVersion-id}/microsoft.graph.restoreVersion`]: writing,
        },
        routes: {
          ...accountRoutes(world, (account) => account.id === people.mara.id),
          ...itemRoutes(world),
          ...listingRoutes(world),
          ...uploads.routes,
          ...downloads.routes,
          ...copies.routes,
          ...subscriptions.routes,
        },
      },
      {
        at: '/host',
        description: hostDescription,
        open: 'all',
        alsoStatuses: { 401: 'ODataError', 413: 'ODataError', 429: 'ODataError', 501: 'ODataError', 503: 'ODataError', 507: 'ODataError' },
        routes: { ...uploads.hostRoutes, ...downloads.hostRoutes, ...copies.hostRoutes },
      },
    ],
  });

  /** Settings for a client of one of the tenants. */
  const appOf = (name: string) => ({
    clientId: client.id,
    clientSecret: client.secret,
    apiUrl: `${simulator.url}/v1.0`,
    authUrl: `${simulator.url}/${name}/oauth2/v2.0/authorize`,
    tokenUrl: `${simulator.url}/${name}/oauth2/v2.0/token`,
  });

  return {
    ...simulator,
    people,
    world,
    webhooks,
    subscriptions,
    consumers,
    organizations,
    /** Operator settings by source of the catalogue. */
    apps: { OneDrive: appOf('consumers'), OneDriveForBusiness: appOf('organizations'), Sharepoint: appOf('organizations') },
    driveOf: (account: Account): Drive => driveOf(world, account),
    /** Returns a site's library. */
    libraryOf(siteName: string, name: string): Drive {
      const found = world.sites.find(({ displayName }) => displayName === siteName)?.libraries.find((library) => library.name === name);
      if (!found) throw new Error(`there is no library ${name} of ${siteName}`);
      return found;
    },
    /** Number of upload sessions that are neither finished nor cancelled. */
    sessions: () => uploads.sessions.size,
    /** Expires every upload session. */
    forgetSessions: (): void => uploads.sessions.clear(),
  };
}
