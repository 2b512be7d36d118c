import type { NameOptions, Passwords, ShareIndex } from '@sheaf/vault';
import type { Range } from './open-range.ts';
import type { VaultFile } from './streams.ts';

/** Requests of the page to the worker that holds the keys, with their answers, by kind. */
export interface Requests {
  /** Seals the passwords of a new vault. Without passwords, twelve words are generated and returned, to be shown once. */
  seal: {
    ask: { passphrase: string; passwords?: Passwords; options: NameOptions };
    answer: { wrapped: string; words: string };
  };
  /** Unlocks a vault for this page. False for a wrong passphrase or wrong passwords. */
  unlock: { ask: { vaultId: string; wrapped: string; way: Way }; answer: boolean };
  /** Forgets the keys of a vault. */
  lock: { ask: { vaultId: string }; answer: undefined };
  /** Whether a way to unlock works. */
  opens: { ask: { wrapped: string; way: Way }; answer: boolean };
  /** Seals the passwords with the `prf` output of a passkey; undefined if `way` is wrong. */
  sealForPasskey: { ask: { wrapped: string; way: Way; output: ArrayBuffer }; answer: string | undefined };
  /** Seals the passwords with a new passphrase; undefined if `way` is wrong. */
  rewrap: { ask: { wrapped: string; way: Way; passphrase: string }; answer: string | undefined };
  /** Writes the section for rclone's configuration; undefined if `way` is wrong. */
  configuration: { ask: { wrapped: string; way: Way; name: string; remote: string }; answer: string | undefined };
  /** Decrypts names; undefined for a name that is not part of the vault. */
  openNames: { ask: { vaultId: string; names: readonly StoredName[] }; answer: readonly (string | undefined)[] };
  /** Encrypts a name; undefined for a name that would not decrypt to itself. */
  sealName: { ask: { vaultId: string; name: string; isFolder: boolean }; answer: string | undefined };
  /**
   * Begins an upload; its nonce (base64) is used for this file only. With the note of an upload that a reload interrupted, resumes that upload if all
   * bytes encrypted so far are unchanged in the file.
   */
  beginUpload: {
    ask: { vaultId: string; source: File | VaultFile; note?: string };
    answer: { uploadId: number; size: number; nonce: string; goesOn: boolean };
  };
  /**
   * Writes bytes of the encrypted file to the beginning of the buffer, which is transferred to the worker and back. A later page resumes with the note;
   * undefined if the source is not a file of this device.
   */
  sealRange: {
    ask: { uploadId: number; start: number; end: number; room: ArrayBuffer };
    answer: { room: ArrayBuffer; note: string | undefined };
  };
  endUpload: { ask: { uploadId: number }; answer: undefined };
  /** Tries passwords on the items of a folder. */
  prove: { ask: { passwords: Passwords; options: NameOptions; items: readonly FoundItem[] }; answer: Proof };
  /** Fetches the nonce (base64) of a stored file, which identifies its content. */
  nonceOf: { ask: { vaultId: string; address: string }; answer: string };
  /** Creates the keys of a share; later requests refer to them by `shareId`. The secret goes into the address of the share; `sealed` is for the owner. */
  newShare: { ask: { vaultId: string; shareId: string; name: string }; answer: { secret: string; sealed: string } };
  /** Opens the owner's sealed records of shares; undefined for a share of another vault. */
  openShares: { ask: { vaultId: string; sealed: readonly string[] }; answer: readonly (KnownShare | undefined)[] };
  /** Opens a share for a visitor, and returns its index, fetched from `address`. Undefined for a wrong secret. */
  openShare: { ask: { shareId: string; secret: string; address: string }; answer: ShareIndex | undefined };
  /** Unlocks a Cryptomator vault; its two files are fetched from these addresses. False for a wrong passphrase. */
  unlockCryptomator: { ask: { vaultId: string; masterkey: string; config: string; passphrase: string }; answer: boolean };
  /** Path, relative to the vault, of the folder with that id. */
  cryptomatorPath: { ask: { vaultId: string; folderId: string }; answer: string };
  /** Decrypts names and sizes of the items of the folder with that id; undefined for an item that is not part of the vault. */
  cryptomatorItems: {
    ask: { vaultId: string; folderId: string; items: readonly SealedItem[] };
    answer: readonly ({ readonly name: string; readonly size: number | undefined } | undefined)[];
  };
  /** Streams a range of a clear file through the port; the reader requests each piece. */
  openRange: {
    ask: Range & { vaultId: string; port: MessagePort };
    answer: undefined;
  };
}

/** A share, as its owner sees it. */
export interface KnownShare {
  readonly secret: string;
  readonly name: string;
}

/** An encrypted item of a Cryptomator vault. */
export interface SealedItem {
  /** Full encrypted name. */
  readonly sealed: string;
  /** Stored name, which may be shortened. */
  readonly stored: string;
  /** Encrypted size of a file, in bytes; undefined for a folder. */
  readonly size: number | undefined;
}

export interface StoredName {
  readonly name: string;
  readonly isFolder: boolean;
}

export interface FoundItem extends StoredName {
  readonly linkUri: string;
  /** Address of its encrypted bytes. */
  readonly address: string;
  /** Encrypted size of a file, in bytes; undefined for a folder. */
  readonly size: number | undefined;
}

export interface Proof {
  /** Whether the first block of a file decrypts; undefined if no file of a vault was found. */
  readonly content: boolean | undefined;
  /** Number of names that decrypt, which takes the right passwords and options; undefined if names prove nothing. */
  readonly names: number | undefined;
  /** A subfolder in which to look further. */
  readonly inner: string | undefined;
}

/**
 * A way to unlock a vault: its passphrase, the rclone passwords (for a vault created here, its recovery words), or the `prf` output of a passkey with
 * the passwords that it opens.
 */
export type Way = { readonly passphrase: string } | { readonly output: ArrayBuffer; readonly sealed: string } | Passwords;

export type Kind = keyof Requests;
export type Question = { [K in Kind]: { readonly id: number; readonly kind: K; readonly ask: Requests[K]['ask'] } }[Kind];
export interface Answer {
  readonly id: number;
  readonly answer?: unknown;
  /** Failure code: `locked`, `unreadable`, or the damage of a file. */
  readonly failure?: string;
}
