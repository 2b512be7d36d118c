import { Shown } from '#/features/preview/Shown.tsx';
import { useZoom } from '#/features/preview/use-zoom.ts';
import { PublicPage } from '#/features/shares/public/PublicPage.tsx';
import { previewKindOf } from '#/lib/preview-kind.ts';
import type { Previewed } from '#/lib/previewing.ts';

const nothing = (): void => undefined;

/** A shared file in the way of its kind. What an archive holds is not told to strangers before they have it. */
function View({ file }: { file: Previewed }) {
  const kind = previewKindOf(file);
  return <Shown file={file} kind={kind === 'archive' ? undefined : kind} zoom={useZoom(file.key)} onDimensions={nothing} />;
}

/** What somebody has shared, with the previews of the files in it. */
export function PublicScreen() {
  return <PublicPage View={View} />;
}
