import type { Readable } from 'node:stream';
import { type NumberedUpload, type NumberedUploads, numberedUploadsOf } from '@sheaf/connectors';
import type { Put } from '#/files/bodies/files.ts';
import { mediaTypeOf } from '#/files/items/media-type.ts';
import type { OpenItem } from '#/files/items/open-item.ts';
import type { Vault } from '#/secrets/vault.ts';
import { S3Error } from '../errors.ts';
import { isCode } from '../objects/folders.ts';
import type { PartRow, UploadRow } from './store.ts';

/** What is sealed in the row of an upload. */
interface Session {
  readonly session: string;
  /** Least bytes of a part that is not the last one. */
  readonly smallest: number;
}

const sealedAt = (id: string) => ({ table: 's3_upload', recordId: id, field: 'session' });

/** Seconds by which the clocks of a storage and of Sheaf may differ. */
const clockSkew = 300;

/** Uploads in parts at storages that take parts of any size in any order themselves. */
export function createNative(vault: Vault) {
  const sessionOf = ({ id, session }: UploadRow): Session | undefined =>
    session === null ? undefined : (JSON.parse(vault.open(sealedAt(id), session)) as Session);

  function partsAt(item: Pick<OpenItem, 'connector'>, upload: UploadRow): { readonly uploads: NumberedUploads; readonly session: Session } {
    const session = sessionOf(upload);
    const uploads = numberedUploadsOf(item.connector);
    if (!session || !uploads) throw new S3Error('NoSuchUpload');
    return { uploads, session };
  }

  return {
    /** Begins an upload at the storage; undefined where it has no such parts. Call `kept` when the session is stored. */
    async begin(
      { connector }: OpenItem,
      path: string,
      id: string,
      ask: { readonly signal: AbortSignal; readonly modified?: number },
    ): Promise<{ readonly session: string; kept: NumberedUpload['kept'] } | undefined> {
      const uploads = numberedUploadsOf(connector);
      if (!uploads) return undefined;
      try {
        const begun = await uploads.beginNumbered(path, { ...ask, ifExists: 'replace', mimeType: mediaTypeOf(path) });
        const session: Session = { session: begun.session, smallest: begun.smallest };
        return { session: vault.seal(sealedAt(id), JSON.stringify(session)), kept: begun.kept };
      } catch (error) {
        if (isCode(error, 'SOURCE_CANNOT')) return undefined;
        throw error;
      }
    },

    /** Sends a part of at least one byte; returns what the storage confirmed it with. */
    async send(
      item: OpenItem,
      upload: UploadRow,
      { body, ...part }: { readonly number: number; readonly size: number; readonly body: Readable },
      signal: AbortSignal,
    ): Promise<string> {
      const { uploads, session } = partsAt(item, upload);
      return uploads.sendNumbered(upload.path, body, { signal, session: session.session, ...part });
    },

    /** Makes the file of the parts. Throws EntityTooSmall before anything is changed. */
    assemble(
      item: OpenItem,
      upload: UploadRow,
      parts: readonly PartRow[],
      { etag, size }: { readonly etag: string; readonly size: number },
    ): Put {
      const { session } = partsAt(item, upload);
      const sent = parts.filter((part) => part.size > 0);
      if (sent.slice(0, -1).some((part) => part.size < session.smallest)) throw new S3Error('EntityTooSmall');
      return async (connector, path, ask) => {
        const uploads = numberedUploadsOf(connector);
        if (!uploads) throw new S3Error('NoSuchUpload');
        const named = sent.map(({ number, size: bytes, receipt }) => ({ number, size: bytes, receipt: receipt ?? '' }));
        try {
          return (await uploads.finishNumbered(path, { ...ask, size, session: session.session, parts: named })).entry;
        } catch (error) {
          if (!isCode(error, 'ITEM_NOT_FOUND')) throw error;
          // An earlier request may have made the object, and been ended before it noted that.
          const made = await connector.stat(path, { signal: ask.signal });
          const isOther = /^[\da-f]{32}-\d+$/.test(made.etag ?? '') && made.etag !== etag;
          const isOlder = made.modified !== undefined && ask.modified === undefined && made.modified < upload.createdAt - clockSkew;
          if (made.size !== size || isOther || isOlder) throw new S3Error('NoSuchUpload', undefined, error);
          return made;
        }
      };
    },

    /** Removes what the storage has of the upload. */
    async abandon(connector: OpenItem['connector'], upload: UploadRow, signal: AbortSignal): Promise<void> {
      const session = sessionOf(upload);
      const uploads = numberedUploadsOf(connector);
      if (session && uploads) await uploads.abandonNumbered(upload.path, { signal, session: session.session });
    },
  };
}
export type NativeParts = ReturnType<typeof createNative>;
