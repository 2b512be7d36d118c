import { Button } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { useState } from 'react';
import { logError } from '#/lib/log.ts';

/** Asks the browser for notifications; gone once the user has answered. */
export function NotifyButton() {
  const [permission, setPermission] = useState(() => (typeof Notification === 'undefined' ? 'denied' : Notification.permission));
  if (permission !== 'default') return null;
  return (
    <Button
      size="xs"
      leftSection={<IconBell size={16} stroke={1.75} aria-hidden="true" />}
      onClick={() => {
        Notification.requestPermission().then(setPermission, (error: unknown) => logError('The browser asks for no notifications.', error));
      }}
    >
      Notify me when long ones end
    </Button>
  );
}
