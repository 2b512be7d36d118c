/**
 * What is kept of uploads that a reload may interrupt: where the server has them, and a note that only the open vault can read. The names are those
 * that the storage sees.
 */
interface Kept {
  readonly tusId: string;
  readonly note: string;
}

const prefix = 'sheaf-vault-upload ';

/** The upload into a folder under an encrypted name. */
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

/** False where the browser keeps nothing: a reload begins the upload anew then, and nothing else is lost. */
export function keepUpload(place: UploadPlace, kept: Kept): boolean {
  try {
    localStorage.setItem(keyOf(place), JSON.stringify(kept));
    return true;
  } catch {
    // Full, or refused by the browser's settings.
    localStorage.removeItem(keyOf(place));
    return false;
  }
}

export const forgetUpload = (place: UploadPlace): void => localStorage.removeItem(keyOf(place));

/** Encrypted names of the uploads into a folder that were interrupted. */
export function keptUploads(vaultId: string, parentLinkUri: string): string[] {
  return Object.keys(localStorage).flatMap((key) => {
    if (!key.startsWith(prefix)) return [];
    const [vault, parent, name] = JSON.parse(key.slice(prefix.length)) as readonly unknown[];
    return vault === vaultId && parent === parentLinkUri && typeof name === 'string' ? [name] : [];
  });
}
