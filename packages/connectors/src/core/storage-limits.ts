import { limits } from '@sheaf/contract';

/** A length in UTF-8 bytes, UTF-16 code units, or characters (code points). */
export interface LengthLimit {
  readonly most: number;
  readonly unit: 'bytes' | 'utf16' | 'characters';
}

/** Maximum name length where a source documents none: the limit of common file systems. */
export const usualNameLength: LengthLimit = { most: limits.fileNameBytes, unit: 'bytes' };

/** Which names a source stores unchanged. Absent rules allow every path segment of up to 255 bytes. */
export interface NameRules {
  /** Matches characters and character sequences that no name may contain; has the flags `g` and `u`. */
  readonly forbidden?: RegExp;
  /** Matches names whose first character is not allowed there, such as a space. */
  readonly badStart?: RegExp;
  /** Matches names whose last character is not allowed there. */
  readonly badEnd?: RegExp;
  /** Matches names that the source reserves. */
  readonly reserved?: RegExp;
  /** Maximum length of a name; 255 bytes by default. */
  readonly length?: LengthLimit;
  /** Maximum length of a path below the link's root, without the leading slash; a folder counts its trailing slash. */
  readonly pathLength?: LengthLimit;
  /** Names that differ only in upper and lower case belong to the same item. */
  readonly ignoresCase?: true;
  /** Names that differ only in Unicode form (composed and decomposed accents) belong to the same item. */
  readonly ignoresForm?: true;
}

/** What a source cannot store, as far as its provider documents it. */
export interface StorageLimits {
  readonly names?: NameRules;
  /** Maximum size of a file in bytes. */
  readonly fileBytes?: number;
  /** Maximum number of items in a folder. */
  readonly folderItems?: number;
  /** Maximum number of bytes that an account may upload in 24 hours. */
  readonly dayBytes?: number;
}
