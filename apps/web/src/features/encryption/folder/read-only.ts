import type { VaultFile } from '../crypt/streams.ts';

/** A file that can be looked at and saved. */
export interface ReadOnlyFile {
  readonly name: string;
  /** Epoch seconds. */
  readonly modified: number | undefined;
  /** Changes with its content. */
  readonly stamp: string;
  /** To be looked at, and to be saved: a share counts and refuses both as its owner chose. Undefined for one that is damaged. */
  readonly seen: VaultFile | undefined;
  readonly saved: VaultFile | undefined;
}

export interface ReadOnlyFolder {
  /** What an address holds of it; empty for the uppermost one. */
  readonly position: string;
  readonly name: string;
}

/** A folder with what is in it. */
export interface OpenFolder extends ReadOnlyFolder {
  readonly above: readonly ReadOnlyFolder[];
  readonly folders: readonly ReadOnlyFolder[];
  readonly files: readonly ReadOnlyFile[];
}

const order = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });
export const byName = (a: { readonly name: string }, b: { readonly name: string }): number => order.compare(a.name, b.name);
