import { Button } from '@mantine/core';
import type { Compared, DuplicateGroup, Duplicates, FoundItem } from '@sheaf/contract';
import { useEffect, useId, useRef, useState } from 'react';
import { fileKindOf } from '#/lib/files/file-kind.ts';
import { folderHref, folderText, itemHref } from '#/lib/files/found-address.ts';
import { formatModified, formatSize } from '#/lib/format.ts';
import { CallError } from '#/lib/http/call-error.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { FileIcon } from '#/ui/FileIcon.tsx';
import { PathLink } from '#/ui/PathLink.tsx';
import { compare } from './queries.ts';
import { fileCount } from './words.ts';
import classes from './usage.module.css';

type Props = { group: DuplicateGroup; links: Duplicates['links'] };
type State = { readonly compared?: Compared; readonly error?: unknown; readonly running?: AbortController };

/** Files of one size, and the comparison of their contents. */
export function GroupCard({ group, links }: Props) {
  const { bytes, items, hasMore } = group;
  const [{ compared, error, running }, setState] = useState<State>({});
  const latest = useRef<AbortController>(undefined);
  useEffect(() => () => latest.current?.abort(), []);
  const id = useId();
  const needsReading = error instanceof CallError && error.is('NO_COMMON_HASH');

  async function run(read: boolean): Promise<void> {
    const end = new AbortController();
    latest.current = end;
    setState({ running: end });
    try {
      setState({ compared: await compare(group, read, end.signal) });
    } catch (reason) {
      setState(end.signal.aborted ? {} : { error: reason });
    }
  }

  return (
    <section className={classes.group} aria-labelledby={id}>
      <header>
        <h2 id={id}>
          {hasMore && 'More than '}
          {fileCount(items.length)} of {formatSize(bytes)}
        </h2>
        <span className={classes.verdict} role="status">
          {compared ? verdict(compared) : error !== undefined ? errorText(error) : running ? 'Comparing …' : ''}
        </span>
        {running ? (
          <Button size="xs" onClick={() => running.abort()}>
            Cancel
          </Button>
        ) : (
          !compared && (
            <Button size="xs" onClick={() => void run(needsReading)}>
              {needsReading ? `Read and compare (${formatSize(bytes * items.length)})` : 'Compare contents'}
            </Button>
          )
        )}
      </header>
      <ul>
        {items.map((item) => (
          <File key={item.linkUri} item={item} links={links} mark={compared && markOf(compared, item)} />
        ))}
      </ul>
    </section>
  );
}

function File({ item, links, mark }: { item: FoundItem; links: Props['links']; mark: string | undefined }) {
  const link = links.find(({ userLinkId }) => userLinkId === item.userLinkId) ?? { name: '' };
  return (
    <li>
      <FileIcon kind={fileKindOf(item)} />
      <span className={classes.texts}>
        <PathLink href={itemHref(link, item)}>{item.name}</PathLink>
        <PathLink className={classes.folder} href={folderHref(link, item)}>
          {[link.name, folderText(item)].filter((text) => text !== '').join(' / ')}
        </PathLink>
      </span>
      {mark !== undefined && (
        <span className={classes.mark} data-same={mark !== 'Different' || undefined}>
          {mark}
        </span>
      )}
      <span className={classes.date}>{item.modified !== undefined && formatModified(item.modified)}</span>
    </li>
  );
}

/** Groups with more than one file, in the order of the answer. */
const sameGroups = ({ same }: Compared): readonly (readonly string[])[] => same.filter((files) => files.length > 1);

function verdict(compared: Compared): string {
  const how = compared.by === 'hashes' ? 'by the hashes that the storages report' : 'by reading them';
  const same = sameGroups(compared).reduce((sum, files) => sum + files.length, 0);
  if (same === 0) return `All have different contents, ${how}.`;
  return same === compared.same.flat().length && sameGroups(compared).length === 1
    ? `All have the same content, ${how}.`
    : `${same} have the same content as another one, ${how}.`;
}

/** Files with the same content share a letter where there are several such groups. */
function markOf(compared: Compared, { linkUri }: FoundItem): string | undefined {
  if (!compared.same.flat().includes(linkUri)) return undefined;
  const groups = sameGroups(compared);
  const at = groups.findIndex((files) => files.includes(linkUri));
  if (at === -1) return 'Different';
  return groups.length === 1 ? 'Same content' : `Same content ${String.fromCharCode(65 + (at % 26))}`;
}
