import { Button } from '@mantine/core';
import { IconCloudOff, IconPlugConnectedX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './StatePanel.module.css';

type PanelProps = { icon?: ReactNode; title: string; children?: ReactNode; actions?: ReactNode; role?: 'alert' };

/** A screen, or a part of one, that has nothing to list: what is the matter, and what to do about it. */
export function EmptyState({ icon, title, children, actions, role }: PanelProps) {
  return (
    <div className={classes.panel} role={role}>
      {icon !== undefined && (
        <span className={classes.icon} aria-hidden="true">
          {icon}
        </span>
      )}
      <h2 className={classes.title}>{title}</h2>
      {children !== undefined && <div className={classes.text}>{children}</div>}
      {actions !== undefined && <div className={classes.actions}>{actions}</div>}
    </div>
  );
}

type ErrorProps = { title: string; message: string; onRetry?: () => void; actions?: ReactNode };

/** What could not be shown and why, with the way to try again. */
export function ErrorState({ title, message, onRetry, actions }: ErrorProps) {
  const offline = !navigator.onLine;
  return (
    <EmptyState
      role="alert"
      icon={offline ? <IconCloudOff size={24} stroke={1.5} /> : <IconPlugConnectedX size={24} stroke={1.5} />}
      title={offline ? 'You are offline' : title}
      actions={
        <>
          {onRetry && <Button onClick={onRetry}>Try again</Button>}
          {actions}
        </>
      }
    >
      {offline ? 'What you see may be older than what is stored. It comes back when the connection does.' : message}
    </EmptyState>
  );
}
