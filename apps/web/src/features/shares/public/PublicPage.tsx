import { type ComponentType, useEffect } from 'react';
import { useKnown } from '#/lib/http/question.ts';
import { late } from '#/lib/late.tsx';
import { usePlace } from '#/lib/navigation/location.ts';
import type { SealedShareProps } from '#/lib/sharing/sealed-share.ts';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';
import { PublicFile, type FileView } from './PublicFile.tsx';
import { PublicFolder } from './PublicFolder.tsx';
import { PublicShell } from './PublicShell.tsx';
import { openedShare } from './queries.ts';
import { Refusal, Unavailable } from './Refusal.tsx';
import { type ShareAddress, parseShareAddress } from './share-address.ts';

/** Loaded on demand, because few shares take uploads. */
const PublicUpload = late(async () => (await import('./upload/PublicUpload.tsx')).PublicUpload);

interface Views {
  /** Renders a file. */
  readonly View: FileView;
  /** Renders a share whose names and contents are encrypted. */
  readonly Sealed: ComponentType<SealedShareProps>;
  /** Called when there is something to preview. */
  readonly onShown: () => void;
}

/** The page of a share for its visitors. */
export function PublicPage(views: Views) {
  const place = parseShareAddress(usePlace().pathname);
  return place ? <Share key={place.weblinkId} place={place} {...views} /> : <Unavailable />;
}

function Share({ place, View, Sealed, onShown }: Views & { place: ShareAddress }) {
  const question = openedShare(place.weblinkId);
  const { data, error } = useKnown(question);
  const hasPreviews = data !== undefined && data.uploadOnly !== true && data.sealed !== true;
  useEffect(() => {
    if (hasPreviews) onShown();
  }, [hasPreviews, onShown]);
  if (data) {
    const { item, name, viewOnly = false, uploadOnly = false, sealed = false } = data;
    if (uploadOnly) return <PublicUpload weblinkId={place.weblinkId} name={name} />;
    if (sealed)
      return (
        <PublicShell>
          <Sealed weblinkId={place.weblinkId} viewOnly={viewOnly} />
        </PublicShell>
      );
    return data.isFolder ? (
      <PublicFolder place={place} shareName={name} viewOnly={viewOnly} View={View} />
    ) : (
      <PublicFile weblinkId={place.weblinkId} file={item} viewOnly={viewOnly} View={View} />
    );
  }
  if (error !== undefined) return <Refusal weblinkId={place.weblinkId} error={error} onRetry={() => void question.ask()} />;
  return (
    <PublicShell>
      <SkeletonRows count={8} height={40} tile={24} />
    </PublicShell>
  );
}
