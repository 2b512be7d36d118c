import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ComponentType, useEffect, useState } from 'react';
import { errorText } from '#/lib/http/error-text.ts';
import { queryClient } from '#/lib/query-client.ts';
import type { ShareTermsChosen, ShareTermsProps } from '#/lib/sharing/share-terms.ts';
import { CopyField } from '#/ui/CopyField.tsx';
import { Dialog, DialogButtons, DialogFields } from '#/ui/dialog/Dialog.tsx';
import { Notice } from '#/ui/feedback/Notice.tsx';
import { ProgressTrack } from '#/ui/ProgressTrack.tsx';
import type { ClearFolder, ClearItem } from '../folder/listing.ts';
import type { Place } from '../folder/own-parts.ts';
import { shareItems } from './share-items.ts';
import { ownShares } from './shares.ts';

type Props = {
  place: Place;
  folder: ClearFolder;
  items: readonly ClearItem[];
  Terms: ComponentType<ShareTermsProps>;
  onClose: () => void;
};

/** Shares vault items: re-encrypts them in this browser with a key that is in the address and never at the server. */
export function ShareDialog({ place, folder, items, Terms, onClose }: Props) {
  const [terms, setTerms] = useState<ShareTermsChosen | undefined>({});
  const [part, setPart] = useState(0);
  const [life] = useState(() => new AbortController());
  useEffect(() => () => life.abort(), [life]);
  const name = items.length === 1 ? (items[0]?.name ?? '') : `${items.length} items`;
  const share = useMutation({
    mutationFn: (chosen: ShareTermsChosen) =>
      shareItems({ place, folder, items, name, terms: chosen, onProgress: setPart, signal: life.signal }),
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: ownShares(place).queryKey }),
  });
  if (share.data !== undefined)
    return (
      <Dialog
        title={`${name} is shared`}
        sentence="The key stands after # in the address. No browser sends it to the server."
        onClose={onClose}
        wide
      >
        <DialogFields>
          <CopyField label="Address" text={share.data} />
          <p>
            Whoever has the whole address can read what you shared, and nothing else of the vault. You find it again under “Shared from this
            vault”.
          </p>
        </DialogFields>
        <DialogButtons>
          <Button variant="filled" onClick={onClose}>
            Done
          </Button>
        </DialogButtons>
      </Dialog>
    );
  return (
    <Dialog
      title={`Share ${name}`}
      sentence="This browser encrypts it anew, with a key of its own. Later changes in the vault are not shared."
      onClose={onClose}
      busy={share.isPending}
      wide
    >
      <form action={() => (terms && !share.isPending ? share.mutate(terms) : undefined)}>
        <DialogFields>
          {share.isPending ? (
            <>
              <p role="status">Encrypting for the share …</p>
              <ProgressTrack className={undefined} label={`Sharing ${name}`} percent={Math.round(part * 100)} />
            </>
          ) : (
            <Terms onChange={setTerms} />
          )}
        </DialogFields>
        {share.error && (
          <Notice kind="error" inDialog>
            {errorText(share.error)}
          </Notice>
        )}
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="filled" loading={share.isPending} disabled={!terms}>
            Share
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
