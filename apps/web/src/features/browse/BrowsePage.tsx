import { VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useRoute } from '#/lib/location.ts';
import { notifyError } from '#/ui/notify.ts';
import { SkeletonRows } from '#/ui/Skeleton.tsx';
import { ErrorState } from '#/ui/StatePanel.tsx';
import { Breadcrumb } from './Breadcrumb.tsx';
import { browseErrorText } from './error-texts.ts';
import { Folder } from './Folder.tsx';
import { namesOf } from './paths.ts';
import { resolved } from './queries.ts';
import { Refused } from './Refused.tsx';
import { SingleFile } from './SingleFile.tsx';
import classes from './browse.module.css';

/** The folder, or the file, at the path of names in the address. */
export function BrowsePage() {
  const names = namesOf(useRoute()?.splat ?? '');
  if (!names) return <ErrorState title="This address leads nowhere" message="Part of it is not written as an address can be." />;
  return <Place key={names.join('/')} names={names} />;
}

function Place({ names }: { names: readonly string[] }) {
  const { data, error, refetch } = useQuery(resolved(names));
  const path = names.join('/');
  useEffect(() => {
    if (error) notifyError(browseErrorText(path, error));
  }, [error, path]);

  if (data) {
    const { item, ancestors } = data;
    return item.fileType === 'FOLDER' ? (
      <Folder names={names} folder={item} ancestors={ancestors} />
    ) : (
      <SingleFile names={names} file={item} ancestors={ancestors} />
    );
  }
  return (
    <section className={classes.pane}>
      <VisuallyHidden component="h1">{names.at(-1)}</VisuallyHidden>
      <Breadcrumb names={names} items={[]} />
      {error ? (
        <Refused linkName={names[0] ?? ''} error={error} onRetry={() => void refetch()} />
      ) : (
        <div className={classes.waiting}>
          <SkeletonRows count={8} height={40} tile={24} />
        </div>
      )}
    </section>
  );
}
