import type { Place } from '@sheaf/contract';
import { placeHref } from '#/app/frame/places/place-href.ts';
import { browseHref } from '#/features/browse/paths.ts';
import { fileKindOf } from '#/lib/files/file-kind.ts';
import { formatModified } from '#/lib/format.ts';
import { FileIcon } from '#/ui/FileIcon.tsx';
import { RowLink } from '#/ui/RowLink.tsx';
import classes from './home.module.css';

/** Most items shown. */
const most = 4;

/** Items that the user has used lately. Links are left out, because the same page lists them below. */
export function Continue({ recents }: { recents: readonly Place[] }) {
  const shown = recents.filter(({ folder }) => folder.length > 0).slice(0, most);
  if (shown.length === 0) return null;
  return (
    <section aria-labelledby="continue">
      <h2 id="continue" className={classes.title}>
        Continue
      </h2>
      <ul className={classes.cards}>
        {shown.map((place) => {
          const { linkUri, name, folder, isFolder, at } = place;
          return (
            <li key={linkUri} className={classes.card} title={[...folder, name].join(' / ')}>
              <FileIcon kind={fileKindOf({ name, fileType: isFolder ? 'FOLDER' : 'FILE' })} size={24} />
              <span className={classes.words}>
                <RowLink className={classes.name} href={placeHref(place, browseHref)}>
                  {name}
                </RowLink>
                <span className={classes.where}>{folder.join(' / ')}</span>
              </span>
              <span className={classes.when}>{formatModified(at)}</span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
