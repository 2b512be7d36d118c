import { Shown } from '#/features/preview/Shown.tsx';
import { useZoom } from '#/features/preview/views/use-zoom.ts';
import { PublicPage } from '#/features/shares/public/PublicPage.tsx';
import { previewKindOf } from '#/lib/files/preview-kind.ts';
import type { Previewed } from '#/lib/files/previewing.ts';
import { late } from '#/lib/late.tsx';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';

const Sealed = late(
  () => import('#/features/encryption/sharing/SealedShare.tsx').then(({ SealedShare }) => SealedShare),
  <SkeletonRows count={8} height={40} tile={24} />,
);

const nothing = (): void => undefined;

/** Preview of a shared file, by its kind. */
function View({ file }: { file: Previewed }) {
  return <Shown file={file} kind={previewKindOf(file)} zoom={useZoom(file.key)} onDimensions={nothing} />;
}

/** A share, with previews of its files. */
export function PublicScreen() {
  return <PublicPage View={View} Sealed={Sealed} />;
}
