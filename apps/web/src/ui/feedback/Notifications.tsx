import { IconX } from '@tabler/icons-react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { Button } from '#/ui/button/Button.tsx';
import { IconButton } from '#/ui/IconButton.tsx';
import { type Notification, notifications, stays } from './notify.ts';
import classes from './Notifications.module.css';

/** Messages without a place on the screen. */
export function Notifications() {
  const shown = useSyncExternalStore(notifications.subscribe, notifications.list);
  return (
    <section className={classes.place} aria-label="Notifications">
      {shown.map((notification) => (
        <Message key={notification.id} notification={notification} />
      ))}
    </section>
  );
}

function Message({ notification: { id, kind, message, lasting, undo } }: { notification: Notification }) {
  const [isLookedAt, setLookedAt] = useState(false);
  useEffect(() => {
    if (isLookedAt || lasting) return;
    const timer = setTimeout(() => notifications.dismiss(id), stays[undo ? 'undo' : kind]);
    return () => clearTimeout(timer);
  }, [id, kind, undo, isLookedAt, lasting]);
  return (
    <div
      className={classes.message}
      data-kind={kind}
      data-lasting={lasting}
      role={kind === 'error' ? 'alert' : 'status'}
      onPointerEnter={() => setLookedAt(true)}
      onPointerLeave={() => setLookedAt(false)}
      onFocus={() => setLookedAt(true)}
      onBlur={() => setLookedAt(false)}
    >
      <span>{message}</span>
      {undo && (
        <Button
          variant="subtle"
          onClick={() => {
            notifications.dismiss(id);
            undo();
          }}
        >
          Undo
        </Button>
      )}
      <IconButton small label="Dismiss" withTooltip={false} onClick={() => notifications.dismiss(id)}>
        <IconX size={16} stroke={1.75} />
      </IconButton>
    </div>
  );
}
