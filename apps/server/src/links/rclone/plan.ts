import type { SavedFamily } from '@sheaf/contract';
import type { Section } from './rclone-conf.ts';

export type Options = Section['options'];
type Info = Readonly<Record<string, string>>;

/** What a remote is in Sheaf's words. */
export type Plan =
  | {
      readonly kind: 'link';
      readonly family: SavedFamily | 'googlecloud';
      readonly provider: string;
      /** Connection info, secrets included; `bucketName` is empty until the user has named it. */
      readonly info: Info;
      readonly account: string;
      readonly needsBucket?: true;
      readonly note?: string;
    }
  | { readonly kind: 'authorize'; readonly provider: string }
  | { readonly kind: 'unsupported'; readonly reason: string };

/** A remote that becomes no link, and why. */
export const unsupported = (reason: string): Plan => ({ kind: 'unsupported', reason });

/** Reads a remote of one type; `start` is the folder in which it is to begin, as an alias says it. */
export type ReadRemote = (options: Options, start: string) => Plan;
export const isTrue = (value: string | undefined): boolean => value?.toLowerCase() === 'true';
/** Without the slashes at its end, found in one go: from each slash of a long row anew it would take minutes. */
export const withoutSlashes = (address: string): string => address.replace(/(?<!\/)\/+$/, '');
