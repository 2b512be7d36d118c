import { IconAlertTriangle, IconRefresh } from '@tabler/icons-react';
import { formatAgo } from '#/lib/format.ts';
import { IconButton } from '#/ui/IconButton.tsx';
import type { ListingState } from './listing.ts';
import classes from '../browse.module.css';

/** Age of the rows, whether they are being refreshed, and pending renames. */
export function Freshness({ state, onRefresh }: { state: ListingState; onRefresh: () => void }) {
  const { stale, listedAt, status, renames } = state;
  const trouble = state.refreshError ?? state.rowsError;
  const age = listedAt === undefined ? undefined : `Stored ${formatAgo(listedAt)}`;
  return (
    <span className={classes.fresh} role="status">
      {renames.length > 0 && (
        <>
          <i className={classes.asking} />
          <span>{renames.map(({ name, newName }) => `Renaming ${name} to ${newName}`).join(', ')}</span>
        </>
      )}
      {status === 'ready' && stale && renames.length === 0 && (
        <>
          <i className={classes.asking} />
          <span>
            <span className={classes.long}>{age === undefined ? 'Asking' : `${age}, asking`}</span>
            <span className={classes.short}>Asking</span>
          </span>
        </>
      )}
      {status === 'ready' && !stale && trouble !== undefined && (
        <span className={classes.old} title={trouble}>
          <IconAlertTriangle size={14} stroke={2} aria-hidden="true" />
          <span className={classes.long}>
            {age}. {trouble}
          </span>
          <span className={classes.short}>{age}</span>
        </span>
      )}
      {!stale && (
        <IconButton small label="Refresh" onClick={onRefresh}>
          <IconRefresh size={16} stroke={1.75} />
        </IconButton>
      )}
    </span>
  );
}
