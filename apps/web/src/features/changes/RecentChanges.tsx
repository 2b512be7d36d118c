import { Button } from '@mantine/core';
import { type RecentChange, undoChange } from '@sheaf/contract';
import { IconArrowBackUp } from '@tabler/icons-react';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { formatModified, itemCount } from '#/lib/format.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { send } from '#/lib/http/send.ts';
import { undoneText } from '#/lib/undoing.ts';
import { ShowMore } from '#/ui/button/ShowMore.tsx';
import { notifyDone, notifyError } from '#/ui/feedback/notify.ts';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';
import { EmptyState, ErrorState } from '#/ui/feedback/StatePanel.tsx';
import { recentChanges } from './queries.ts';
import classes from './changes.module.css';

const verbs = { delete: 'Deleted', rename: 'Renamed', move: 'Moved', replace: 'Replaced', copy: 'Copied', mirror: 'Mirrored' } as const;

function whatHappened({ kind, items, name, newName, toFolder }: RecentChange): string {
  const what = items > 1 ? itemCount(items) : `“${name}”`;
  if (toFolder !== undefined) return `${verbs[kind]} ${what} to ${toFolder.split('/').filter(Boolean).join(' / ')}`;
  return items === 1 && newName !== undefined ? `${verbs[kind]} ${what} to “${newName}”` : `${verbs[kind]} ${what}`;
}

function stateOf({ undoing, undone, items }: RecentChange): string {
  if (undoing) return 'Being undone';
  return undone === items ? 'Undone' : 'Cannot be undone';
}

/** Changes made through Sheaf, the newest first. */
export function RecentChanges() {
  const pages = useInfiniteQuery(recentChanges);
  const { data, error, refetch } = pages;
  if (error && !data)
    return <ErrorState title="The changes could not be shown" message={errorText(error)} onRetry={() => void refetch()} />;
  if (!data) return <SkeletonRows count={6} height={44} />;
  const changes = data.pages.flatMap((page) => page.changes);
  if (changes.length === 0) {
    return (
      <EmptyState icon={<IconArrowBackUp size={24} stroke={1.5} />} title="Nothing has changed lately.">
        What you delete, replace, rename, move or copy is listed here, so that you can undo it.
      </EmptyState>
    );
  }
  return (
    <>
      <ol aria-label="Recent changes">
        {changes.map((change) => (
          <Row key={change.undoId} change={change} />
        ))}
      </ol>
      <ShowMore pages={pages} />
      <p className={classes.note}>A change can be undone for a limited time, as long as the item has not changed since.</p>
    </>
  );
}

function Row({ change }: { change: RecentChange }) {
  const client = useQueryClient();
  const { undoId, linkName, folderPath, at, undoable } = change;
  const undoing = useMutation({
    mutationFn: () => send(undoChange, { undoId }),
    onSuccess: (result) => {
      if (result.refused.length > 0) notifyError(undoneText(result));
      else notifyDone(undoneText(result));
    },
    onError: (error) => notifyError(errorText(error)),
    onSettled: () => client.invalidateQueries({ queryKey: recentChanges.queryKey }),
  });
  return (
    <li className={classes.row}>
      <span className={classes.what}>
        {whatHappened(change)}
        <small>{[linkName, ...folderPath.split('/').filter(Boolean)].join(' / ')}</small>
      </span>
      <time dateTime={new Date(at * 1000).toISOString()}>{formatModified(at)}</time>
      {undoable > 0 ? (
        <Button
          leftSection={<IconArrowBackUp size={16} stroke={1.75} />}
          loading={undoing.isPending}
          aria-label={`Undo: ${whatHappened(change)}`}
          onClick={() => undoing.mutate()}
        >
          Undo
        </Button>
      ) : (
        <span className={classes.state}>{stateOf(change)}</span>
      )}
    </li>
  );
}
