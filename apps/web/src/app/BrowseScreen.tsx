import { Suspense, lazy } from 'react';
import { BrowsePage } from '#/features/browse/BrowsePage.tsx';
import { loadChunk } from '#/lib/load-chunk.ts';
import type { PreviewProps } from '#/lib/previewing.ts';

const Loaded = lazy(() => loadChunk(() => import('#/features/preview/Preview.tsx')).then(({ Preview }) => ({ default: Preview })));

/** The preview, which arrives with the first file that is looked at. */
function Preview(props: PreviewProps) {
  return (
    <Suspense>
      <Loaded {...props} />
    </Suspense>
  );
}

/** Folders, and the files in them over those. */
export function BrowseScreen() {
  return <BrowsePage Preview={Preview} />;
}
