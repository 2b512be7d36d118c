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
  /** Answered besides what tus defines: a request that ends at a multiple of so many bytes ends with bytes that the storage has confirmed. Absent where the storage cannot continue an upload. */
  partSizeHeader: 'Sheaf-Part-Size',
  /** Answered once the file is stored, where it has replaced another one that can be brought back. */
  undoIdHeader: 'Sheaf-Undo-Id',
} as const;

/** An upload that has begun and not ended. */
export const UnfinishedUpload = Type.Object({
  uploadId: Type.String(),
  parentLinkUri: Type.String(),
  name: Type.String(),
  size: Type.Integer(),
  /** Bytes from the beginning that the storage has confirmed. */
  position: Type.Integer(),
  /** Epoch milliseconds of the client's file. */
  modified: Type.Optional(Type.Integer()),
  createdAt: Type.Integer(),
  /** Epoch milliseconds; whoever does not continue before begins again. */
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
