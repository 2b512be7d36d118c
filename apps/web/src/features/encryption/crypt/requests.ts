import type { NameOptions, Passwords, ShareIndex } from '@sheaf/vault';
import type { Range } from './open-range.ts';
import type { VaultFile } from './streams.ts';

/** What the page asks of the worker that holds the keys, by kind: the question and its answer. */
export interface Requests {
  /** Seals a new vault's passwords; without any, twelve words are made and returned, to be shown once. */
  seal: {
    ask: { passphrase: string; passwords?: Passwords; options: NameOptions };
    answer: { wrapped: string; words: string };
  };
  /** Opens a vault for this page. False for a wrong passphrase or wrong passwords. */
  unlock: { ask: { vaultId: string; wrapped: string; way: Way }; answer: boolean };
  /** Forgets the keys of a vault. */
  lock: { ask: { vaultId: string }; answer: undefined };
  /** Whether a way in is right. */
  opens: { ask: { wrapped: string; way: Way }; answer: boolean };
  /** The passwords, sealed with the output of a passkey; undefined if the way in is wrong. */
  sealForPasskey: { ask: { wrapped: string; way: Way; output: ArrayBuffer }; answer: string | undefined };
  /** Seals the passwords with another passphrase; undefined if the way in is wrong. */
  rewrap: { ask: { wrapped: string; way: Way; passphrase: string }; answer: string | undefined };
  /** The section of rclone's configuration; undefined if the way in is wrong. */
  configuration: { ask: { wrapped: string; way: Way; name: string }; answer: string | undefined };
  /** Clear names; undefined for what is not part of the vault. */
  openNames: { ask: { vaultId: string; names: readonly StoredName[] }; answer: readonly (string | undefined)[] };
  /** The name that the storage sees; undefined for a name that would not come back as it was. */
  sealName: { ask: { vaultId: string; name: string; isFolder: boolean }; answer: string | undefined };
  /**
   * Begins an upload; its nonce (base64) is used for this file and never again. A note of an upload that was begun before a reload is gone on with if
   * the file has the same bytes wherever they were encrypted.
   */
  beginUpload: {
    ask: { vaultId: string; source: File | VaultFile; note?: string };
    answer: { uploadId: number; size: number; nonce: string; goesOn: boolean };
  };
  /** Bytes of the encrypted file, and the note by which a later page goes on; undefined for what is no file of this device. */
  sealRange: { ask: { uploadId: number; start: number; end: number }; answer: { bytes: ArrayBuffer; note: string | undefined } };
  endUpload: { ask: { uploadId: number }; answer: undefined };
  /** Whether passwords open what lies in a folder. */
  prove: { ask: { passwords: Passwords; options: NameOptions; items: readonly FoundItem[] }; answer: Proof };
  /** Base64 of the nonce of a file at the storage, by which its content is known. */
  nonceOf: { ask: { vaultId: string; address: string }; answer: string };
  /** Makes the keys of a share, which the worker knows by `shareId` from then on. The secret belongs into its address; `sealed` is for the owner. */
  newShare: { ask: { vaultId: string; shareId: string; name: string }; answer: { secret: string; sealed: string } };
  /** The shares of a vault as their owner has sealed them; undefined for one of another vault. */
  openShares: { ask: { vaultId: string; sealed: readonly string[] }; answer: readonly (KnownShare | undefined)[] };
  /** Opens a share for a visitor: its index, fetched from that address. Undefined if it is not the secret of this share. */
  openShare: { ask: { shareId: string; secret: string; address: string }; answer: ShareIndex | undefined };
  /** Opens a vault of Cryptomator, whose two files are fetched from these addresses. False for a wrong passphrase. */
  unlockCryptomator: { ask: { vaultId: string; masterkey: string; config: string; passphrase: string }; answer: boolean };
  /** Where the folder of that id lies below the vault. */
  cryptomatorPath: { ask: { vaultId: string; folderId: string }; answer: string };
  /** What lies in the folder of that id, with clear names and sizes; undefined for what is not part of the vault. */
  cryptomatorItems: {
    ask: { vaultId: string; folderId: string; items: readonly SealedItem[] };
    answer: readonly ({ readonly name: string; readonly size: number | undefined } | undefined)[];
  };
  /** Bytes of a clear file: in pieces through the port, each of which is asked for. */
  openRange: {
    ask: Range & { vaultId: string; port: MessagePort };
    answer: undefined;
  };
}

/** What the owner of a share reads of it. */
export interface KnownShare {
  readonly secret: string;
  readonly name: string;
}

/** An item of a vault of Cryptomator. */
export interface SealedItem {
  /** Whole encrypted name. */
  readonly sealed: string;
  /** Name under which it is stored, which may be a shortened one. */
  readonly stored: string;
  /** Of a file, encrypted. */
  readonly size: number | undefined;
}

export interface StoredName {
  readonly name: string;
  readonly isFolder: boolean;
}

export interface FoundItem extends StoredName {
  readonly linkUri: string;
  /** Where its bytes are fetched from. */
  readonly address: string;
  /** Of a file, encrypted. */
  readonly size: number | undefined;
}

export interface Proof {
  /** Whether the first block of a file opens; undefined if there is no file of any vault. */
  readonly content: boolean | undefined;
  /** Names that open and could not without the right passwords and options; undefined where names prove nothing. */
  readonly names: number | undefined;
  /** A folder that may hold more. */
  readonly inner: string | undefined;
}

/**
 * A way into a vault: its passphrase, the passwords of rclone, which are the recovery words of a vault that was made here, or the output of a passkey
 * with what it opens.
 */
export type Way = { readonly passphrase: string } | { readonly output: ArrayBuffer; readonly sealed: string } | Passwords;

export type Kind = keyof Requests;
export type Question = { [K in Kind]: { readonly id: number; readonly kind: K; readonly ask: Requests[K]['ask'] } }[Kind];
export interface Answer {
  readonly id: number;
  readonly answer?: unknown;
  /** What failed, as a code: `locked`, `unreadable`, or the damage of a file. */
  readonly failure?: string;
}
