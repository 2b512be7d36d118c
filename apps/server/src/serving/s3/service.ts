import type { Listings } from '#/files/listings/service.ts';
import { S3Error } from './errors.ts';
import { listBuckets, listObjects } from './listing/list.ts';
import type { Multipart } from './multipart/service.ts';
import { copyObject } from './objects/copying.ts';
import type { Folders } from './objects/folders.ts';
import type { ObjectMemory } from './objects/memory.ts';
import { fileAt, readObject } from './objects/reading.ts';
import { deleteObject, deleteObjects } from './objects/removing.ts';
import { putObject } from './objects/writing.ts';
import { type S3Answer, type S3Request, openBucket, openObject } from './request.ts';
import { documentOf, element, group } from './xml.ts';

interface Deps {
  readonly listings: Listings;
  readonly memory: ObjectMemory;
  readonly folders: Folders;
  readonly multipart: Multipart;
}

/** The region that clients are told. Signatures may name any region. */
const region = 'us-east-1';
/** Calls of S3 that are not offered, by the name in the query. */
const absent = [
  'accelerate',
  'analytics',
  'attributes',
  'cors',
  'encryption',
  'intelligent-tiering',
  'inventory',
  'legal-hold',
  'lifecycle',
  'logging',
  'metrics',
  'notification',
  'object-lock',
  'ownershipControls',
  'policy',
  'policyStatus',
  'publicAccessBlock',
  'replication',
  'requestPayment',
  'restore',
  'retention',
  'select',
  'torrent',
  'versions',
  'website',
];
/** Query parameters of requests about a bucket: they distinguish the bucket of all links from the list of buckets. */
const ofBucket = [
  'acl',
  'delete',
  'delimiter',
  'encoding-type',
  'list-type',
  'location',
  'marker',
  'max-keys',
  'prefix',
  'uploads',
  'versioning',
];

export type S3 = ReturnType<typeof createS3>;

/** S3 over the links and Spaces of an account: each is a bucket. Throws S3Error and AppError. */
export function createS3(deps: Deps) {
  const { memory, multipart } = deps;

  async function onBucket(request: S3Request): Promise<S3Answer> {
    const { method, address, query, window } = request;
    const { bucket } = address;
    if (bucket !== undefined) await openBucket(window, bucket);
    switch (method) {
      case 'HEAD':
        return { status: 200, headers: { 'x-amz-bucket-region': region } };
      case 'GET':
        if (bucket === undefined && !ofBucket.some((name) => query.has(name))) return listBuckets(request);
        // S3 answers an empty element for `us-east-1`.
        if (query.has('location')) return { status: 200, body: documentOf('LocationConstraint') };
        if (query.has('versioning')) return { status: 200, body: documentOf('VersioningConfiguration') };
        if (query.has('acl')) return { status: 200, body: ownerOnly(request) };
        if (query.has('uploads')) return multipart.listUploads(request);
        return listObjects(deps, request);
      case 'POST':
        if (query.has('delete')) return deleteObjects(memory, request);
        throw new S3Error('MethodNotAllowed');
      case 'PUT':
        if (!['acl', 'versioning', 'tagging'].some((name) => query.has(name))) {
          // Clients make a bucket before they write to it, although it may exist.
          await request.text();
          return { status: 200, headers: { location: `/${bucket ?? ''}` } };
        }
        throw new S3Error('NotImplemented');
      default:
        throw new S3Error('AccessDenied', 'Buckets are links. They are added and removed in Sheaf.');
    }
  }

  async function onObject(request: S3Request): Promise<S3Answer> {
    const { method, address, query, headers, window, signal } = request;
    const isPart = query.has('uploadId');
    switch (method) {
      case 'GET':
      case 'HEAD':
        if (isPart) return multipart.listParts(request);
        if (query.has('acl') || query.has('tagging')) {
          const target = await openObject(window, address);
          if (!target.isFolder) await fileAt(target, signal);
          return { status: 200, body: query.has('acl') ? ownerOnly(request) : documentOf('Tagging', group('TagSet')) };
        }
        return readObject(memory, request);
      case 'PUT':
        if (query.has('acl') || query.has('tagging')) throw new S3Error('NotImplemented');
        if (isPart) return multipart.putPart(request);
        return headers['x-amz-copy-source'] === undefined ? putObject(deps, request) : copyObject(deps, request);
      case 'POST':
        if (query.has('uploads')) return multipart.begin(request);
        if (isPart) return multipart.complete(request);
        throw new S3Error('MethodNotAllowed');
      case 'DELETE':
        if (query.has('tagging')) throw new S3Error('NotImplemented');
        return isPart ? multipart.abort(request) : deleteObject(memory, request);
      default:
        throw new S3Error('MethodNotAllowed');
    }
  }

  return {
    async handle(request: S3Request): Promise<S3Answer> {
      const missing = absent.find((name) => request.query.has(name));
      if (missing !== undefined) throw new S3Error('NotImplemented', `Sheaf has no ${missing}.`);
      const version = request.query.get('versionId');
      if (version !== null && version !== 'null') throw new S3Error('NotImplemented', 'Sheaf has no versions.');
      return request.address.key === undefined ? onBucket(request) : onObject(request);
    },
    async sweep(): Promise<void> {
      await memory.sweep();
      await multipart.sweep();
    },
  };
}

/** The same access control list for every bucket and object. */
function ownerOnly({ window }: S3Request): string {
  const owner = [element('ID', window.program.accountId), element('DisplayName', '')];
  const grantee = `<Grantee xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="CanonicalUser">${owner.join('')}</Grantee>`;
  const grant = group('Grant', grantee, element('Permission', 'FULL_CONTROL'));
  return documentOf('AccessControlPolicy', group('Owner', ...owner), group('AccessControlList', grant));
}
