import type { PublicItem } from '@sheaf/contract';
import { useEffect, useEffectEvent } from 'react';
import { useKnown } from '#/lib/http/question.ts';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';
import { useGo } from '#/ui/PathLink.tsx';
import { itemHref } from './item-href.ts';
import { type FileView, PublicFile } from './PublicFile.tsx';
import { PublicShell } from './PublicShell.tsx';
import { publicFile } from './queries.ts';
import { Refusal, Unavailable } from './Refusal.tsx';
import { type ShareAddress, shareHref } from './share-address.ts';

/** Elements that use the arrow keys themselves. */
const keepsArrows = 'video, audio, [data-scrolls-across]';

type Props = {
  place: ShareAddress;
  name: string;
  /** The folder's loaded items, in order. */
  beside: readonly PublicItem[];
  viewOnly: boolean;
  View: FileView;
};

/** A file of a shared folder; arrow keys go to its neighbours, Esc returns to the folder. */
export function FolderFile({ place, name, beside, viewOnly, View }: Props) {
  const files = beside.filter(({ fileType }) => fileType === 'FILE');
  const at = files.findIndex((file) => file.name === name);
  const question = at < 0 ? publicFile(place.weblinkId, place.path, name) : undefined;
  const { data, error } = useKnown(question);
  const go = useGo();
  const folder = shareHref(place);
  const hrefAt = (index: number): string | undefined => {
    const file = at < 0 ? undefined : files[index];
    return file && itemHref(place, file);
  };
  const [before, after] = [hrefAt(at - 1), hrefAt(at + 1)];

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || (event.target instanceof Element && event.target.closest(keepsArrows))) return;
    const to = { ArrowLeft: before, ArrowRight: after, Escape: folder }[event.key];
    if (to !== undefined) go(to, { replace: event.key !== 'Escape' });
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => onKey(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);

  const file = files[at] ?? data;
  if (file) {
    const ways = { folder, before, after };
    return <PublicFile key={file.path} weblinkId={place.weblinkId} file={file} viewOnly={viewOnly} ways={ways} View={View} />;
  }
  if (error !== undefined) {
    const again = (): void => void question?.ask();
    return <Refusal weblinkId={place.weblinkId} error={error} onRetry={again} onOpened={again} />;
  }
  if (file === null) return <Unavailable />;
  return (
    <PublicShell>
      <SkeletonRows count={3} />
    </PublicShell>
  );
}
