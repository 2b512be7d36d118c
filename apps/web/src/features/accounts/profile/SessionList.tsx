import { Button } from '@mantine/core';
import { type SessionRow, describeDevice } from '@sheaf/contract';
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { sessionList, useExpireSessions } from '#/features/accounts/queries.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { notifyError } from '#/ui/feedback/notify.ts';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';
import { ErrorState } from '#/ui/feedback/StatePanel.tsx';
import { Tile } from '#/ui/Tile.tsx';
import classes from '../profile.module.css';

/** The account's sessions; each can be ended, and all others at once. */
export function SessionList() {
  const { data, error, refetch } = useQuery(sessionList);
  const expire = useExpireSessions();
  if (error) return <ErrorState title="Your sessions could not be listed" message={errorText(error)} onRetry={() => void refetch()} />;
  if (!data) return <SkeletonRows count={2} height={60} />;
  const end = (sessionId?: string): void =>
    expire.mutate(sessionId, { onError: (error) => notifyError(`Cannot end the session. ${errorText(error)}`) });
  return (
    <div className={classes.stack}>
      <ul className={classes.list}>
        {data.sessions.map((session) => (
          <Row key={session.sessionId} session={session} isBusy={expire.isPending} onEnd={() => end(session.sessionId)} />
        ))}
      </ul>
      {data.sessions.length > 1 && (
        <Button disabled={expire.isPending} onClick={() => end()}>
          End all other sessions
        </Button>
      )}
    </div>
  );
}

function Row({ session, isBusy, onEnd }: { session: SessionRow; isBusy: boolean; onEnd: () => void }) {
  const { name, isPhone } = describeDevice(session.userAgent);
  const Icon = isPhone ? IconDeviceMobile : IconDeviceDesktop;
  const when = new Date(session.lastSeenAt * 1000).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <li className={classes.item}>
      <Tile>
        <Icon size={18} stroke={1.75} />
      </Tile>
      <span>
        <b>{name}</b>
        <small>
          {session.address}, last used {when}
        </small>
      </span>
      {session.current ? (
        <span className={classes.good}>This one</span>
      ) : (
        <Button size="xs" disabled={isBusy} onClick={onEnd} aria-label={`End the session of ${name}`}>
          End
        </Button>
      )}
    </li>
  );
}
