import { Notice } from '#/ui/feedback/Notice.tsx';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';
import { DialogFields } from './Dialog.tsx';

type Props = {
  /** Why it could not be loaded, as a sentence; empty while it loads. */
  failure: string;
  rows: number;
  height: number;
};

/** Placeholder for a dialog's content while it loads, or its error. */
export function DialogWait({ failure, rows, height }: Props) {
  if (failure !== '') {
    return (
      <Notice kind="error" inDialog>
        {failure}
      </Notice>
    );
  }
  return (
    <DialogFields>
      <SkeletonRows count={rows} height={height} />
    </DialogFields>
  );
}
