import { type ManifestPart, type ManifestRecord } from './format.ts';

/** The merged records of a folder. */
export interface Manifest {
  readonly files: ReadonlyMap<string, { readonly nonce: string; readonly size: number; readonly at: number }>;
  /** Ids of its subfolders, by name. */
  readonly folders: ReadonlyMap<string, string>;
  /** Number of parts that belong to another folder: the storage, or another program, moved or swapped folders. */
  readonly strays: number;
}

/** Merges the parts of a folder. `id`: id of the folder; undefined if no parent records it, and then parts of any id count. */
export function mergeParts(parts: readonly ManifestPart[], id: string | undefined): Manifest {
  const newest = new Map<string, ManifestRecord>();
  const own = parts.filter(({ folder }) => id === undefined || folder === id);
  for (const record of own.flatMap(({ records }) => records)) {
    const known = newest.get(record.name);
    if (!known || record.at >= known.at) newest.set(record.name, record);
  }
  const files = new Map<string, { nonce: string; size: number; at: number }>();
  const folders = new Map<string, string>();
  for (const { name, at, nonce, size, folder } of newest.values()) {
    if (nonce !== undefined && size !== undefined) files.set(name, { nonce, size, at });
    if (folder !== undefined) folders.set(name, folder);
  }
  return { files, folders, strays: parts.length - own.length };
}

/**
 * `proven`: this content was written under this name, and is complete. `cut`: its end is missing. `swapped`: it is the content of another file of the
 * folder. `changed`: not the recorded content, but one by another program or an older one. `unrecorded`: the name has no record.
 */
export type Verdict =
  | { readonly kind: 'proven' | 'changed' | 'unrecorded' }
  | { readonly kind: 'cut'; readonly recorded: number }
  | { readonly kind: 'swapped'; readonly as: string };

/** Judges a file by its nonce (base64) and its clear size in bytes. Only content with a recorded nonce can be wrong; other content is unproven. */
export function judgeFile({ files }: Manifest, name: string, nonce: string, size: number | undefined): Verdict {
  const record = files.get(name);
  if (record?.nonce === nonce) return record.size === size ? { kind: 'proven' } : { kind: 'cut', recorded: record.size };
  for (const [other, { nonce: known }] of files) if (known === nonce) return { kind: 'swapped', as: other };
  return { kind: record ? 'changed' : 'unrecorded' };
}

/** Judgement from a listing alone, without reading the file: whether its size is the recorded one. */
export type Glance = 'recorded' | 'otherSize' | 'unrecorded';
export function glanceAt({ files }: Manifest, name: string, size: number | undefined): Glance {
  const record = files.get(name);
  if (!record) return 'unrecorded';
  return record.size === size ? 'recorded' : 'otherSize';
}
