import { Button } from '@mantine/core';
import { type Item, type KeptVersion, versionDownload, versionList, versionRestore } from '@sheaf/contract';
import { IconDownload, IconExternalLink } from '@tabler/icons-react';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { offerUndo } from '#/features/browse/changes/undo.ts';
import { useMember } from '#/features/browse/member.ts';
import { formatModified, formatSize } from '#/lib/format.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { withQuery } from '#/lib/http/form-body.ts';
import { send } from '#/lib/http/send.ts';
import { newUndoId } from '#/lib/undoing.ts';
import { notifyError } from '#/ui/feedback/notify.ts';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';
import classes from './info.module.css';

/** Earlier contents of a file that its source keeps, the newest first. */
export function ItemVersions({ item: { linkUri, name, modified, size }, onChanged }: { item: Item; onChanged: () => void }) {
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
  const changed = (): void => {
    reload();
    onChanged();
  };
  const restore = useMutation({
    mutationFn: ({ versionId }: KeptVersion) => send(versionRestore, { ...of, versionId, undoId: newUndoId() }),
    onSuccess: ({ undoId }) => {
      if (undoId !== undefined) offerUndo(`Brought back an earlier version of “${name}”`, { undoId, onUndone: changed });
    },
    onError: (reason) => notifyError(errorText(reason)),
    onSettled: changed,
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
  const can = new Set(data.can);
  if (!can.has('list')) return <p className={classes.none}>The storage lists no earlier versions of this file.</p>;
  if (data.versions.length === 0) return <p className={classes.none}>The storage has no earlier version of this file.</p>;
  return (
    <ul className={classes.versions}>
      {data.versions.map((version) => {
        const addressOf = (how: { inline?: 'true' }) => withQuery(versionDownload.path, { ...of, versionId: version.versionId, ...how });
        const when = version.modified === undefined ? 'Earlier version' : formatModified(version.modified);
        // Several are often of the same minute.
        const named = `the version of ${when}${version.size === undefined ? '' : `, ${formatSize(version.size)}`}`;
        return (
          <li key={version.versionId}>
            <span>
              {when}
              {version.size !== undefined && <small>{formatSize(version.size)}</small>}
            </span>
            {can.has('read') && (
              <span className={classes.versionLinks}>
                <a href={addressOf({ inline: 'true' })} target="_blank" rel="noreferrer" aria-label={`Open ${named}`} title="Open">
                  <IconExternalLink size={18} stroke={1.75} />
                </a>
                <a href={addressOf({})} download aria-label={`Download ${named}`} title="Download">
                  <IconDownload size={18} stroke={1.75} />
                </a>
              </span>
            )}
            {can.has('restore') && (
              <Button
                size="xs"
                variant="default"
                aria-label={`Bring back ${named}`}
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
