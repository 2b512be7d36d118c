import { Suspense, lazy } from 'react';
import { loadChunk } from '#/lib/load-chunk.ts';

const DownloadDialog = lazy(() =>
  loadChunk(() => import('#/features/downloads/DownloadDialog.tsx')).then((module) => ({ default: module.DownloadDialog })),
);

/** What the menus' action DOWNLOAD_DESKTOP opens; it outlives the menu, which closes with a click into it. */
export function DownloadPopover({ onClose }: { onClose: () => void }) {
  return (
    <Suspense>
      <DownloadDialog onClose={onClose} />
    </Suspense>
  );
}
