import type { NameOptions, Passwords } from '@sheaf/vault';

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
  /** Seals the passwords with another passphrase; undefined if the way in is wrong. */
  rewrap: { ask: { wrapped: string; way: Way; passphrase: string }; answer: string | undefined };
  /** The section of rclone's configuration; undefined if the way in is wrong. */
  configuration: { ask: { wrapped: string; way: Way; name: string }; answer: string | undefined };
  /** Clear names; undefined for what is not part of the vault. */
  openNames: { ask: { vaultId: string; names: readonly StoredName[] }; answer: readonly (string | undefined)[] };
  /** The name that the storage sees; undefined for a name that would not come back as it was. */
  sealName: { ask: { vaultId: string; name: string; isFolder: boolean }; answer: string | undefined };
  /** Begins an upload; its nonce (base64) is used for this file and never again. */
  beginUpload: { ask: { vaultId: string; file: File }; answer: { uploadId: number; size: number; nonce: string } };
  /** Bytes of the encrypted file. */
  sealRange: { ask: { uploadId: number; start: number; end: number }; answer: ArrayBuffer };
  endUpload: { ask: { uploadId: number }; answer: undefined };
  /** Whether passwords open what lies in a folder. */
  prove: { ask: { passwords: Passwords; options: NameOptions; items: readonly FoundItem[] }; answer: Proof };
  /** Base64 of the nonce of a file at the storage, by which its content is known. */
  nonceOf: { ask: { vaultId: string; linkUri: string }; answer: string };
  /** Bytes of a clear file: in pieces through the port, each of which is asked for. */
  openRange: {
    ask: { vaultId: string; linkUri: string; size: number; start: number; end: number; nonce?: string; port: MessagePort };
    answer: undefined;
  };
}

export interface StoredName {
  readonly name: string;
  readonly isFolder: boolean;
}

export interface FoundItem extends StoredName {
  readonly linkUri: string;
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

/** A way into a vault: its passphrase, or the passwords of rclone, which are the recovery words of a vault that was made here. */
export type Way = { readonly passphrase: string } | Passwords;

export type Kind = keyof Requests;
export type Question = { [K in Kind]: { readonly id: number; readonly kind: K; readonly ask: Requests[K]['ask'] } }[Kind];
export interface Answer {
  readonly id: number;
  readonly answer?: unknown;
  /** What failed, as a code: `locked`, `unreadable`, or the damage of a file. */
  readonly failure?: string;
}
