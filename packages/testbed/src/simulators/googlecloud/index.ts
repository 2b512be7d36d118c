import { generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import { type GoogleClient, type ServiceAccount, createGoogleOAuth, mountGoogleOAuth } from '../google/authorization.ts';
import { problemReply } from '../google/refusals.ts';
import { createUploads } from '../google/uploads.ts';
import {
  type Account,
  type OAuth,
  type Simulator,
  crc32c,
  createContents,
  nodeHash,
  readDescription,
  startSimulator,
} from '../kit/index.ts';
import { smallJpeg } from '../kit/picture.ts';
import { createHandlers } from './handlers.ts';
import { type Bucket, createObjectTable } from './objects.ts';

const scope = (name: string): string => `https://www.googleapis.com/auth/devstorage.${name}`;
const writing = ['read_write', 'full_control'].map(scope);
const reading = [...writing, scope('read_only')];

const defaultAccounts: readonly Account[] = [
  { id: '11750000000000000001', email: 'mara@example.org', name: 'Mara' },
  { id: '11750000000000000002', email: 'theo@example.org', name: 'Theo' },
];

interface Options {
  readonly client: GoogleClient;
  readonly accounts?: readonly Account[];
  /** Whether there is a bucket `mara-files` with a few objects, and an empty one `mara-versions` that keeps versions. Default: true. */
  readonly seeded?: boolean;
}

export interface GoogleCloud extends Simulator {
  readonly oauth: OAuth;
  readonly buckets: ReadonlyMap<string, Bucket>;
  /** Creates a bucket; everybody may use it by default. A `versioned` one keeps what is replaced and deleted. */
  addBucket(name: string, members?: readonly string[], facts?: { readonly versioned?: boolean }): Bucket;
  /** Adds an object as another program would. */
  putObject(bucket: string, name: string, bytes: string | Uint8Array, facts?: { contentEncoding?: string; isComposed?: boolean }): void;
  /** The key file of a service account with access to every bucket. */
  readonly serviceAccountKey: string;
  readonly uploads: Pick<ReturnType<typeof createUploads>, 'damage' | 'forget' | 'keepOnly' | 'openSessions' | 'repeated'>;
  /** Sets the bytes copied per call of a rewrite. */
  rewritePerCall(bytes: number): void;
  /** Operator settings that point Sheaf here. */
  readonly app: Readonly<Record<'apiUrl' | 'authUrl' | 'clientId' | 'clientSecret' | 'tokenUrl', string>>;
}

/** Creates a service account and its key file. */
function makeServiceAccount(): { readonly account: ServiceAccount; readonly file: string } {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const account = {
    id: '103900000000000000001',
    email: 'backup@simulated.iam.gserviceaccount.com',
    name: 'backup',
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    keyId: 'simulatedkey',
  };
  const file = {
    type: 'service_account',
    project_id: 'simulated',
    private_key_id: account.keyId,
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    client_email: account.email,
    client_id: account.id,
    token_uri: 'https://oauth2.googleapis.com/token',
  };
  return { account, file: JSON.stringify(file) };
}

/** Starts Google's authorization server and Cloud Storage's JSON API. */
export async function startGoogleCloud({ client, accounts = defaultAccounts, seeded = true }: Options): Promise<GoogleCloud> {
  const contents = createContents({ hashes: { md5: nodeHash('md5', 'base64'), crc32c }, keepUpTo: 64 * 1024 * 1024 });
  const uploads = createUploads(contents);
  const buckets = new Map<string, Bucket>();
  const service = makeServiceAccount();
  const everybody = [...accounts, service.account].map(({ email }) => email);
  const manners = { rewritePerCall: 1024 ** 3 };
  const started: { url?: string } = {};

  const addBucket: GoogleCloud['addBucket'] = (name, members = everybody, { versioned = false } = {}) => {
    const bucket = { name, members, versioned, objects: createObjectTable(versioned) };
    buckets.set(name, bucket);
    return bucket;
  };
  const putObject: GoogleCloud['putObject'] = (bucket, name, bytes, { contentEncoding, isComposed = false } = {}) => {
    const content = contents.of(bytes);
    const contentType = name.endsWith('.jpg') ? 'image/jpeg' : 'text/plain';
    const facts = { contentType, metadata: {}, generation: String(Date.now() * 1000), created: Date.now(), isComposed };
    buckets.get(bucket)?.objects.set({ name, content, ...facts, ...(contentEncoding !== undefined && { contentEncoding }) });
  };
  if (seeded) {
    addBucket('mara-files');
    addBucket('mara-versions', everybody, { versioned: true });
    putObject('mara-files', 'readme.txt', 'Everything in this bucket was made up.\n');
    putObject('mara-files', 'photos/evening.jpg', smallJpeg);
    putObject('mara-files', 'photos/2026/hill.jpg', smallJpeg);
    putObject('mara-files', 'plans/notes.txt', 'Paint the fence. Call the plumber.\n');
  }

  const oauth = createGoogleOAuth({
    client,
    accounts,
    scopes: [...reading, 'openid', 'email', 'profile'],
    serviceAccounts: [service.account],
    tokenUrl: () => `${started.url ?? ''}/oauth2/token`,
  });
  const session = '/upload/storage/v1/b/{bucket}/o';
  const simulator = await startSimulator({
    name: 'Google Cloud Storage',
    authenticate: oauth.authenticate,
    refusal: problemReply,
    mounts: [
      mountGoogleOAuth(oauth),
      {
        at: '',
        description: readDescription(join(import.meta.dirname, 'description.json')),
        // The URL of an upload session is a credential in itself.
        open: [`PUT ${session}`, `DELETE ${session}`],
        scopes: {
          '*': writing,
          'GET /storage/v1/b/{bucket}': reading,
          'GET /storage/v1/b/{bucket}/o': reading,
          'GET /storage/v1/b/{bucket}/o/{object}': reading,
        },
        routes: createHandlers({ buckets, uploads, manners }),
      },
    ],
  });
  const { url } = simulator;
  started.url = url;
  return {
    ...simulator,
    oauth,
    buckets,
    addBucket,
    putObject,
    uploads,
    serviceAccountKey: service.file,
    rewritePerCall: (bytes) => void (manners.rewritePerCall = bytes),
    app: { apiUrl: url, authUrl: `${url}/oauth2/auth`, tokenUrl: `${url}/oauth2/token`, clientId: client.id, clientSecret: client.secret },
  };
}
