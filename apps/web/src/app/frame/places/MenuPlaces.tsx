import type { Place } from '@sheaf/contract';
import { IconPinnedOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { browseHref } from '#/features/browse/paths.ts';
import { DropHint } from '#/features/browse/transfers/DropHint.tsx';
import { useRowDrag } from '#/features/browse/transfers/use-row-drag.ts';
import { linkList } from '#/features/links/queries.ts';
import { linksByType } from '#/features/links/rows.ts';
import { SourceLogo } from '#/features/links/SourceLogo.tsx';
import { fileKindOf } from '#/lib/files/file-kind.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { places, useOrderPlaces, useTogglePin } from '#/lib/places.ts';
import { notifyError } from '#/ui/feedback/notify.ts';
import { FileIcon } from '#/ui/FileIcon.tsx';
import { IconButton } from '#/ui/IconButton.tsx';
import { PathLink } from '#/ui/PathLink.tsx';
import { placeHref } from './place-href.ts';
import { placesOfLinks } from './places-of-links.ts';
import { Sortable } from './Sortable.tsx';
import classes from './places.module.css';

/** Most links, and recently used items, in the menu. */
const [mostLinks, mostRecents] = [8, 5];
const reportError = (error: unknown): void => notifyError(errorText(error));
const canWrite: ReadonlySet<'write'> = new Set(['write']);

/** Pins, links and recently used items in the side menu; rows of a folder can be dropped on links and pinned folders. */
export function MenuPlaces({ onLeave }: { onLeave: () => void }) {
  const known = useQuery(places).data;
  const groups = useQuery(linkList()).data;
  const order = useOrderPlaces(reportError);
  const togglePin = useTogglePin(reportError);
  const { drag, aim } = useRowDrag({ can: canWrite, chosen: [] });
  if (!known || !groups) return null;
  const { linkOrder } = known;
  const all = linksByType(groups.activeSources).flatMap(({ links }) => links);
  const [pins, recents] = [placesOfLinks(known.pins, all), placesOfLinks(known.recents, all)];
  const at = (id: string): number => (linkOrder.includes(id) ? linkOrder.indexOf(id) : linkOrder.length);
  const ordered = all.toSorted((a, b) => at(a.userLinkId) - at(b.userLinkId)).map((link) => ({ ...link, key: link.userLinkId }));
  const sections = [
    { title: 'Links', of: ordered.filter(({ spaceRole }) => spaceRole === undefined), moreHref: '/account/mysheaf', one: 'link' },
    {
      title: 'Spaces',
      of: ordered.filter(({ spaceRole }) => spaceRole !== undefined),
      moreHref: '/account/mysheaf?catid=spaces',
      one: 'Space',
    },
  ];
  const isPinned = new Set(pins.map(({ linkUri }) => linkUri));
  const lately = recents.filter(({ linkUri }) => !isPinned.has(linkUri)).slice(0, mostRecents);
  return (
    <>
      {pins.length > 0 && (
        <section className={classes.places} aria-label="Pinned">
          <h2 className={classes.title}>Pinned</h2>
          <Sortable
            entries={pins.map((pin) => ({ ...pin, key: pin.linkUri }))}
            onOrder={(keys) => order({ pins: keys.flatMap((key) => pins.find(({ linkUri }) => linkUri === key) ?? []) })}
            rowProps={(pin) => (pin.isFolder ? drag.target(pin) : {})}
          >
            {(pin) => (
              <>
                <PlaceLink place={pin} onLeave={onLeave} />
                <IconButton
                  small
                  label={`Unpin ${pin.name}`}
                  onClick={() => togglePin({ linkUri: pin.linkUri, fileType: pin.isFolder ? 'FOLDER' : 'FILE' }, true)}
                >
                  <IconPinnedOff size={16} stroke={1.75} />
                </IconButton>
              </>
            )}
          </Sortable>
        </section>
      )}
      {sections.map(({ title, of, moreHref, one }) => {
        const [shown, hidden] = [of.slice(0, mostLinks), of.slice(mostLinks)];
        // The order of links is one for both sections.
        const others = ordered.filter((link) => !of.includes(link));
        return (
          of.length > 0 && (
            <section key={title} className={classes.places} aria-label={title}>
              <h2 className={classes.title}>{title}</h2>
              <Sortable
                entries={shown}
                onOrder={(keys) => order({ links: [...keys, ...[...hidden, ...others].map(({ key }) => key)] })}
                rowProps={(link) => drag.target(link)}
              >
                {(link) => (
                  <PathLink className={classes.place} href={link.browseUrl} draggable={false} onClick={onLeave}>
                    <SourceLogo src={link.thumbnailUrl} size={20} />
                    <span>{link.name}</span>
                    {link.state === 'attention' && <i className={classes.attention} role="img" aria-label="Needs attention" />}
                  </PathLink>
                )}
              </Sortable>
              {hidden.length > 0 && (
                <PathLink className={classes.more} href={moreHref} onClick={onLeave}>
                  {hidden.length === 1 ? `1 more ${one}` : `${hidden.length} more ${one}s`}
                </PathLink>
              )}
            </section>
          )
        );
      })}
      {lately.length > 0 && (
        <section className={classes.places} aria-label="Recent">
          <h2 className={classes.title}>Recent</h2>
          <ul className={classes.list}>
            {lately.map((place) => (
              <li key={place.linkUri} className={classes.row} {...(place.isFolder && drag.target(place))}>
                <PlaceLink place={place} onLeave={onLeave} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {aim && <DropHint aim={aim} />}
    </>
  );
}

function PlaceLink({ place, onLeave }: { place: Place; onLeave: () => void }) {
  const { name, folder, isFolder } = place;
  return (
    <PathLink
      className={classes.place}
      href={placeHref(place, browseHref)}
      title={[...folder, name].join(' / ')}
      draggable={false}
      onClick={onLeave}
    >
      <FileIcon kind={fileKindOf({ name, fileType: isFolder ? 'FOLDER' : 'FILE' })} size={18} />
      <span>{name}</span>
    </PathLink>
  );
}
