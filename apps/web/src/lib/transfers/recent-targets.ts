import { shortHash } from '#/lib/short-hash.ts';

const place = 'sheaf-targets';
const most = 5;

/** Folders that items were copied or moved to lately: addresses only, of the account that used this browser last. */
export function createRecentTargets(storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>) {
  const of = (account: string): readonly string[] => {
    const [owner, ...linkUris] = read(storage.getItem(place));
    return owner === shortHash(account) ? linkUris.slice(0, most) : [];
  };
  return {
    of,
    /** Puts the folder first. */
    add(account: string, linkUri: string): void {
      const others = of(account).filter((one) => one !== linkUri);
      storage.setItem(place, JSON.stringify([shortHash(account), linkUri, ...others.slice(0, most - 1)]));
    },
    clear: (): void => storage.removeItem(place),
  };
}

function read(text: string | null): readonly string[] {
  try {
    const parsed: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(parsed) ? parsed.filter((one): one is string => typeof one === 'string') : [];
  } catch (error) {
    // Ignores an invalid value under this key.
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}
