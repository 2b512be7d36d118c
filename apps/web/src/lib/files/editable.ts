import type { PreviewKind } from './preview-kind.ts';

/** Largest file that is edited, in bytes. */
export const mostEdited = 2 << 20;

const editable: ReadonlySet<PreviewKind | undefined> = new Set(['text', 'markdown', 'code', 'table']);

/** Whether the file is text of a size that can be edited. */
export const isEditable = ({ size = 0 }: { readonly size?: number | undefined }, kind: PreviewKind | undefined): boolean =>
  editable.has(kind) && size <= mostEdited;
