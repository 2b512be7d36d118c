import { type Arrival, listArrivals } from '@sheaf/contract';
import { queryOptions } from '@tanstack/react-query';
import { placeHref } from '#/app/frame/places/place-href.ts';
import { browseHref } from '#/features/browse/paths.ts';
import { fileKindOf } from '#/lib/files/file-kind.ts';
import { formatModified, itemCount } from '#/lib/format.ts';
import { send } from '#/lib/http/send.ts';
import { FileIcon } from '#/ui/FileIcon.tsx';
import { RowLink } from '#/ui/RowLink.tsx';
import classes from './home.module.css';

/** New items in known folders. */
export const arrivals = queryOptions({
  queryKey: ['arrivals'],
  queryFn: ({ signal }) => send(listArrivals, { limit: 5 }, signal),
  staleTime: 30_000,
  select: ({ arrivals: all }) => all,
});

/** The section of new files that others have added to the user's folders. */
export function Arrivals({ shown }: { shown: readonly Arrival[] }) {
  if (shown.length === 0) return null;
  return (
    <section aria-labelledby="arrived">
      <h2 id="arrived" className={classes.title}>
        Arrived
      </h2>
      <ul className={classes.arrivals}>
        {shown.map((arrival) => (
          <Row key={`${arrival.linkUri} ${arrival.at}`} arrival={arrival} />
        ))}
      </ul>
    </section>
  );
}

function Row({ arrival: { name, count, folder, isFolder, memberOid, at } }: { arrival: Arrival }) {
  const inFolder = folder.at(-1) ?? '';
  const isOne = count === 1;
  const area = memberOid === undefined ? 'browse' : 'browseorg';
  const member = memberOid === undefined ? {} : { memberOid };
  const href = isOne ? placeHref({ name, folder, isFolder, ...member }, browseHref) : browseHref(folder, area, memberOid);
  return (
    <li title={[...folder, ...(isOne ? [name] : [])].join(' / ')}>
      <FileIcon kind={isOne ? fileKindOf({ name, fileType: isFolder ? 'FOLDER' : 'FILE' }) : 'folder'} size={22} />
      <span>
        <RowLink href={href}>{isOne ? name : `${itemCount(count)} in ${inFolder}`}</RowLink>
        <small>{(isOne ? folder : folder.slice(0, -1)).join(' / ')}</small>
      </span>
      <time dateTime={new Date(at * 1000).toISOString()}>{formatModified(at)}</time>
    </li>
  );
}
