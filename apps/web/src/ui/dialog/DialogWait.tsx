import { Notice } from '#/ui/feedback/Notice.tsx';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';
import { DialogFields } from './Dialog.tsx';

type Props = {
  /** Error of the loading. */
  error: Error | null;
  rows: number;
  height: number;
};

/** Placeholder for a dialog's content while it loads, or its error. */
export function DialogWait({ error, rows, height }: Props) {
  if (error) {
    return (
      <Notice kind="error" inDialog>
        {error.message}
      </Notice>
    );
  }
  return (
    <DialogFields>
      <SkeletonRows count={rows} height={height} />
    </DialogFields>
  );
}
