import { Button, Checkbox } from '@mantine/core';
import { useState } from 'react';
import { pageUploads, useUploads } from '#/lib/uploads/page-uploads.ts';
import type { ConflictAnswer, Upload } from '#/lib/uploads/uploads.ts';
import { Dialog, DialogButtons, DialogFields } from '#/ui/dialog/Dialog.tsx';

/** Asks what to do with a file whose name is taken, one file after the other. */
export function ConflictDialog() {
  const uploads = useUploads();
  const asking = uploads.filter(({ state }) => state === 'asking');
  const [first] = asking;
  return first ? <Question key={first.id} upload={first} others={asking.filter(({ batch }) => batch === first.batch).length - 1} /> : null;
}

function Question({ upload, others }: { upload: Upload; others: number }) {
  const [forAll, setForAll] = useState(false);
  const answer = (rule: ConflictAnswer): void => pageUploads.answer(upload.id, rule, forAll);
  return (
    <Dialog
      title="This name is taken"
      sentence={
        <>
          There is already an item named <b>{upload.file.name}</b> in {upload.place.name}.
        </>
      }
      onClose={() => answer('skip')}
    >
      {others > 0 && (
        <DialogFields>
          <Checkbox label={`Apply to all (${others} more)`} checked={forAll} onChange={(event) => setForAll(event.currentTarget.checked)} />
        </DialogFields>
      )}
      <DialogButtons>
        <Button variant="subtle" onClick={() => answer('skip')}>
          Skip
        </Button>
        <Button onClick={() => answer('replace')}>Replace</Button>
        <Button variant="filled" data-autofocus onClick={() => answer('rename')}>
          Keep both
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
