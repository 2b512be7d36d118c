/** A file to upload, and the folders it lies in below the place it was dropped on. */
export interface Gathered {
  readonly file: File;
  readonly folders: readonly string[];
}

/** Everything that was dropped: the files, and the folders, also the empty ones. */
export interface Gathering {
  readonly files: readonly Gathered[];
  readonly folders: readonly (readonly string[])[];
}

/** What was chosen with a file field; a folder field tells each file's folders in its relative path. */
export function gatherChosen(list: Iterable<File>): Gathering {
  const files = [...list].map((file) => ({ file, folders: file.webkitRelativePath.split('/').slice(0, -1) }));
  return { files, folders: files.map(({ folders }) => folders) };
}

/** What was dropped, folders with all they hold. The list is only readable during the drop, so it is read before anything is waited for. */
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

/** A reader gives a part of the entries at a time, and none when it is through. */
async function children(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (part.length === 0) return all;
    all.push(...part);
  }
}
