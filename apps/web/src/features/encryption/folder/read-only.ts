import type { VaultFile } from '../crypt/streams.ts';

/** A file that can be previewed and downloaded. */
export interface ReadOnlyFile {
  readonly name: string;
  /** Epoch seconds. */
  readonly modified: number | undefined;
  /** Changes with its content. */
  readonly stamp: string;
  /** The file to preview, and the file to download: a share counts and limits them separately. Undefined for a damaged file. */
  readonly seen: VaultFile | undefined;
  readonly saved: VaultFile | undefined;
}

export interface ReadOnlyFolder {
  /** Its position, as in page addresses; empty for the root. */
  readonly position: string;
  readonly name: string;
}

/** A folder with its contents. */
export interface OpenFolder extends ReadOnlyFolder {
  readonly above: readonly ReadOnlyFolder[];
  readonly folders: readonly ReadOnlyFolder[];
  readonly files: readonly ReadOnlyFile[];
}

const order = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });
export const byName = (a: { readonly name: string }, b: { readonly name: string }): number => order.compare(a.name, b.name);
