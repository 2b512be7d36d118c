/** Uploads that clients continue after an interruption. Times are epoch milliseconds. */
export interface UploadTables {
  upload: {
    id: string;
    accountId: string;
    parentLinkUri: string;
    /** The name in the folder, as chosen when the upload began. */
    name: string;
    conflict: 'fail' | 'replace' | 'rename';
    /** Bytes. */
    size: number;
    /** Of the client's file. */
    modified: number | null;
    /** The client's Upload-Metadata header, to be given back as it came. */
    metadata: string;
    /** The sealed session at the storage; null where the file is stored whole. */
    session: string | null;
    /** JSON of what the storage has confirmed. */
    parts: string | null;
    /** Bytes from the beginning that the storage has confirmed. */
    position: number;
    /** Incremented by each process that takes the upload on: what an earlier one writes afterwards counts no more. */
    run: number;
    createdAt: number;
    expiresAt: number;
    doneAt: number | null;
    /** The share whose visitor uploads; null for the account's own uploads. */
    weblinkId: string | null;
    /** A MAC of the visitor's network: no address of a visitor is stored. */
    visitor: string | null;
    /** By which the file that it has replaced comes back; null where it replaced none, or none that is kept. */
    undoId: string | null;
  };
}
