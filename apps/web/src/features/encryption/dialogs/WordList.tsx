import { Button } from '@mantine/core';
import { IconCopy, IconFileDownload } from '@tabler/icons-react';
import { DialogFields } from '#/ui/dialog/Dialog.tsx';
import { notifyDone, notifyError } from '#/ui/feedback/notify.ts';
import classes from './dialogs.module.css';

/** Shows the twelve numbered words, and ways to save them. */
export function WordList({ words, vault }: { words: readonly string[]; vault: string }) {
  const copy = (): void => {
    const copying: Promise<void> | undefined = (navigator as { clipboard?: Clipboard }).clipboard?.writeText(words.join(' '));
    if (!copying) return notifyError('This browser does not let the page copy.');
    copying.then(
      () => notifyDone('The words were copied.'),
      () => notifyError('This browser does not let the page copy.'),
    );
  };
  const save = (): void => {
    const address = URL.createObjectURL(
      new Blob([`Recovery words of the vault ${vault}:\n\n${words.join(' ')}\n`], { type: 'text/plain' }),
    );
    const anchor = document.createElement('a');
    anchor.href = address;
    anchor.download = `${vault} recovery words.txt`;
    anchor.click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  };
  return (
    <DialogFields>
      <ol className={classes.words} aria-label="Recovery words">
        {words.map((word, index) => (
          <li key={`${index}-${word}`}>
            <span>{index + 1}</span> <b>{word}</b>
          </li>
        ))}
      </ol>
      <div className={classes.keep}>
        <Button size="xs" leftSection={<IconCopy size={15} stroke={1.75} />} onClick={copy}>
          Copy
        </Button>
        <Button size="xs" leftSection={<IconFileDownload size={15} stroke={1.75} />} onClick={save}>
          Save as file
        </Button>
      </div>
      <p className={classes.hint}>
        Write them down and keep them away from this computer. They are also the password with which rclone opens the folder without Sheaf.
        The next step asks for three of them.
      </p>
    </DialogFields>
  );
}
