import type { ArchiveDirectory, OfficeText } from '@sheaf/contract';

/** Lets a text file be edited. */
export interface EditAccess {
  /** Its folder, for saving. */
  readonly parentLinkUri: string;
  /** Called after a save; a copy may have been made beside it. */
  readonly onSaved: () => void;
}

/** A file to preview, from any source. */
export interface Previewed {
  /** Unique key of the file. */
  readonly key: string;
  readonly name: string;
  readonly mimeType?: string | undefined;
  /** Bytes. */
  readonly size?: number | undefined;
  /** Epoch seconds. */
  readonly modified?: number | undefined;
  /** Address of a thumbnail; takes `size` as a further parameter. */
  readonly thumbnailUrl?: string | undefined;
  /** Address of its bytes, with a query; takes `inline` as a further parameter, and ranges. */
  readonly href: string;
  /** Directory of a zip archive. */
  readonly directory: (signal: AbortSignal) => Promise<ArchiveDirectory>;
  /** Text of an office document. */
  readonly officeText: (signal: AbortSignal) => Promise<OfficeText>;
  /** Whether it may be looked at, but not downloaded. */
  readonly viewOnly?: boolean | undefined;
  /** Absent where it cannot be changed. Its key is its linkUri then. */
  readonly edit?: EditAccess | undefined;
}

export interface PreviewProps {
  readonly file: Previewed;
  /** Its number among the files of the folder and their count, as far as known. */
  readonly place: { readonly number: number; readonly count: number } | undefined;
  readonly previous: Previewed | undefined;
  readonly next: Previewed | undefined;
  /** Neighbouring files with a thumbnail, including itself. */
  readonly around: readonly Previewed[];
  /** Its folder, for display. */
  readonly folder: string;
  readonly onGo: (file: Previewed) => void;
  readonly onClose: () => void;
}
