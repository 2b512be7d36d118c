import { BrowsePage } from '#/features/browse/BrowsePage.tsx';
import { late } from '#/lib/late.tsx';

/** The preview, loaded with the first file that is opened. */
const Preview = late(() => import('#/features/preview/Preview.tsx').then((loaded) => loaded.Preview), null, 'overlay');

/** Folders, and previews of their files on top. */
export function BrowseScreen() {
  return <BrowsePage Preview={Preview} />;
}
