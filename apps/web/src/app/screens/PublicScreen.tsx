import { Waiting } from '#/features/preview/Waiting.tsx';
import { PublicPage } from '#/features/shares/public/PublicPage.tsx';
import { late } from '#/lib/late.tsx';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';

// A list, and a file's name with its download, are there before the scripts of previews.
const View = late(() => import('./PublicView.tsx').then(({ PublicView }) => PublicView), <Waiting />);

const Sealed = late(
  () => import('#/features/encryption/sharing/SealedShare.tsx').then(({ SealedShare }) => SealedShare),
  <SkeletonRows count={8} height={40} tile={24} />,
);

/** A share, with previews of its files. */
export function PublicScreen() {
  return <PublicPage View={View} Sealed={Sealed} />;
}
