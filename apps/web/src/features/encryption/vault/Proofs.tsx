import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { errorText } from '#/lib/http/error-text.ts';
import { inParallel } from '#/lib/in-parallel.ts';
import { notifyDone, notifyError } from '#/ui/feedback/notify.ts';
import { touchVault } from '../crypt/state.ts';
import { fileOf } from '../folder/files.ts';
import { judge, warningOf } from '../folder/judge.ts';
import { type ClearFolder, type ClearItem, glanceOf } from '../folder/listing.ts';
import type { Place } from '../folder/own-parts.ts';
import { type Change, record } from '../folder/record.ts';
import { readFolder } from '../folder/walk.ts';
import classes from '../shown/vault.module.css';

type Props = { place: Place; folder: ClearFolder; canWrite: boolean; onRecorded: () => void };

/** Says in plain words which contents of a folder are proven. */
export function Proofs({ place, folder, canWrite, onRecorded }: Props) {
  const files = folder.items.filter(({ isFolder }) => !isFolder);
  const unproven = unprovenOf(folder);
  const recording = useMutation({
    mutationFn: () => recordAll(place),
    onSuccess: (left) => {
      if (left.length > 0) notifyError(`Not recorded, because they are not what was recorded before: ${left.join(', ')}`);
      else notifyDone('The files are recorded as they are now.');
      onRecorded();
    },
    onError: (error) => notifyError(`The files could not be recorded. ${errorText(error)}`),
  });
  return (
    <div className={classes.proof}>
      {folder.missing.length > 0 && (
        <details>
          <summary>
            {folder.missing.length === 1 ? 'One item that was recorded is' : `${folder.missing.length} items that were recorded are`} not
            there
          </summary>
          Another program renamed or deleted them, or the storage does not show them: {folder.missing.slice(0, 100).join(', ')}
        </details>
      )}
      {folder.manifest.strays > 0 && (
        <p>Records of another folder lie here: a program, or the storage, has moved or exchanged folders. They prove nothing here.</p>
      )}
      {unproven.length === 0 ? (
        <p>
          {files.length > 0 && 'All files here are recorded: opening a file shows whether its end is missing or another took its place. '}
          Every part of a file is checked when it is read. What cannot be checked: whether the storage shows an older state of the whole
          folder.
        </p>
      ) : (
        <>
          <p>
            {unproven.length === files.length ? 'The files here are' : `${unproven.length} of ${files.length} files are`} not proven to be
            whole and in their places: another program wrote them, or they were never recorded. Every part is still checked when it is read.
          </p>
          {canWrite && (
            <Button size="xs" loading={recording.isPending} onClick={() => recording.mutate()}>
              Record them as they are now
            </Button>
          )}
        </>
      )}
    </div>
  );
}

const unprovenOf = (folder: ClearFolder): ClearItem[] =>
  folder.items.filter((item) => !item.isFolder && glanceOf(folder, item) !== 'recorded');

/**
 * Records the current contents of the folder, which it reads again: the page may show an old listing. Returns the names of files that contradict their
 * record.
 */
async function recordAll(place: Place): Promise<string[]> {
  const folder = await readFolder(place);
  const changes: Change[] = [];
  const left: string[] = [];
  await inParallel(unprovenOf(folder), 6, async (item) => {
    const file = fileOf(place.vaultId, item);
    if (!file) return void left.push(item.name);
    const judged = await judge(folder, file);
    touchVault(place.vaultId);
    if (warningOf(judged) === undefined) changes.push({ name: item.name, nonce: judged.file.nonce, size: file.size });
    else left.push(item.name);
  });
  record(place, changes);
  return left;
}
