import { Button } from '@mantine/core';
import { messageOf } from '#/lib/call-error.ts';
import { ErrorState } from '#/ui/StatePanel.tsx';
import { useAuthorization } from './use-authorization.ts';

/** Why a folder cannot be shown, and what can be done about it. */
export function Refused({ linkName, error, onRetry }: { linkName: string; error: unknown; onRetry: () => void }) {
  const authorize = useAuthorization(linkName, error);
  if (authorize) {
    return (
      <ErrorState
        title="Sheaf needs your authorization"
        message={messageOf(error)}
        actions={
          <Button variant="filled" onClick={authorize}>
            Authorize
          </Button>
        }
      />
    );
  }
  return <ErrorState title="This folder cannot be shown" message={messageOf(error)} onRetry={onRetry} />;
}
