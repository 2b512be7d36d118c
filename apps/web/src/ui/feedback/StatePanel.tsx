import { IconCloudOff, IconPlugConnectedX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Button } from '../button/Button.tsx';
import classes from './StatePanel.module.css';

type PanelProps = { icon?: ReactNode; title: string; children?: ReactNode; actions?: ReactNode; role?: 'alert'; level?: 1 | 2 };

/** An empty screen or section: why it is empty, and what to do. As a whole screen its heading is of level 1. */
export function EmptyState({ icon, title, children, actions, role, level = 2 }: PanelProps) {
  const Heading = level === 1 ? 'h1' : 'h2';
  return (
    <div className={classes.panel} role={role}>
      {icon !== undefined && (
        <span className={classes.icon} aria-hidden="true">
          {icon}
        </span>
      )}
      <Heading className={classes.title}>{title}</Heading>
      {children !== undefined && <div className={classes.text}>{children}</div>}
      {actions !== undefined && <div className={classes.actions}>{actions}</div>}
    </div>
  );
}

type ErrorProps = { title: string; message?: string; onRetry?: () => void; actions?: ReactNode; level?: 1 | 2 };

/** Something that could not be shown, with a retry; and the reason, unless a notification says it. */
export function ErrorState({ title, message, onRetry, actions, level = 2 }: ErrorProps) {
  const offline = !navigator.onLine;
  return (
    <EmptyState
      {...((offline || message !== undefined) && { role: 'alert' })}
      level={level}
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
