import { late } from '#/lib/late.tsx';

/** What the menus' action DOWNLOAD_DESKTOP opens; it outlives the menu, which closes with a click into it. */
export const DownloadPopover = late(
  () => import('#/features/downloads/DownloadDialog.tsx').then((loaded) => loaded.DownloadDialog),
  null,
  'overlay',
);
