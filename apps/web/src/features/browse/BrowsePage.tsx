import { VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ComponentType, useEffect } from 'react';
import { useRoute } from '#/lib/location.ts';
import type { PreviewProps } from '#/lib/previewing.ts';
import { notifyError } from '#/ui/notify.ts';
import { SkeletonRows } from '#/ui/Skeleton.tsx';
import { ErrorState } from '#/ui/StatePanel.tsx';
import { Breadcrumb } from './Breadcrumb.tsx';
import { browseErrorText } from './error-texts.ts';
import { Folder } from './Folder.tsx';
import { isReadOnly, namesOf } from './paths.ts';
import { resolved } from './queries.ts';
import { Refused } from './Refused.tsx';
import { SingleFile } from './SingleFile.tsx';
import { useArea } from './view.ts';
import classes from './browse.module.css';

/** The folder, or the file, at the path of names in the address. */
export function BrowsePage({ Preview }: { Preview: ComponentType<PreviewProps> }) {
  const area = useArea();
  const names = namesOf(useRoute()?.splat ?? '');
  if (!names) return <ErrorState title="This address leads nowhere" message="Part of it is not written as an address can be." />;
  // Where addresses name files, going from one to the next leaves the folder as it is.
  return <Place key={isReadOnly(area) ? area : names.join('/')} names={names} Preview={Preview} />;
}

function Place({ names, Preview }: { names: readonly string[]; Preview: ComponentType<PreviewProps> }) {
  const area = useArea();
  const { data, error, refetch } = useQuery(resolved(names));
  const path = names.join('/');
  useEffect(() => {
    if (error) notifyError(browseErrorText(path, error));
  }, [error, path]);

  if (data) {
    const { item, ancestors } = data;
    const above = ancestors.at(-1);
    if (item.fileType === 'FOLDER')
      return <Folder key={item.linkUri} names={names} folder={item} ancestors={ancestors} Preview={Preview} />;
    return isReadOnly(area) && above ? (
      <Folder
        key={above.linkUri}
        names={names.slice(0, -1)}
        folder={above}
        ancestors={ancestors.slice(0, -1)}
        Preview={Preview}
        file={item}
      />
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
