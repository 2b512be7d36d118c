import { Button } from '@mantine/core';
import { type Item, type KeptVersion, versionList, versionRestore } from '@sheaf/contract';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { offerUndo } from '#/features/browse/changes/undo.ts';
import { useMember } from '#/features/browse/member.ts';
import { formatModified, formatSize } from '#/lib/format.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { send } from '#/lib/http/send.ts';
import { newUndoId } from '#/lib/undoing.ts';
import { notifyError } from '#/ui/feedback/notify.ts';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';
import classes from './info.module.css';

/** Earlier contents of a file that its source keeps, the newest first. */
export function ItemVersions({ item: { linkUri, name, modified, size } }: { item: Item }) {
  const memberOid = useMember();
  const of = { linkUri, ...(memberOid !== undefined && { memberOid }) };
  const { data, error, refetch } = useQuery({
    // What is listed changes with the content.
    queryKey: ['versions of', linkUri, memberOid, modified, size],
    queryFn: ({ signal }) => send(versionList, of, signal),
    staleTime: 0,
    // The list stays in sight while it is asked for anew, with the keyboard's place in it.
    placeholderData: keepPreviousData,
  });
  const reload = (): void => void refetch();
  const restore = useMutation({
    mutationFn: ({ versionId }: KeptVersion) => send(versionRestore, { ...of, versionId, undoId: newUndoId() }),
    onSuccess: ({ undoId }) => {
      if (undoId !== undefined) offerUndo(`Brought back an earlier version of “${name}”`, { undoId, onUndone: reload });
    },
    onError: (reason) => notifyError(errorText(reason)),
    onSettled: reload,
  });
  if (error && !data) {
    return (
      <>
        <p className={classes.none}>{errorText(error)}</p>
        <Button className={classes.again} size="sm" onClick={reload}>
          Try again
        </Button>
      </>
    );
  }
  if (!data) return <SkeletonRows count={3} />;
  if (!data.kept) return <p className={classes.none}>Sheaf cannot list earlier versions of files here.</p>;
  if (data.versions.length === 0) return <p className={classes.none}>The storage has no earlier version of this file.</p>;
  return (
    <ul className={classes.versions}>
      {data.versions.map((version) => {
        const when = version.modified === undefined ? 'Earlier version' : formatModified(version.modified);
        return (
          <li key={version.versionId}>
            <span>
              {when}
              {version.size !== undefined && <small>{formatSize(version.size)}</small>}
            </span>
            {data.canRestore && (
              <Button
                size="xs"
                variant="default"
                // Several are often of the same minute.
                aria-label={`Bring back the version of ${when}${version.size === undefined ? '' : `, ${formatSize(version.size)}`}`}
                // Not `disabled`, which would take the focus away from the button that was pressed.
                aria-disabled={restore.isPending}
                data-disabled={restore.isPending}
                onClick={() => !restore.isPending && restore.mutate(version)}
              >
                Bring back
              </Button>
            )}
          </li>
        );
      })}
    </ul>
  );
}
