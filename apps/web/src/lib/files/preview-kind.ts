/** Kinds of previews. */
export type PreviewKind = 'image' | 'video' | 'audio' | 'pdf' | 'markdown' | 'table' | 'archive' | 'office' | 'code' | 'text';

const byExtension: Readonly<Record<string, PreviewKind>> = Object.fromEntries(
  (
    [
      ['image', 'png jpg jpeg jfif gif webp avif bmp ico svg'],
      ['video', 'mp4 m4v webm mov ogv mkv'],
      ['audio', 'mp3 m4a aac ogg oga opus wav flac weba'],
      ['pdf', 'pdf'],
      ['markdown', 'md markdown'],
      ['table', 'csv tsv'],
      ['archive', 'zip jar war apk cbz'],
      ['office', 'docx docm dotx xlsx xlsm pptx pptm ppsx odt ott ods odp'],
      [
        'code',
        'js mjs cjs jsx ts mts cts tsx json json5 css scss less html htm xml svgz yml yaml toml ini cfg conf py rb php pl r go rs c h cc cpp hpp cs java kt kts swift m sh bash zsh ps1 bat sql lua vue svelte graphql diff patch makefile dockerfile gradle properties wat',
      ],
      ['text', 'txt text log nfo srt vtt rst tex bib ics vcf env gitignore editorconfig license readme authors changelog'],
    ] as const
  ).flatMap(([kind, extensions]) => extensions.split(' ').map((extension) => [extension, kind] as const)),
);
/** Pictures that not every browser shows: their largest thumbnail is shown instead. */
const converted = /^image\/(?:tiff|hei[cf])/;

/** The part after the last dot in lower case; the whole name without a dot, as for a Dockerfile. */
export const extensionOf = (name: string): string => name.slice(name.lastIndexOf('.') + 1).toLowerCase();

/** How a file is previewed; undefined when it cannot be. */
export function previewKindOf({
  name,
  mimeType = '',
  thumbnailUrl,
}: {
  readonly name: string;
  readonly mimeType?: string | undefined;
  readonly thumbnailUrl?: string | undefined;
}): PreviewKind | undefined {
  const known = byExtension[extensionOf(name)];
  if (known) return known;
  if (converted.test(mimeType) || /\.(?:heic|heif|tiff?)$/i.test(name)) return thumbnailUrl === undefined ? undefined : 'image';
  if (/^image\/(?:png|jpeg|gif|webp|avif|bmp)/.test(mimeType)) return 'image';
  if (mimeType.startsWith('video/')) return 'video';
  if (mimeType.startsWith('audio/')) return 'audio';
  if (mimeType === 'application/pdf') return 'pdf';
  if (mimeType === 'application/zip') return 'archive';
  if (/^application\/vnd\.(?:openxmlformats-officedocument|oasis\.opendocument\.(?:text|spreadsheet|presentation))/.test(mimeType))
    return 'office';
  return mimeType.startsWith('text/') ? 'text' : undefined;
}

/** Whether only a converted picture can be shown, not the file itself. */
export const isConverted = ({ name, mimeType = '' }: { readonly name: string; readonly mimeType?: string | undefined }): boolean =>
  converted.test(mimeType) || /\.(?:heic|heif|tiff?)$/i.test(name);
