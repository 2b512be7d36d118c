/** The export format of a Google document. */
export interface Export {
  /** With the dot; appended to the document's name. */
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

/** Returns the export format of a type without bytes of its own. */
export const exportOf = (mimeType: string): Export | undefined => exports[mimeType];

/** Whether the type is a Google document, which has no bytes to download. */
export const isGoogles = (mimeType: string): boolean => mimeType.startsWith(`${google}.`) && mimeType !== `${google}.script+json`;

/** Returns the possible names at Drive of a document shown under this name, the name itself first. */
export function namesBehind(shown: string): string[] {
  const endings = new Set(Object.values(exports).map(({ extension }) => extension));
  return [shown, ...[...endings].filter((ending) => shown.endsWith(ending)).map((ending) => shown.slice(0, -ending.length))];
}
