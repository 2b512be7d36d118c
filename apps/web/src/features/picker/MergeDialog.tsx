import { Button } from '@mantine/core';
import { Dialog, DialogButtons } from '#/ui/Dialog.tsx';

type Props = { path: string; onMerge: () => void; onOther: () => void };

/** Asks before files are put beside others. */
export function MergeDialog({ path, onMerge, onOther }: Props) {
  return (
    <Dialog
      title="Destination Folder Is Not Empty"
      sentence={`${path} holds something already. What comes from your computer will stand beside it, and replace what has the same name.`}
      onClose={onOther}
    >
      <DialogButtons>
        <Button onClick={onOther} data-autofocus>
          CHOOSE DIFFERENT FOLDER
        </Button>
        <Button variant="filled" onClick={onMerge}>
          Merge Contents
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
