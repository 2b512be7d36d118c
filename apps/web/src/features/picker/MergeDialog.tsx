import { Button } from '@mantine/core';
import { Dialog } from '#/ui/dialog/Dialog.tsx';
import classes from './picker.module.css';

type Props = { path: string; onMerge: () => void; onOther: () => void };

/** Asks before files are added to a folder that is not empty. */
export function MergeDialog({ path, onMerge, onOther }: Props) {
  return (
    <Dialog
      title="Destination Folder Is Not Empty"
      sentence={`${path} holds something already. What comes from your computer will stand beside it, and replace what has the same name.`}
      onClose={onOther}
    >
      <div className={classes.choices}>
        <Button onClick={onOther} data-autofocus>
          CHOOSE DIFFERENT FOLDER
        </Button>
        <Button variant="filled" onClick={onMerge}>
          Merge Contents
        </Button>
      </div>
    </Dialog>
  );
}
