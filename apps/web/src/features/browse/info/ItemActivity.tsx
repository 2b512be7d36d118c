import { Button } from '@mantine/core';
import { itemActivity } from '@sheaf/contract';
import { useQuery } from '@tanstack/react-query';
import { useMember } from '#/features/browse/member.ts';
import { formatModified } from '#/lib/format.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { send } from '#/lib/http/send.ts';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';
import classes from './info.module.css';

const most = 30;

/** What was done with an item, the newest first. */
export function ItemActivity({ linkUri }: { linkUri: string }) {
  const memberOid = useMember();
  const { data, error, refetch } = useQuery({
    queryKey: ['activity of', linkUri, memberOid],
    queryFn: ({ signal }) => send(itemActivity, { linkUri, limit: most, ...(memberOid !== undefined && { memberOid }) }, signal),
    staleTime: 0,
  });
  if (error && !data) {
    return (
      <>
        <p className={classes.none}>{errorText(error)}</p>
        <Button size="sm" onClick={() => void refetch()}>
          Try again
        </Button>
      </>
    );
  }
  if (!data) return <SkeletonRows count={4} />;
  if (data.events.length === 0) return <p className={classes.none}>Nothing was done with it through Sheaf in the last weeks.</p>;
  return (
    <>
      <ol className={classes.events}>
        {data.events.map(({ id, at, actorName, isOwn, sentence }) => (
          <li key={id}>
            <span>
              <b>{isOwn ? 'You' : (actorName ?? 'Another member')}</b> {sentence}
            </span>
            <time dateTime={new Date(at * 1000).toISOString()}>{formatModified(at)}</time>
          </li>
        ))}
      </ol>
      {data.hasMore && <p className={classes.none}>The last {most} are shown.</p>}
    </>
  );
}
