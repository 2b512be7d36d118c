import { limits } from '@sheaf/contract';

/** A length in UTF-8 bytes, UTF-16 code units, or characters (code points). */
export interface LengthLimit {
  readonly most: number;
  readonly unit: 'bytes' | 'utf16' | 'characters';
}

/** Longest name where a source documents none: the limit of usual file systems. */
export const usualNameLength: LengthLimit = { most: limits.fileNameBytes, unit: 'bytes' };

/** Which names a source stores unchanged. Absent rules allow every path segment of up to 255 bytes. */
export interface NameRules {
  /** Matches characters, and sequences of them, that no name may contain; has the flags `g` and `u`. */
  readonly forbidden?: RegExp;
  /** Matches a name whose first character is not allowed there, such as a leading space; likewise for the last one. */
  readonly badStart?: RegExp;
  readonly badEnd?: RegExp;
  /** Matches names that the source reserves. */
  readonly reserved?: RegExp;
  /** Longest name; 255 bytes by default. */
  readonly length?: LengthLimit;
  /** Longest path below the link's root, without the slash in front; a folder counts its slash at the end. */
  readonly pathLength?: LengthLimit;
  /** Names that differ only in upper and lower case belong to the same item. */
  readonly ignoresCase?: true;
  /** Names that differ only in Unicode form (composed and decomposed accents) belong to the same item. */
  readonly ignoresForm?: true;
}

/** What a source cannot store, as far as its provider documents it. */
export interface StorageLimits {
  readonly names?: NameRules;
  /** Largest file in bytes. */
  readonly fileBytes?: number;
  /** Most items of a folder. */
  readonly folderItems?: number;
  /** Most bytes that an account may upload in 24 hours. */
  readonly dayBytes?: number;
}
