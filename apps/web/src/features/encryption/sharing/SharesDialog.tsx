import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { formatModified } from '#/lib/format.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { queryClient } from '#/lib/query-client.ts';
import { CopyField } from '#/ui/CopyField.tsx';
import { Dialog, DialogButtons, DialogFields } from '#/ui/dialog/Dialog.tsx';
import { Notice } from '#/ui/feedback/Notice.tsx';
import { notifyDone } from '#/ui/feedback/notify.ts';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';
import type { Place } from '../folder/own-parts.ts';
import { type OwnShare, endShare, ownShares, removeLeftovers } from './shares.ts';
import classes from './sharing.module.css';

/** Lists the shares of an open vault with their full addresses, and ends them. */
export function SharesDialog({ place, onClose }: { place: Place; onClose: () => void }) {
  const query = ownShares(place);
  const { data, error } = useQuery(query);
  const reload = (): Promise<void> => queryClient.invalidateQueries({ queryKey: query.queryKey });
  const end = useMutation({
    mutationFn: ({ weblink }: OwnShare) => endShare(weblink),
    onSuccess: (_, { name }) => notifyDone(`“${name ?? 'The item'}” is no longer shared.`),
    onSettled: reload,
  });
  const tidy = useMutation({ mutationFn: removeLeftovers, onSettled: reload });
  const problem = error ?? end.error ?? tidy.error;
  return (
    <Dialog title="Shared from this vault" sentence="The names and the keys are known to this browser only." onClose={onClose} wide>
      <DialogFields>
        {!data && !error && <SkeletonRows count={2} />}
        {data?.shares.length === 0 && <p>Nothing of this vault is shared. Choose Share in the menu of a file or folder.</p>}
        {data && data.shares.length > 0 && (
          <ul className={classes.shares} aria-label="Shares">
            {data.shares.map((share) => (
              <li key={share.weblink.weblinkId} aria-label={share.name ?? 'Unknown item'}>
                <div className={classes.head}>
                  <b>{share.name ?? 'Unknown item'}</b>
                  <Button size="xs" loading={end.isPending && end.variables === share} onClick={() => end.mutate(share)}>
                    Stop sharing
                  </Button>
                </div>
                <p>{factsOf(share)}</p>
                {share.address !== undefined && <CopyField label="Address" text={share.address} />}
              </li>
            ))}
          </ul>
        )}
        {data && data.leftovers.length > 0 && (
          <Notice kind="note">
            {data.leftovers.length === 1 ? 'One copy was' : `${data.leftovers.length} copies were`} encrypted for shares that have ended.{' '}
            <Button size="xs" loading={tidy.isPending} onClick={() => tidy.mutate(data.leftovers)}>
              Delete
            </Button>
          </Notice>
        )}
        {problem && <Notice kind="error">{errorText(problem)}</Notice>}
      </DialogFields>
      <DialogButtons>
        <Button variant="filled" onClick={onClose} data-autofocus>
          Done
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

function factsOf({ weblink: { nbrVisits, hasPassword, expirationTimeStamp, viewOnly, downloadLimit, downloads = 0 } }: OwnShare): string {
  return [
    `${nbrVisits.toLocaleString('en')} ${nbrVisits === 1 ? 'visit' : 'visits'}`,
    hasPassword ? 'with a password' : 'no password',
    expirationTimeStamp === undefined ? 'no end' : `ends ${formatModified(expirationTimeStamp)}`,
    ...(viewOnly ? ['no download'] : []),
    ...(downloadLimit === undefined ? [] : [`${downloads} of ${downloadLimit} downloads`]),
  ].join(', ');
}
