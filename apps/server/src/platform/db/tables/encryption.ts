import type { Generated } from 'kysely';

/** Folders whose contents are encrypted. Times are epoch seconds, booleans are 0 or 1. */
export interface EncryptionTables {
  encryption_folder: {
    id: string;
    accountId: string;
    name: string;
    /** The link that holds the encrypted files; once it is unlinked, its folders are no longer listed. */
    linkId: string;
    /** The folder in that link. */
    path: string;
    createdAt: number;
    /** Passwords sealed by a browser; null in rows that no browser has made. */
    wrapped: string | null;
    /** JSON of the vault's options, for programs; browsers use their sealed copy. */
    options: string | null;
    /** Whether members of Spaces in which the folder lies get the sealed passwords. */
    forMembers: Generated<number>;
  };
  /** Passkeys that unlock a vault. */
  vaultPasskey: {
    id: string;
    vaultId: string;
    name: string;
    /** JSON of what browsers ask the passkey for, and of the passwords that its answer opens. */
    sealed: string;
    createdAt: number;
  };
  /** An account's settings; an account without a row has the defaults. */
  encryption_setting: {
    accountId: string;
    /** Whether the encryption root is shown among the links. */
    rootView: number;
  };
}
