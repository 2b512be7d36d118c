import { Button } from '@mantine/core';
import { googleCloudFormPath } from '@sheaf/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useQueryParams } from '#/lib/navigation/location.ts';
import { inOrg } from '#/lib/org-address.ts';
import { Dialog, DialogButtons } from '#/ui/dialog/Dialog.tsx';
import { Notice } from '#/ui/feedback/Notice.tsx';
import { PathLink } from '#/ui/PathLink.tsx';
import { linkProvider } from '../queries.ts';
import { logoUrl } from '../rows.ts';
import { SourceLogo } from '../SourceLogo.tsx';
import { linkWebServiceUrl } from './link-web-service.ts';
import type { LinkDialogProps } from './LinkDialog.tsx';

/** A new link by authorization: explains what will happen, and leads to the provider. */
export function AuthorizeDialog({ source, orgOid, targets, asPage = false, onLeave }: LinkDialogProps) {
  const { handoffToken } = useQueryParams();
  const { data: known } = useQuery(linkProvider(source.provider));
  const [submitting, setSubmitting] = useState(false);
  const redirectUrl = source.family === 'googlecloud' ? googleCloudFormPath : targets.back;
  const leave = (): void => onLeave(targets.cancel);
  const authorize = (): void => {
    setSubmitting(true);
    const url = linkWebServiceUrl({ source, redirectUrl, cancelUrl: targets.cancel, handoffToken, orgOid });
    // The Google Cloud flow adds no history entry of its own.
    if (source.family === 'googlecloud') window.location.replace(url);
    else window.location.assign(url);
  };

  return (
    <Dialog
      title={`Link ${source.title}`}
      sentence={`Sheaf requires authorization to access your ${source.title} account.`}
      logo={<SourceLogo src={logoUrl(source.provider)} size={40} />}
      asPage={asPage}
      onClose={leave}
      busy={submitting}
    >
      {known?.isSetUp === false && (
        <Notice kind="note" inDialog>
          <p>
            This provider is not configured on this installation. Its operator enters <code>SHEAF_{source.settings}_CLIENT_ID</code> and{' '}
            <code>SHEAF_{source.settings}_CLIENT_SECRET</code>.
          </p>
          {source.family === 'googlecloud' && (
            <p>
              A bucket can also be linked with <PathLink href={inOrg(googleCloudFormPath, orgOid)}>the key of a service account</PathLink>.
            </p>
          )}
        </Notice>
      )}
      <DialogButtons>
        <Button variant="subtle" onClick={leave} disabled={submitting}>
          Cancel
        </Button>
        <Button variant="filled" onClick={authorize} loading={submitting} data-autofocus>
          Authorize
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
