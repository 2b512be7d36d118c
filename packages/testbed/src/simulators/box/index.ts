import { join } from 'node:path';
import {
  type Account,
  type SimulatedRequest,
  createContents,
  createOAuth,
  nodeHash,
  readDescription,
  startSimulator,
} from '../kit/index.ts';
import { accountRoutes } from './account.ts';
import { type DownloadState, downloadRoutes, startDownloadHost } from './downloads.ts';
import { itemRoutes } from './items.ts';
import { no, refusal } from './refusals.ts';
import { seed } from './seed.ts';
import { sessionRoutes } from './sessions.ts';
import { createBoxState, createIds } from './state.ts';
import { trashRoutes } from './trash.ts';
import { type Limits, uploadRoutes } from './uploads.ts';

const accounts: readonly Account[] = [
  { id: '11446498', email: 'mara@example.org', name: 'Mara Example' },
  { id: '11446505', email: 'noor@example.org', name: 'Noor Example' },
];

const writing = ['root_readwrite'];
const reading = ['root_readonly', 'root_readwrite'];

interface Options {
  readonly redirectUris?: readonly string[];
  /** Maximum bytes of a content that is kept unabridged; see the kit's contents. */
  readonly keepUpTo?: number;
  /** Bytes of each part of an upload session; 8 MiB by default. */
  readonly partSize?: number;
  /** Most parts on a page of a session's list; 1,000 by default. */
  readonly listedParts?: number;
}

export type Box = Awaited<ReturnType<typeof startBox>>;

/** Box, with Mara and Noor. Downloads are redirected to another host, which must not get a token. Start URLs are in `app`. */
export async function startBox({
  redirectUris = [],
  keepUpTo = 64 * 1024 * 1024,
  partSize = 8 * 1024 * 1024,
  listedParts = 1000,
}: Options = {}) {
  const contents = createContents({ hashes: { sha1: nodeHash('sha1') }, keepUpTo });
  const newId = createIds();
  const states = new Map(accounts.map((account) => [account.id, createBoxState(newId)] as const));
  const limits: Limits = { quota: 10 * 1024 ** 3, largestFile: 5 * 1024 ** 3, damageNext: false, commitsEarly: 1, partSize, listedParts };
  const downloads: DownloadState = { preparing: 0, tickets: new Map() };
  const client = { id: 'sheaf-box', secret: 'box-secret', title: 'Sheaf', redirectUris };
  const oauth = createOAuth({
    provider: 'Box',
    client,
    accounts,
    scopes: ['root_readonly', 'root_readwrite'],
    defaultScopes: ['root_readwrite'],
    pkce: 'none',
    clientAuth: ['body'],
    accessSeconds: 3600,
    refreshSeconds: 60 * 86_400,
    rotation: 'singleUse',
  });
  const of = (account: string) => {
    const state = states.get(account);
    if (!state) throw no(404, 'not_found');
    return state;
  };
  const stateOf = ({ account }: SimulatedRequest) => of(account.id);
  const description = readDescription(join(import.meta.dirname, 'description.json'));
  const uploads = uploadRoutes(stateOf, contents, limits);
  const sessions = sessionRoutes(stateOf, contents, limits, uploads.refuseSize);
  const downloadHost = await startDownloadHost(downloads);

  const simulator = await startSimulator({
    name: 'box',
    authenticate: oauth.authenticate,
    refusal,
    mounts: [
      oauth.mount({ at: '/api/oauth2', authorize: '/authorize', token: '/token', revoke: '/revoke' }),
      {
        at: '/api/2.0',
        description,
        scopes: {
          '*': reading,
          'PUT /files/{file_id}': writing,
          'DELETE /files/{file_id}': writing,
          'POST /files/{file_id}/copy': writing,
          'PUT /folders/{folder_id}': writing,
          'DELETE /folders/{folder_id}': writing,
          'POST /folders/{folder_id}/copy': writing,
          'POST /folders': writing,
          'POST /files/{file_id}': writing,
          'POST /folders/{folder_id}': writing,
          'DELETE /files/{file_id}/trash': writing,
          'DELETE /folders/{folder_id}/trash': writing,
          'POST /files/{file_id}/versions/current': writing,
          'OPTIONS /files/content': writing,
        },
        routes: {
          ...itemRoutes(stateOf, [...states.values()]),
          ...trashRoutes(stateOf),
          ...accountRoutes(stateOf, limits),
          ...uploads.api,
          ...downloadRoutes(stateOf, downloads, () => downloadHost.url),
        },
      },
      { at: '/upload/api/2.0', description, scopes: { '*': writing }, routes: { ...uploads.uploads, ...sessions.routes } },
    ],
  });
  for (const account of accounts) seed(of(account.id), contents, account);

  return {
    ...simulator,
    oauth,
    contents,
    limits,
    downloads,
    downloadHost,
    /** An account's items, by its id. */
    of,
    accounts,
    /** Settings for a client of this simulator. */
    app: {
      clientId: client.id,
      clientSecret: client.secret,
      apiUrl: `${simulator.url}/api/2.0`,
      uploadUrl: `${simulator.url}/upload/api/2.0`,
      authUrl: `${simulator.url}/api/oauth2/authorize`,
      tokenUrl: `${simulator.url}/api/oauth2/token`,
    },
    /** Number of upload sessions that are neither committed nor aborted. */
    sessions: () => sessions.sessions.size,
    assertClean() {
      simulator.assertClean();
      downloadHost.assertClean();
    },
    reset() {
      simulator.reset();
      downloadHost.reset();
    },
    async stop() {
      await simulator.stop();
      await downloadHost.stop();
    },
  };
}
