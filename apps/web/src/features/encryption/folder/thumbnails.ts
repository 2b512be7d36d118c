import { type VaultFile, readWhole } from '../crypt/streams.ts';

/** Longest side of a thumbnail, in device pixels, and most bytes of a picture that one is made of. */
const side = 96;
const mostBytes = 30 * 1024 * 1024;
/** Pictures that are read at the same time, and thumbnails that are kept: in this page's memory, and nowhere else. */
const width = 2;
const mostKept = 500;

const kept = new Map<string, Promise<string | undefined>>();
const waiting: (() => Promise<void>)[] = [];
let running = 0;

/** Whether a thumbnail can be made of a file. */
export const isPicture = ({ mimeType, size }: VaultFile): boolean => mimeType.startsWith('image/') && size <= mostBytes;

const keyOf = ({ vaultId, address, sealedSize }: VaultFile): string => `${vaultId}\n${address}\n${sealedSize}`;

/** Address of a small picture of a picture, made in this browser; undefined for one that the browser cannot show. `stamp` changes with its content. */
export function thumbnailOf(file: VaultFile, stamp: string): Promise<string | undefined> {
  const key = `${keyOf(file)}\n${stamp}`;
  const known = kept.get(key);
  if (known) return known;
  const made = new Promise<string | undefined>((resolve) => {
    waiting.push(() =>
      shrink(file).then(resolve, () => {
        // Damaged or of another kind: opening it says why, and the icon stays.
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
  // What came into view last is looked at now.
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

/** They show contents, and leave the memory with the names. */
export function forgetThumbnails(vaultId: string): void {
  waiting.length = 0;
  for (const key of kept.keys()) if (key.startsWith(`${vaultId}\n`)) drop(key);
}
