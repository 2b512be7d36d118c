import { useElementSize } from '@mantine/hooks';
import type { FolderUsage, UsedBy } from '@sheaf/contract';
import { fileKindOf } from '#/lib/files/file-kind.ts';
import { formatSize } from '#/lib/format.ts';
import { PathLink } from '#/ui/PathLink.tsx';
import { type Rectangle, squarify } from './treemap.ts';
import { fileCount } from './words.ts';
import classes from './usage.module.css';

/** Height of a folder's caption, and the space around the folders in it, pixels. */
const caption = 24;
const margin = 3;
/** Sizes in pixels from which a rectangle has room for its name, and for the folders in it. */
const named = { width: 56, height: 24 };
const nested = { width: 110, height: 80 };

type Props = { usage: FolderUsage; hrefOf: (item: Pick<UsedBy, 'linkUri' | 'isFolder' | 'name'>) => string };

/** Items as rectangles whose areas are the room they use; folders show the largest folders in them. */
export function Treemap({ usage: { items, others }, hrefOf }: Props) {
  const { ref, width, height } = useElementSize();
  const used = items.filter(({ bytes }) => bytes > 0);
  const places = squarify([...used.map(({ bytes }) => bytes), ...(others.bytes > 0 ? [others.bytes] : [])], { x: 0, y: 0, width, height });
  const rest = others.bytes > 0 ? places[used.length] : undefined;
  return (
    <div ref={ref} className={classes.map}>
      <ul aria-label="Room used">
        {used.map((item, index) => {
          const place = places[index];
          return place && <Item key={item.linkUri} item={item} place={place} hrefOf={hrefOf} />;
        })}
        {rest && (
          <li className={classes.rest} style={positionOf(rest)}>
            {hasRoom(rest, named) && `${fileCount(others.files)} more`}
          </li>
        )}
      </ul>
    </div>
  );
}

function Item({ item, place, hrefOf }: { item: UsedBy; place: Rectangle; hrefOf: Props['hrefOf'] }) {
  const { name, isFolder, bytes, files, parts } = item;
  const words = `${name}, ${formatSize(bytes)}${isFolder ? `, ${fileCount(files)}` : ''}`;
  const inner = { x: margin, y: caption, width: place.width - 2 * margin, height: place.height - caption - margin };
  const shown = hasRoom(place, nested) ? parts.filter((part) => part.bytes > 0) : [];
  const known = shown.reduce((sum, part) => sum + part.bytes, 0);
  // What the folder holds besides the shown folders keeps its room free, in the last rectangle.
  const spots = squarify([...shown.map((part) => part.bytes), ...(bytes > known ? [bytes - known] : [])], inner);
  return (
    <li className={classes.item} data-kind={isFolder ? 'folder' : fileKindOf({ name })} style={positionOf(place)}>
      <PathLink href={hrefOf(item)} title={words} aria-label={words}>
        {hasRoom(place, named) && (
          <span className={classes.name}>
            <span>{name}</span> <small>{formatSize(bytes)}</small>
          </span>
        )}
      </PathLink>
      {shown.map((part, index) => {
        const spot = spots[index];
        if (!spot) return null;
        const text = `${part.name}, ${formatSize(part.bytes)}, ${fileCount(part.files)}`;
        return (
          <PathLink
            key={part.linkUri}
            className={classes.part}
            style={positionOf(spot)}
            href={hrefOf({ ...part, isFolder: true })}
            title={text}
            aria-label={text}
            tabIndex={-1}
          >
            {hasRoom(spot, named) && part.name}
          </PathLink>
        );
      })}
    </li>
  );
}

const hasRoom = ({ width, height }: Rectangle, least: { readonly width: number; readonly height: number }): boolean =>
  width >= least.width && height >= least.height;

const positionOf = ({ x, y, width, height }: Rectangle) => ({ left: x, top: y, width, height });
