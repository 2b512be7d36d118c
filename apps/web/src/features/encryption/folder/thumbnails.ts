import { type VaultFile, readWhole } from '../crypt/streams.ts';

/** Longest side of a thumbnail in device pixels, and maximum size of its picture in bytes. */
const side = 96;
const mostBytes = 30 * 1024 * 1024;
/** Number of pictures read concurrently, and of thumbnails kept; they are kept only in this page's memory. */
const width = 2;
const mostKept = 500;

const kept = new Map<string, Promise<string | undefined>>();
const waiting: (() => Promise<void>)[] = [];
let running = 0;

export const isPicture = ({ mimeType, size }: VaultFile): boolean => mimeType.startsWith('image/') && size <= mostBytes;

const keyOf = ({ vaultId, address, sealedSize }: VaultFile): string => `${vaultId}\n${address}\n${sealedSize}`;

/** Address of a thumbnail generated in this browser; undefined for a picture that the browser cannot show. `stamp` changes with the content. */
export function thumbnailOf(file: VaultFile, stamp: string): Promise<string | undefined> {
  const key = `${keyOf(file)}\n${stamp}`;
  const known = kept.get(key);
  if (known) return known;
  const made = new Promise<string | undefined>((resolve) => {
    waiting.push(() =>
      shrink(file).then(resolve, () => {
        // Damaged or not a picture: the icon stays, and opening the file says why.
        resolve(undefined);
      }),
    );
  });
  kept.set(key, made);
  for (const old of kept.keys()) {
    if (kept.size <= mostKept) break;
    drop(old);
  }
  runNext();
  return made;
}

function runNext(): void {
  if (running >= width) return;
  // Newest first: it is still in view.
  const work = waiting.pop();
  if (!work) return;
  running += 1;
  void work().finally(() => {
    running -= 1;
    runNext();
  });
  runNext();
}

async function shrink(file: VaultFile): Promise<string> {
  const picture = await createImageBitmap(await readWhole(file, mostBytes));
  try {
    const scale = Math.min(1, side / Math.max(picture.width, picture.height));
    const canvas = new OffscreenCanvas(Math.max(1, Math.round(picture.width * scale)), Math.max(1, Math.round(picture.height * scale)));
    canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
    return URL.createObjectURL(await canvas.convertToBlob({ type: 'image/webp', quality: 0.8 }));
  } finally {
    picture.close();
  }
}

function drop(key: string): void {
  const old = kept.get(key);
  kept.delete(key);
  void old?.then((address) => address !== undefined && URL.revokeObjectURL(address));
}

/** Drops the thumbnails of a vault, which show its contents, together with its names. */
export function forgetThumbnails(vaultId: string): void {
  waiting.length = 0;
  for (const key of kept.keys()) if (key.startsWith(`${vaultId}\n`)) drop(key);
}
