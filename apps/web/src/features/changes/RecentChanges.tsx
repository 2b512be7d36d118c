import { Button } from '@mantine/core';
import { type RecentChange, undoChange } from '@sheaf/contract';
import { IconArrowBackUp } from '@tabler/icons-react';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { formatModified, itemCount } from '#/lib/format.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { send } from '#/lib/http/send.ts';
import { notifyDone, notifyError } from '#/ui/feedback/notify.ts';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';
import { EmptyState, ErrorState } from '#/ui/feedback/StatePanel.tsx';
import { recentChanges } from './queries.ts';
import classes from './changes.module.css';

function whatHappened({ kind, items, name, newName }: RecentChange): string {
  if (items > 1) return `${kind === 'delete' ? 'Deleted' : 'Renamed'} ${itemCount(items)}`;
  if (kind === 'delete') return `Deleted “${name}”`;
  return newName === undefined ? `Moved “${name}”` : `Renamed “${name}” to “${newName}”`;
}

/** Changes made through Sheaf, the newest first. */
export function RecentChanges() {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(recentChanges);
  if (error && !data)
    return <ErrorState title="The changes could not be shown" message={errorText(error)} onRetry={() => void refetch()} />;
  if (!data) return <SkeletonRows count={6} height={44} />;
  const changes = data.pages.flatMap((page) => page.changes);
  if (changes.length === 0) {
    return (
      <EmptyState icon={<IconArrowBackUp size={24} stroke={1.5} />} title="Nothing has changed lately.">
        What you delete or rename is listed here, so that you can undo it.
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
      {hasNextPage && (
        <Button loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show more
        </Button>
      )}
      <p className={classes.note}>A change can be undone for a limited time, as long as the item has not changed since.</p>
    </>
  );
}

function Row({ change }: { change: RecentChange }) {
  const client = useQueryClient();
  const { undoId, linkName, folderPath, at, undoable, undone, items } = change;
  const undoing = useMutation({
    mutationFn: () => send(undoChange, { undoId }),
    onSuccess: (result) => {
      const [first] = result.refused;
      if (first) notifyError(`${itemCount(result.refusedTotal)} could not be undone. ${errorText(first.error)}`);
      else notifyDone(`Undone: ${itemCount(result.undone)}`);
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
        <span className={classes.state}>{undone === items ? 'Undone' : 'Cannot be undone'}</span>
      )}
    </li>
  );
}
