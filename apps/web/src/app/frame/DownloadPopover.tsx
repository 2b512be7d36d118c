import { late } from '#/lib/late.tsx';

/** Popover of the menu action DOWNLOAD_DESKTOP; it stays open when the menu closes. */
export const DownloadPopover = late(
  () => import('#/features/downloads/DownloadDialog.tsx').then((loaded) => loaded.DownloadDialog),
  null,
  'overlay',
);
