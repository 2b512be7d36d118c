import type { ItemTarget } from '#/serving/dav/targets.ts';
import type { NextEntries } from './folder.ts';
import type { FileReader } from './reading.ts';
import type { FileWriter } from './writing.ts';

/** What a client has open. */
export type Handle =
  | { readonly kind: 'reader'; readonly reader: FileReader; readonly target: ItemTarget }
  | {
      readonly kind: 'writer';
      readonly writer: FileWriter;
      readonly target: ItemTarget;
      readonly path: string;
      /** Whether there was no such file: only then may another connection continue it. */
      readonly isNew: boolean;
      modified: number | undefined;
      finished: Promise<void> | undefined;
    }
  | { readonly kind: 'folder'; readonly next: NextEntries };

export type WriterHandle = Extract<Handle, { kind: 'writer' }>;
