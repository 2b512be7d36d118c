import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { formatSize } from '#/lib/format.ts';
import { WordedError, errorText } from '#/lib/http/error-text.ts';
import { Dialog, DialogButtons, DialogFields } from '#/ui/dialog/Dialog.tsx';
import { Notice } from '#/ui/feedback/Notice.tsx';
import { notifyError } from '#/ui/feedback/notify.ts';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';
import { type VaultFile, download, readWhole, streamOf } from '../crypt/streams.ts';
import { type Seen, proofSentence, warningOf } from '../folder/judge.ts';
import classes from './vault.module.css';

const mostPicture = 100 * 1024 * 1024;
const mostText = 1024 * 1024;

type Shown = { kind: 'image' | 'video' | 'audio'; address: string } | { kind: 'text'; text: string } | { kind: 'none' };

type Props = {
  name: string;
  /** Undefined for a file that cannot be read. */
  file: VaultFile | undefined;
  /** Compares the content with its record. */
  judgeIt: (file: VaultFile) => Promise<Seen>;
  /** Visitors may view, but not download. */
  viewOnly?: boolean;
  onClose: () => void;
};

/** Previews a file of an open vault or its share: a picture, text or video, decrypted in this browser. */
export function Preview({ name, file, judgeIt, viewOnly = false, onClose }: Props) {
  const [shown, setShown] = useState<Shown>();
  const [error, setError] = useState<unknown>();
  const [judged, setJudged] = useState<Seen>();
  const [attempt, setAttempt] = useState(1);
  const key = `${file?.vaultId ?? ''}\n${file?.address ?? ''}`;
  useEffect(() => {
    let isOver = false;
    let address: string | undefined;
    const begin = async (): Promise<void> => {
      const seen = file && (await judgeIt(file));
      if (!isOver) setJudged(seen);
      const next = seen ? await prepare(seen.file) : ({ kind: 'none' } as const);
      if ('address' in next) ({ address } = next);
      if (isOver) release(address);
      else setShown(next);
    };
    begin().catch((caught: unknown) => isOver || setError(caught));
    return () => {
      isOver = true;
      release(address);
    };
    // The file is a new object at each render; `key` says whether it is another file.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [key, attempt]);

  const again = (): void => {
    setError(undefined);
    setShown(undefined);
    setAttempt(attempt + 1);
  };
  const save = (): void => {
    if (judged)
      void download(judged.saved ?? judged.file).catch((caught: unknown) => notifyError(`Cannot download "${name}". ${errorText(caught)}`));
  };
  const broken = (): void =>
    setError(new WordedError('This file cannot be shown. It may be damaged, or of a kind that this browser does not know.'));
  return (
    <Dialog title={name} sentence={file && formatSize(file.size)} onClose={onClose} wide="sheet">
      <DialogFields>
        {error !== undefined && (
          <>
            <Notice kind="error">{errorText(error)}</Notice>
            <Button className={classes.again} onClick={again}>
              Try again
            </Button>
          </>
        )}
        {judged && warningOf(judged) !== undefined && <Notice kind="error">{warningOf(judged)}</Notice>}
        {error === undefined && !shown && <SkeletonRows count={2} />}
        {error === undefined && shown?.kind === 'image' && (
          <img className={classes.picture} src={shown.address} alt={name} onError={broken} />
        )}
        {error === undefined && shown?.kind === 'video' && (
          <video className={classes.picture} src={shown.address} controls aria-label={name} onError={broken} />
        )}
        {error === undefined && shown?.kind === 'audio' && (
          <audio className={classes.sound} src={shown.address} controls aria-label={name} onError={broken} />
        )}
        {error === undefined && shown?.kind === 'text' && (
          <pre className={classes.text} tabIndex={0}>
            {shown.text}
          </pre>
        )}
        {!file && (
          <Notice kind="error">This file is damaged: it does not have a length that the vault writes, so it cannot be read.</Notice>
        )}
        {file && error === undefined && shown?.kind === 'none' && <p>There is no preview for this kind of file in a vault.</p>}
        {judged && warningOf(judged) === undefined && <p className={classes.verdict}>{proofSentence(judged)}</p>}
      </DialogFields>
      <DialogButtons>
        <Button onClick={onClose}>Close</Button>
        {judged && !viewOnly && (
          <Button variant="filled" leftSection={<IconDownload size={16} stroke={1.75} />} onClick={save} data-autofocus>
            {warningOf(judged) === undefined ? 'Download' : 'Download anyway'}
          </Button>
        )}
      </DialogButtons>
    </Dialog>
  );
}

async function prepare(file: VaultFile): Promise<Shown> {
  const [kind = ''] = file.mimeType.split('/');
  if (kind === 'image') return { kind, address: URL.createObjectURL(await readWhole(file, mostPicture)) };
  if (kind === 'text') return { kind, text: await (await readWhole(file, mostText)).text() };
  if (kind !== 'video' && kind !== 'audio') return { kind: 'none' };
  return { kind, address: (await streamOf(file)) ?? URL.createObjectURL(await readWhole(file)) };
}

function release(address: string | undefined): void {
  if (address?.startsWith('blob:') === true) URL.revokeObjectURL(address);
}
