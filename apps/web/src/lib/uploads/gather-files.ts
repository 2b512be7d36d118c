/** A file to upload, and its folders below the drop target. */
export interface Gathered {
  readonly file: File;
  readonly folders: readonly string[];
}

/** Everything that was dropped: files and folders, including empty ones. */
export interface Gathering {
  readonly files: readonly Gathered[];
  readonly folders: readonly (readonly string[])[];
}

/** A file's path below the target. */
export const pathOf = (folders: readonly string[], name: string): string => [...folders, name].join('/');

/** Files chosen with an input; for a folder input the relative path gives each file's folders. */
export function gatherChosen(list: Iterable<File>): Gathering {
  const files = [...list].map((file) => ({ file, folders: file.webkitRelativePath.split('/').slice(0, -1) }));
  return { files, folders: files.map(({ folders }) => folders) };
}

/** Everything that was dropped, with the content of folders. Reads the list before the first await: it is only readable during the event. */
export async function gatherDropped(list: DataTransferItemList): Promise<Gathering> {
  const entries = [...list].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  const files: Gathered[] = [];
  const folders: string[][] = [];
  const visit = async (entry: FileSystemEntry, above: readonly string[]): Promise<void> => {
    if (isFile(entry)) {
      files.push({ file: await new Promise<File>((resolve, reject) => entry.file(resolve, reject)), folders: above });
    } else if (isFolder(entry)) {
      const path = [...above, entry.name];
      folders.push(path);
      for (const child of await children(entry)) await visit(child, path);
    }
  };
  for (const entry of entries) await visit(entry, []);
  return { files, folders };
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;

/** A reader returns a part of the entries at a time, and none at the end. */
async function children(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (part.length === 0) return all;
    all.push(...part);
  }
}

/** What a dropped item becomes in browsers that let a page keep it beyond a reload (File System API, so far Chromium). */
type KeepableItem = DataTransferItem & { getAsFileSystemHandle?(): Promise<FileSystemHandle | null> };
type WalkableFolder = FileSystemDirectoryHandle & { values(): AsyncIterable<FileSystemHandle> };

/** Handles of what was dropped, to read it again after a reload; none where the browser has no such handles. Called during the event. */
export async function handlesOf(list: DataTransferItemList): Promise<FileSystemHandle[]> {
  const items = [...list].filter(({ kind }) => kind === 'file');
  const handles = await Promise.all(items.map(async (item: KeepableItem) => item.getAsFileSystemHandle?.()));
  return handles.every((handle) => handle instanceof FileSystemHandle) ? handles : [];
}

/** The files of handles, with the content of folders. Rejects where the user does not allow reading them. */
export async function gatherHandles(handles: readonly FileSystemHandle[]): Promise<Gathering> {
  const files: Gathered[] = [];
  const folders: string[][] = [];
  const visit = async (handle: FileSystemHandle, above: readonly string[]): Promise<void> => {
    if (handle instanceof FileSystemFileHandle) {
      files.push({ file: await handle.getFile(), folders: above });
    } else {
      const path = [...above, handle.name];
      folders.push(path);
      for await (const child of (handle as WalkableFolder).values()) await visit(child, path);
    }
  };
  for (const handle of handles) await visit(handle, []);
  return { files, folders };
}
