import { type Reason, type ReasonCode, type SavedFamily, reasonOf, type reasonTable } from '@sheaf/contract';
import type { Section } from './rclone-conf.ts';

export type Options = Section['options'];
type Info = Readonly<Record<string, string>>;

/** A remote in Sheaf's terms. */
export type Plan =
  | {
      readonly kind: 'link';
      readonly family: SavedFamily | 'googlecloud';
      readonly provider: string;
      /** Connection info, including secrets; `bucketName` is empty until the user names it. */
      readonly info: Info;
      readonly account: string;
      readonly needsBucket?: true;
      readonly note?: string;
    }
  | { readonly kind: 'authorize'; readonly provider: string }
  | { readonly kind: 'unsupported'; readonly reason: Reason };

/** Codes of reasons without details. */
type SimpleReason = { [C in ReasonCode]: (typeof reasonTable)[C] extends `${string}{${string}` ? never : C }[ReasonCode];

/** A remote that cannot be linked, and why. */
export const unsupported = (code: SimpleReason): Plan => ({ kind: 'unsupported', reason: reasonOf(code, {}) });

/** Converts a remote of one type; `start` is its start folder, as given by an alias. */
export type ReadRemote = (options: Options, start: string) => Plan;
export const isTrue = (value: string | undefined): boolean => value?.toLowerCase() === 'true';
/** Strips trailing slashes in one pass: a regular expression would take quadratic time. */
export const withoutSlashes = (address: string): string => address.replace(/(?<!\/)\/+$/, '');
