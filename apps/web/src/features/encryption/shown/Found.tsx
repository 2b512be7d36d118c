import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { fileKindOf } from '#/lib/files/file-kind.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { Notice } from '#/ui/feedback/Notice.tsx';
import { FileIcon } from '#/ui/FileIcon.tsx';
import { PathLink } from '#/ui/PathLink.tsx';
import { touchVault } from '../crypt/state.ts';
import classes from './vault.module.css';

/** An item of a search below a folder. */
export interface FoundItem {
  /** Unique in the vault. */
  readonly key: string;
  readonly name: string;
  readonly isFolder: boolean;
  /** Address that shows it, or its parent folder. */
  readonly href: string;
  /** Clear names of the folders between the start of the search and the item. */
  readonly above: readonly string[];
}

type Props = {
  vaultId: string;
  words: string;
  /** Yields every item below the folder. Read only once: give the component a new key for another folder or other words. */
  walk: (signal: AbortSignal) => AsyncGenerator<FoundItem>;
  onEnd: () => void;
};

/** Maximum number of results shown. */
const mostShown = 200;

/** Shows items below a folder whose names contain the words. Every folder is listed and its names decrypted in this browser, as the server knows none. */
export function Found({ vaultId, words, walk, onEnd }: Props) {
  const [found, setFound] = useState<readonly FoundItem[]>([]);
  const [state, setState] = useState<{ looked: number; isOver: boolean; error?: unknown }>({ looked: 0, isOver: false });
  const [begin] = useState(() => walk);
  useEffect(() => {
    const life = new AbortController();
    const sought = words.trim().toLowerCase();
    const look = async (): Promise<void> => {
      let looked = 0;
      const hits: FoundItem[] = [];
      for await (const item of begin(life.signal)) {
        looked += 1;
        if (item.name.toLowerCase().includes(sought) && hits.length < mostShown) {
          hits.push(item);
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
  }, [begin, vaultId, words]);
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
        {found.map(({ key, name, isFolder, href, above }) => (
          <li key={key} className={classes.found}>
            <PathLink className={classes.name} href={href}>
              <FileIcon kind={isFolder ? 'folder' : fileKindOf({ name, fileType: '' })} />
              <span>{name}</span>
            </PathLink>
            <span className={classes.modified}>{above.join(' / ')}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
