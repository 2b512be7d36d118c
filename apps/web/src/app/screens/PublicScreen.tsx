import { Shown } from '#/features/preview/Shown.tsx';
import { useZoom } from '#/features/preview/views/use-zoom.ts';
import { PublicPage } from '#/features/shares/public/PublicPage.tsx';
import { previewKindOf } from '#/lib/files/preview-kind.ts';
import type { Previewed } from '#/lib/files/previewing.ts';

const nothing = (): void => undefined;

/** Preview of a shared file, by its kind. */
function View({ file }: { file: Previewed }) {
  return <Shown file={file} kind={previewKindOf(file)} zoom={useZoom(file.key)} onDimensions={nothing} />;
}

/** A share, with previews of its files. */
export function PublicScreen() {
  return <PublicPage View={View} />;
}
