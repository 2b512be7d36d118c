import { BrowsePage } from '#/features/browse/BrowsePage.tsx';
import { late } from '#/lib/late.tsx';

/** The preview, which arrives with the first file that is looked at. */
const Preview = late(() => import('#/features/preview/Preview.tsx').then((loaded) => loaded.Preview), null, 'overlay');

/** Folders, and the files in them over those. */
export function BrowseScreen() {
  return <BrowsePage Preview={Preview} />;
}
