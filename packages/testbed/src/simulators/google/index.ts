import { join } from 'node:path';
import {
  type Account,
  type OAuth,
  type Simulator,
  type Webhooks,
  createContents,
  createWebhooks,
  nodeHash,
  readDescription,
  startSimulator,
} from '../kit/index.ts';
import { smallJpeg } from '../kit/picture.ts';
import { type GoogleClient, createGoogleOAuth, mountGoogleOAuth } from './authorization.ts';
import { createChannels } from './channels.ts';
import { createFiles } from './files.ts';
import { createListings } from './listing.ts';
import { problemReply } from './refusals.ts';
import { type Putter, createPutter, seedDrive } from './seed.ts';
import { type DriveState, createDriveState } from './state.ts';
import { createUploads } from './uploads.ts';

const scope = (name: string): string => `https://www.googleapis.com/auth/${name}`;
const reading = ['drive', 'drive.readonly'].map(scope);
const writing = ['drive'].map(scope);

export const googleAccounts: readonly Account[] = [
  { id: '11750000000000000001', email: 'mara@example.org', name: 'Mara' },
  { id: '11750000000000000002', email: 'theo@example.org', name: 'Theo' },
];

interface Options {
  readonly client: GoogleClient;
  readonly accounts?: readonly Account[];
  /** Storage quota of an account in bytes. Default: 15 GB. */
  readonly limit?: number;
  /** Whether the first account starts with a few files. Default: true. */
  readonly seeded?: boolean;
}

export interface Google extends Simulator {
  readonly oauth: OAuth;
  readonly drive: DriveState;
  readonly put: Putter;
  readonly webhooks: Webhooks;
  /** Notification channels that have not ended. */
  readonly channels: ReturnType<typeof createChannels>['open'];
  readonly uploads: Pick<ReturnType<typeof createUploads>, 'damage' | 'forget' | 'keepOnly' | 'openSessions' | 'repeated'>;
  /** Operator settings that point Sheaf here. */
  readonly app: Readonly<Record<'apiUrl' | 'authUrl' | 'clientId' | 'clientSecret' | 'tokenUrl', string>>;
}

const text = { type: 'string' };
const picture = { 200: { content: { 'image/jpeg': {}, 'application/octet-stream': {} } }, 404: { content: { 'application/json': {} } } };
/** The hosts of thumbnails and large exports, which have no API description. */
const contentsDescription = {
  paths: {
    '/export/{id}': { get: { parameters: [{ name: 'id', in: 'path', required: true, schema: text }], responses: picture } },
    '/{id}': { get: { parameters: [{ name: 'id', in: 'path', required: true, schema: text }], responses: picture } },
  },
};

/** Starts Google's authorization server and Drive v3. */
export async function startGoogle({ client, accounts = googleAccounts, limit = 15e9, seeded = true }: Options): Promise<Google> {
  const contents = createContents({
    hashes: { md5: nodeHash('md5'), sha1: nodeHash('sha1') },
    keepUpTo: 64 * 1024 * 1024,
  });
  const state = createDriveState(accounts);
  const uploads = createUploads(contents);
  const put = createPutter(state, contents);
  const [first] = accounts;
  if (seeded && first) seedDrive(put, first);
  const oauth = createGoogleOAuth({
    client,
    accounts,
    scopes: [...['drive', 'drive.readonly', 'drive.file', 'drive.metadata.readonly'].map(scope), 'openid', 'email', 'profile'],
  });
  const webhooks = createWebhooks();
  const channels = createChannels(state, webhooks);
  const files = createFiles({ state, contents, uploads, limit });
  const uploadMounts = ['/upload/drive/v3/files', '/upload/drive/v3/files/{fileId}'];
  const simulator = await startSimulator({
    name: 'Google Drive',
    authenticate: oauth.authenticate,
    refusal: problemReply,
    mounts: [
      mountGoogleOAuth(oauth),
      {
        at: '',
        description: readDescription(join(import.meta.dirname, 'description.json')),
        // The URL of an upload session is a credential in itself.
        open: uploadMounts.flatMap((path) => [`PUT ${path}`, `DELETE ${path}`]),
        scopes: {
          '*': writing,
          'GET /drive/v3/about': reading,
          'GET /drive/v3/changes': reading,
          'GET /drive/v3/changes/startPageToken': reading,
          'POST /drive/v3/changes/watch': reading,
          'POST /drive/v3/channels/stop': reading,
          'GET /drive/v3/drives': reading,
          'GET /drive/v3/files': reading,
          'GET /drive/v3/files/{fileId}': reading,
          'GET /drive/v3/files/{fileId}/export': reading,
          'GET /drive/v3/files/{fileId}/revisions': reading,
          'GET /drive/v3/files/{fileId}/revisions/{revisionId}': reading,
        },
        routes: { ...files.routes, ...createListings({ state, toFile: files.toFile, limit }), ...channels.routes },
      },
      {
        at: '/contents',
        description: contentsDescription,
        scopes: { '*': reading },
        alsoStatuses: { 401: null, 403: null, 429: null },
        routes: {
          'GET /{id}': ({ params, account }) => {
            const node = state.find(account, params['id']?.replace(/=s\d+$/, '') ?? '', true);
            return node.mimeType.startsWith('image/')
              ? { bytes: smallJpeg, headers: { 'content-type': 'image/jpeg' } }
              : { status: 404, json: {} };
          },
          'GET /export/{id}': ({ params, account }) => {
            const { document } = state.find(account, params['id'] ?? '', true);
            return document ? { stream: document.open() } : { status: 404, json: {} };
          },
        },
      },
    ],
  });
  const { url } = simulator;
  return {
    ...simulator,
    oauth,
    drive: state,
    put,
    uploads,
    webhooks,
    channels: channels.open,
    app: { apiUrl: url, authUrl: `${url}/oauth2/auth`, tokenUrl: `${url}/oauth2/token`, clientId: client.id, clientSecret: client.secret },
  };
}
