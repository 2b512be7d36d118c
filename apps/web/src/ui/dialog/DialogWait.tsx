import { Notice } from '#/ui/feedback/Notice.tsx';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';
import { DialogFields } from './Dialog.tsx';

type Props = {
  /** Why it did not come. */
  error: Error | null;
  rows: number;
  height: number;
};

/** Stands in a dialog for what has not come yet, or says why it did not. */
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
