import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { fileKindOf } from '#/lib/files/file-kind.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { Notice } from '#/ui/feedback/Notice.tsx';
import { FileIcon } from '#/ui/FileIcon.tsx';
import { PathLink } from '#/ui/PathLink.tsx';
import { touchVault } from '../crypt/state.ts';
import type { Place } from '../folder/own-parts.ts';
import { type Walked, walk } from '../folder/walk.ts';
import classes from '../shown/vault.module.css';

type Props = {
  place: Place;
  words: string;
  /** Address of a folder of the vault. */
  addressOf: (linkUri: string) => string;
  onEnd: () => void;
};

/** More would fill the page. */
const mostShown = 200;

/** Items below a folder whose names contain the words: every folder is listed and its names opened in this browser. */
export function Found({ place, words, addressOf, onEnd }: Props) {
  const [found, setFound] = useState<readonly Walked[]>([]);
  const [state, setState] = useState<{ looked: number; isOver: boolean; error?: unknown }>({ looked: 0, isOver: false });
  const { vaultId, rootUri, linkUri } = place;
  useEffect(() => {
    const life = new AbortController();
    const sought = words.trim().toLowerCase();
    const look = async (): Promise<void> => {
      let looked = 0;
      const hits: Walked[] = [];
      for await (const walked of walk({ vaultId, rootUri, linkUri }, life.signal)) {
        looked += 1;
        if (walked.item.name.toLowerCase().includes(sought) && hits.length < mostShown) {
          hits.push(walked);
          setFound([...hits]);
        }
        if (looked % 500 === 0) {
          touchVault(vaultId);
          setState({ looked, isOver: false });
        }
      }
      setState({ looked, isOver: true });
    };
    look().catch((error: unknown) => life.signal.aborted || setState((now) => ({ ...now, isOver: true, error })));
    return () => life.abort();
  }, [vaultId, rootUri, linkUri, words]);
  return (
    <section aria-label="Found below this folder">
      <div className={classes.selection}>
        <p role="status">
          {state.isOver
            ? `${found.length}${found.length === mostShown ? ' or more' : ''} found below this folder`
            : 'Looking below this folder …'}
        </p>
        <Button size="xs" variant="subtle" onClick={onEnd}>
          Back to the folder
        </Button>
      </div>
      {state.error !== undefined && <Notice kind="error">Not every folder could be read. {errorText(state.error)}</Notice>}
      <ul className={classes.rows}>
        {found.map(({ item, path, place: { linkUri: inside } }) => (
          <li key={item.item.linkUri} className={classes.found}>
            <PathLink className={classes.name} href={addressOf(item.isFolder ? item.item.linkUri : inside)}>
              <FileIcon kind={fileKindOf({ name: item.name, fileType: item.item.fileType })} />
              <span>{item.name}</span>
            </PathLink>
            <span className={classes.modified}>{path.slice(0, -1).join(' / ')}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
