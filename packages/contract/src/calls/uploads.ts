import { type Static, Type } from 'typebox';
import { call } from '../call.ts';

/**
 * Uploads that survive interruptions, by the tus protocol 1.0 (https://tus.io/protocols/resumable-upload): `POST` to the path begins one, its `Location` is
 * this path and the upload's id. Upload-Metadata: `parentLinkUri`, `name` (or `filename`), `conflict` (fail, replace, rename), `modified` (epoch ms), `undoId` (for files that are undone together).
 */
export const tus = {
  path: '/rest/content/uploads',
  version: '1.0.0',
  extensions: ['creation', 'termination', 'expiration', 'checksum'],
  checksums: ['sha1', 'sha256', 'md5'],
  bodyType: 'application/offset+octet-stream',
  /** Our addition to tus: a request that ends at a multiple of this many bytes ends with bytes that the storage has confirmed. Absent if the storage cannot resume uploads. */
  partSizeHeader: 'Sheaf-Part-Size',
  /** In the answer that completes an upload, if it replaced a file that can be restored. */
  undoIdHeader: 'Sheaf-Undo-Id',
} as const;

/** An unfinished upload. */
export const UnfinishedUpload = Type.Object({
  uploadId: Type.String(),
  parentLinkUri: Type.String(),
  name: Type.String(),
  size: Type.Integer(),
  /** Offset up to which the storage has confirmed bytes. */
  position: Type.Integer(),
  /** Modification time of the client's file, epoch milliseconds. */
  modified: Type.Optional(Type.Integer()),
  createdAt: Type.Integer(),
  /** Epoch milliseconds after which the upload can no longer be resumed. */
  expiresAt: Type.Integer(),
});
export type UnfinishedUpload = Static<typeof UnfinishedUpload>;

export const listUploads = call({
  method: 'GET',
  path: tus.path,
  input: Type.Object({}),
  reply: Type.Object({ uploads: Type.Array(UnfinishedUpload) }),
  summary: 'Uploads that have begun and can be continued (tus 1.0 under the same path).',
});
