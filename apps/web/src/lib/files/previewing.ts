import type { ArchiveDirectory, OfficeText } from '@sheaf/contract';

/** A file to be looked at, wherever it lies. */
export interface Previewed {
  /** Tells it from every other one. */
  readonly key: string;
  readonly name: string;
  readonly mimeType?: string | undefined;
  /** Bytes. */
  readonly size?: number | undefined;
  /** Epoch seconds. */
  readonly modified?: number | undefined;
  /** Address of a small picture; takes `size` besides. */
  readonly thumbnailUrl?: string | undefined;
  /** Address of its bytes, with a query already; takes `inline` besides, and ranges. */
  readonly href: string;
  /** What it holds, when it is a zip archive. */
  readonly directory: (signal: AbortSignal) => Promise<ArchiveDirectory>;
  /** What is written in it, when it is an office document. */
  readonly officeText: (signal: AbortSignal) => Promise<OfficeText>;
}

export interface PreviewProps {
  readonly file: Previewed;
  /** Its number among the files of the folder and how many there are, as far as it is known. */
  readonly place: { readonly number: number; readonly count: number } | undefined;
  readonly previous: Previewed | undefined;
  readonly next: Previewed | undefined;
  /** Files around it that have a picture, itself among them. */
  readonly around: readonly Previewed[];
  /** Where it lies, for people. */
  readonly folder: string;
  readonly onGo: (file: Previewed) => void;
  readonly onClose: () => void;
}
