import { type ManifestPart, type ManifestRecord, newManifestName } from '@sheaf/vault';

/** A folder of an open vault, by its stored address. */
export interface Place {
  readonly vaultId: string;
  readonly rootUri: string;
  readonly linkUri: string;
}

/** The part of a folder's manifest that this page writes. */
export interface OwnPart {
  readonly name: string;
  /** Encrypted name; undefined until it is written. */
  sealed: string | undefined;
  /** Id of the folder, once it is known. */
  folder: string | undefined;
  readonly records: Map<string, ManifestRecord>;
  isDirty: boolean;
  writing: Promise<void> | undefined;
}

/** Holds clear names, so it is cleared together with the listings. */
const parts = new Map<string, OwnPart>();
const keyOf = ({ vaultId, linkUri }: Place): string => `${vaultId}\n${linkUri}`;

export const knownPart = (place: Place): OwnPart | undefined => parts.get(keyOf(place));

export function ownPart(place: Place): OwnPart {
  const known = knownPart(place);
  if (known) return known;
  const part = {
    name: newManifestName(),
    sealed: undefined,
    folder: undefined,
    records: new Map(),
    isDirty: false,
    writing: undefined,
  };
  parts.set(keyOf(place), part);
  return part;
}

/** The records that this page has made of a folder, as a part; undefined if there are none. */
export function recordedHere(place: Place): ManifestPart | undefined {
  const part = knownPart(place);
  return part && part.records.size > 0 ? { folder: part.folder ?? '', records: [...part.records.values()] } : undefined;
}

export function forgetParts(vaultId: string): void {
  for (const key of parts.keys()) if (key.startsWith(`${vaultId}\n`)) parts.delete(key);
}
