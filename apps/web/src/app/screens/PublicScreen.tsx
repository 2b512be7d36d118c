import { Shown } from '#/features/preview/Shown.tsx';
import { useZoom } from '#/features/preview/views/use-zoom.ts';
import { PublicPage } from '#/features/shares/public/PublicPage.tsx';
import { previewKindOf } from '#/lib/files/preview-kind.ts';
import type { Previewed } from '#/lib/files/previewing.ts';

const nothing = (): void => undefined;

/** A shared file in the way of its kind. */
function View({ file }: { file: Previewed }) {
  return <Shown file={file} kind={previewKindOf(file)} zoom={useZoom(file.key)} onDimensions={nothing} />;
}

/** What somebody has shared, with the previews of the files in it. */
export function PublicScreen() {
  return <PublicPage View={View} />;
}
