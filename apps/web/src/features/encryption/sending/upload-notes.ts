/**
 * What is stored of an upload, to resume it after a reload: its id at the server, and a note that only the open vault can read. Names are stored
 * encrypted.
 */
interface Kept {
  readonly tusId: string;
  readonly note: string;
}

const prefix = 'sheaf-vault-upload ';

/** Target of an upload: a folder and an encrypted name. */
export interface UploadPlace {
  readonly vaultId: string;
  readonly parentLinkUri: string;
  readonly name: string;
}
const keyOf = ({ vaultId, parentLinkUri, name }: UploadPlace): string => `${prefix}${JSON.stringify([vaultId, parentLinkUri, name])}`;

export function keptUpload(place: UploadPlace): Kept | undefined {
  const text = localStorage.getItem(keyOf(place));
  if (text === null) return undefined;
  const value = JSON.parse(text) as Partial<Kept>;
  return typeof value.tusId === 'string' && typeof value.note === 'string' ? { tusId: value.tusId, note: value.note } : undefined;
}

/** Stores an upload. False if the browser refuses: after a reload the upload then starts again, and nothing else is lost. */
export function keepUpload(place: UploadPlace, kept: Kept): boolean {
  try {
    localStorage.setItem(keyOf(place), JSON.stringify(kept));
    return true;
  } catch {
    // The storage is full, or the browser's settings forbid it.
    localStorage.removeItem(keyOf(place));
    return false;
  }
}

export const forgetUpload = (place: UploadPlace): void => localStorage.removeItem(keyOf(place));

/** Encrypted names of the interrupted uploads into a folder. */
export function keptUploads(vaultId: string, parentLinkUri: string): string[] {
  return Object.keys(localStorage).flatMap((key) => {
    if (!key.startsWith(prefix)) return [];
    const [vault, parent, name] = JSON.parse(key.slice(prefix.length)) as readonly unknown[];
    return vault === vaultId && parent === parentLinkUri && typeof name === 'string' ? [name] : [];
  });
}
