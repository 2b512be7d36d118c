/** Kinds of files with their own icon and colour. */
export type FileKind = 'folder' | 'image' | 'video' | 'audio' | 'doc' | 'pdf' | 'sheet' | 'archive' | 'code' | 'plain';

const byExtension: Readonly<Record<string, FileKind>> = Object.fromEntries(
  (
    [
      ['doc', 'doc docx odt rtf pages psd ai svgz eps txt'],
      ['sheet', 'xls xlsx ods csv tsv numbers'],
      ['archive', 'zip tar gz tgz bz2 xz 7z rar zst iso dmg jar'],
      ['code', 'js ts tsx jsx json html css md py rs go java c h cpp rb php sh sql xml yml yaml toml ini'],
      ['pdf', 'pdf'],
      ['image', 'jpg jpeg png gif webp avif bmp svg tif tiff heic heif raw cr2 nef dng'],
      ['video', 'mp4 mov webm mkv m4v avi'],
      ['audio', 'mp3 wav ogg m4a aac flac opus'],
    ] as const
  ).flatMap(([kind, extensions]) => extensions.split(' ').map((extension) => [extension, kind] as const)),
);

/** The kind of a file, by its extension, else by its media type. */
export function fileKindOf({
  name,
  fileType,
  mimeType = '',
}: {
  name: string;
  fileType?: string;
  mimeType?: string | undefined;
}): FileKind {
  if (fileType === 'FOLDER') return 'folder';
  const known = byExtension[name.slice(name.lastIndexOf('.') + 1).toLowerCase()];
  if (known) return known;
  const [family] = mimeType.split('/');
  if (family === 'image' || family === 'video' || family === 'audio') return family;
  return family === 'text' ? 'doc' : 'plain';
}

/** The type of an item in a word: what follows the last dot of its name. */
export function typeOf({ name, fileType }: { readonly name: string; readonly fileType: string }): string {
  if (fileType === 'FOLDER') return 'Folder';
  const dot = name.lastIndexOf('.');
  return dot > 0 && name.length - dot <= 9 ? name.slice(dot + 1).toUpperCase() : 'File';
}
