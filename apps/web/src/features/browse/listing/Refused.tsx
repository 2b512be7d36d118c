import { Button } from '@mantine/core';
import { useAuthorization } from '#/features/browse/use-authorization.ts';
import { useEditAddress } from '#/features/browse/use-edit-address.ts';
import { CallError } from '#/lib/http/call-error.ts';
import { orgHome } from '#/lib/org-address.ts';
import { ErrorState } from '#/ui/feedback/StatePanel.tsx';
import { PathLink } from '#/ui/PathLink.tsx';

/** Shown for a folder that cannot be read, with actions. The reason is in the notification of {@link useTrouble}, not here. */
export function Refused({ linkName, error, onRetry }: { linkName: string; error: unknown; onRetry: () => void }) {
  const authorize = useAuthorization(linkName, error);
  const editAddress = useEditAddress(linkName, error);
  if (authorize) {
    return (
      <ErrorState
        title="Sheaf needs your authorization"
        actions={
          <Button variant="filled" onClick={authorize}>
            Authorize
          </Button>
        }
      />
    );
  }
  if (error instanceof CallError && error.is('ORG_EXPIRED')) {
    return (
      <ErrorState
        title="The organisation's plan has ended"
        actions={
          <Button component={PathLink} href={orgHome}>
            Show my organisations
          </Button>
        }
      />
    );
  }
  if (error instanceof CallError && error.is('SPACE_EXPIRED_OWN')) {
    return (
      <ErrorState
        title="Your subscription to Spaces has ended"
        actions={
          <Button variant="filled" component={PathLink} href="/add-ons/spaces">
            Get Spaces
          </Button>
        }
      />
    );
  }
  if (error instanceof CallError && error.is('INVALID_LINK_URI')) {
    return (
      <ErrorState
        title={`There is no link named ${linkName}`}
        message="It may have been renamed or unlinked."
        actions={
          <Button variant="filled" component={PathLink} href="/account/mysheaf">
            Show my links
          </Button>
        }
      />
    );
  }
  return (
    <ErrorState
      title="This folder cannot be shown"
      onRetry={onRetry}
      actions={
        editAddress !== undefined && (
          <Button variant="filled" component={PathLink} href={editAddress} aria-label={`Fix ${linkName}`}>
            Fix
          </Button>
        )
      }
    />
  );
}
