import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Previewed } from '#/lib/files/previewing.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { ErrorState } from '#/ui/feedback/StatePanel.tsx';
import { textOf } from './queries.ts';
import { Waiting } from './Waiting.tsx';
import classes from './Preview.module.css';

type Props = {
  file: Previewed;
  /** Renders the text. */
  children: (text: string) => ReactNode;
  /** Uses the whole width instead of a page's. */
  wide?: boolean;
};

/** A text file on a page; says when only its beginning is shown. */
export function Readable({ file, children, wide = false }: Props) {
  const { data, error, refetch } = useQuery(textOf(file));
  if (error) {
    return (
      <div className={classes.centre}>
        <ErrorState title="This file cannot be shown" message={errorText(error)} onRetry={() => void refetch()} />
      </div>
    );
  }
  if (!data) return <Waiting />;
  return (
    // The page scrolls, and is therefore reached by the keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={classes.scroll} tabIndex={0} role="region" aria-label={`Contents of ${file.name}`}>
      <div className={classes.page} data-wide={wide || undefined}>
        {data.text === '' ? <p className={classes.note}>This file is empty.</p> : children(data.text)}
        {data.isCut && <p className={classes.note}>Only the beginning is shown. Download the file to see all of it.</p>}
      </div>
    </div>
  );
}
