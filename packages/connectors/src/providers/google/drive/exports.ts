/** What a Google document is given as. */
export interface Export {
  /** With its dot; stands behind the document's name. */
  readonly extension: string;
  readonly mimeType: string;
}

const office = 'application/vnd.openxmlformats-officedocument';
const google = 'application/vnd.google-apps';

export const folderType = `${google}.folder`;
export const shortcutType = `${google}.shortcut`;

/** https://developers.google.com/drive/api/guides/ref-export-formats */
const exports: Readonly<Record<string, Export>> = {
  [`${google}.document`]: { extension: '.docx', mimeType: `${office}.wordprocessingml.document` },
  [`${google}.spreadsheet`]: { extension: '.xlsx', mimeType: `${office}.spreadsheetml.sheet` },
  [`${google}.presentation`]: { extension: '.pptx', mimeType: `${office}.presentationml.presentation` },
  [`${google}.drawing`]: { extension: '.pdf', mimeType: 'application/pdf' },
  [`${google}.jam`]: { extension: '.pdf', mimeType: 'application/pdf' },
  [`${google}.script`]: { extension: '.json', mimeType: `${google}.script+json` },
};

/** How items of that type are given, when they have no bytes of their own. */
export const exportOf = (mimeType: string): Export | undefined => exports[mimeType];

/** Documents of Google's own, which have no bytes to download. */
export const isGoogles = (mimeType: string): boolean => mimeType.startsWith(`${google}.`) && mimeType !== `${google}.script+json`;

/** The names that a document shown under this name may have at Drive, the name itself first. */
export function namesBehind(shown: string): string[] {
  const endings = new Set(Object.values(exports).map(({ extension }) => extension));
  return [shown, ...[...endings].filter((ending) => shown.endsWith(ending)).map((ending) => shown.slice(0, -ending.length))];
}
