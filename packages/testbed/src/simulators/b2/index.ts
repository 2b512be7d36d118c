import { join } from 'node:path';
import { type Handler, type SimulatedRequest, readDescription, startSimulator } from '../kit/index.ts';
import { createFiles } from './files.ts';
import { type KeyRules, createKeys } from './keys.ts';
import { createLargeFiles, smallestPart } from './large-files.ts';
import { createListings } from './listing.ts';
import { accountId, bucketJson, no, problemReply } from './replies.ts';
import { seed } from './seed.ts';
import { createB2Contents, createState } from './state.ts';
import { createUploads } from './uploads.ts';

const description = readDescription(join(import.meta.dirname, 'description.json'));

export type B2 = Awaited<ReturnType<typeof startB2>>;
type Caps = 'storage' | 'download' | 'transaction';

/**
 * Backblaze B2's native API, version 4: one account with its buckets, keys, versions and parts. As in the real service, the login URL returns
 * separate URLs for calls, downloads and uploads, which accept nothing else.
 */
export async function startB2() {
  const state = createState();
  const contents = createB2Contents();
  const keys = createKeys(state);
  const uploads = createUploads(state, contents);
  const large = createLargeFiles(state, keys, contents, uploads);
  const files = createFiles(state, keys, contents);
  const listings = createListings(state, keys);
  const caps = new Set<Caps>();
  const masterKey = keys.add();

  /** Simulates the owner's spending cap. */
  const capped =
    (cap: Caps, handler: Handler): Handler =>
    (request) => {
      if (caps.has(cap)) throw no(403, `${cap}_cap_exceeded`, 'Cannot proceed, cap exceeded.');
      return handler(request);
    };
  const call = (operation: string) => `POST /b2api/{version}/${operation}`;

  function login(request: SimulatedRequest) {
    const { key, token } = keys.login(request);
    const buckets = key.bucketIds?.map((id) => ({ id, name: state.buckets.get(id)?.name ?? null })) ?? null;
    return {
      json: {
        accountId,
        authorizationToken: token,
        applicationKeyExpirationTimestamp: null,
        apiInfo: {
          storageApi: {
            infoType: 'storageApi',
            apiUrl: request.url('/api005'),
            downloadUrl: request.url('/f005'),
            s3ApiUrl: 'https://s3.us-east-005.backblazeb2.com',
            absoluteMinimumPartSize: smallestPart,
            recommendedPartSize: 100_000_000,
            allowed: { capabilities: key.capabilities, buckets, namePrefix: key.namePrefix === '' ? null : key.namePrefix },
          },
        },
      },
    };
  }

  function listBuckets(request: SimulatedRequest) {
    const asked = request.json<{ readonly bucketId?: string; readonly bucketName?: string }>();
    keys.mayList(request, asked.bucketId, asked.bucketName);
    const found = [...state.buckets.values()].filter(
      ({ id, name }) =>
        (asked.bucketId === undefined || asked.bucketId === id) && (asked.bucketName === undefined || asked.bucketName === name),
    );
    return { json: { buckets: found.map(bucketJson) } };
  }

  function uploadPlace(request: SimulatedRequest) {
    const bucket = keys.bucketFor(request, request.json<{ readonly bucketId: string }>().bucketId);
    return { json: { bucketId: bucket.id, ...uploads.place(request, 'b2_upload_file', { bucket, prefix: keys.prefixOf(request) }) } };
  }

  const simulator = await startSimulator({
    name: 'b2',
    authenticate: keys.authenticate,
    refusal: problemReply,
    mounts: [
      { at: '', description, open: 'all', deep: ['fileName', 'rest'], routes: { 'GET /b2api/{version}/b2_authorize_account': login } },
      {
        at: '/api005',
        description,
        deep: ['fileName', 'rest'],
        scopes: {
          [call('b2_list_buckets')]: ['listBuckets', 'listAllBucketNames'],
          [call('b2_list_file_names')]: ['listFiles'],
          [call('b2_list_file_versions')]: ['listFiles'],
          [call('b2_get_file_info')]: ['readFiles'],
          [call('b2_delete_file_version')]: ['deleteFiles'],
          '*': ['writeFiles'],
        },
        routes: {
          [call('b2_list_buckets')]: capped('transaction', listBuckets),
          [call('b2_list_file_names')]: capped('transaction', listings.names),
          [call('b2_list_file_versions')]: capped('transaction', listings.versions),
          [call('b2_get_file_info')]: files.info,
          [call('b2_hide_file')]: files.hide,
          [call('b2_delete_file_version')]: files.delete,
          [call('b2_copy_file')]: capped('storage', files.copy),
          [call('b2_copy_part')]: capped('storage', large.copyPart),
          [call('b2_get_upload_url')]: uploadPlace,
          [call('b2_start_large_file')]: large.start,
          [call('b2_get_upload_part_url')]: large.place,
          [call('b2_list_parts')]: capped('transaction', large.list),
          [call('b2_finish_large_file')]: large.finish,
          [call('b2_cancel_large_file')]: large.cancel,
        },
      },
      {
        at: '/pod-000-1129',
        description,
        deep: ['fileName', 'rest'],
        open: 'all',
        routes: {
          [call('b2_upload_file/{rest}')]: capped('storage', uploads.file),
          [call('b2_upload_part/{rest}')]: capped('storage', uploads.part),
        },
      },
      {
        at: '/f005',
        description,
        deep: ['fileName', 'rest'],
        scopes: { '*': ['readFiles'] },
        routes: Object.fromEntries(
          ['GET', 'HEAD'].flatMap((method) => [
            [`${method} /file/{bucketName}/{fileName}`, capped('download', files.byName)],
            [`${method} /b2api/{version}/b2_download_file_by_id`, capped('download', files.byId)],
          ]),
        ),
      },
    ],
  });

  return {
    ...simulator,
    simulator,
    state,
    contents,
    masterKey,
    keys,
    uploads,
    caps,
    addKey: (rules: KeyRules) => keys.add(rules),
    createBucket: state.createBucket,
    /** Two buckets with a few files and pictures. */
    seed: () => seed(state, contents),
  };
}
