import { Button, NativeSelect } from '@mantine/core';
import { smallestDuplicate } from '@sheaf/contract';
import { IconChartTreemap, IconCopyCheck } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { formatSize } from '#/lib/format.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { withQuery } from '#/lib/http/form-body.ts';
import { useQueryParams } from '#/lib/navigation/location.ts';
import { ShowMore } from '#/ui/button/ShowMore.tsx';
import { Notice } from '#/ui/feedback/Notice.tsx';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';
import { EmptyState, ErrorState } from '#/ui/feedback/StatePanel.tsx';
import { Page, PageHead } from '#/ui/PageHead.tsx';
import { PathLink, useGo } from '#/ui/PathLink.tsx';
import { GroupCard } from './GroupCard.tsx';
import { duplicateGroups } from './queries.ts';
import classes from './usage.module.css';

/** Sizes from which files are looked for, bytes. */
const floors = [1, 100 * 1024, smallestDuplicate, 10 * 1024 ** 2, 100 * 1024 ** 2, 1024 ** 3];

/** Files that may be there twice, in a link or in all links. */
export function DuplicatesPage() {
  const { link, from } = useQueryParams();
  const go = useGo();
  const minBytes = floors.find((floor) => String(floor) === from) ?? smallestDuplicate;
  const pages = useInfiniteQuery(duplicateGroups(link, minBytes));
  const { data, error, refetch } = pages;
  const first = data?.pages[0];
  const groups = data?.pages.flatMap((page) => page.groups) ?? [];
  const links = first?.links ?? [];
  const choose = (changed: { link?: string; from?: string }): void => {
    const query = { ...(link !== undefined && { link }), ...(from !== undefined && { from }), ...changed };
    go(withQuery('/duplicates', query.link === '' ? { ...query, link: undefined } : query), { replace: true });
  };
  return (
    <Page>
      <PageHead
        title="Duplicates"
        line="Files of the same size. Compare them to learn whether their content is the same: nothing is read before you ask."
      >
        <Button component={PathLink} href="/usage" leftSection={<IconChartTreemap size={16} stroke={1.75} />}>
          Usage
        </Button>
      </PageHead>
      <div className={classes.tools}>
        <NativeSelect
          aria-label="Size"
          data={floors.map((floor) => ({ value: String(floor), label: floor === 1 ? 'Any size' : `From ${formatSize(floor)}` }))}
          value={String(minBytes)}
          onChange={(event) => choose({ from: event.currentTarget.value })}
        />
        {link !== undefined && <Button onClick={() => choose({ link: '' })}>Search all links</Button>}
      </div>
      {(first?.cut.length ?? 0) > 0 && <Notice kind="note">Of {first?.cut.join(', ')} only the largest files were looked at.</Notice>}
      {error && !data ? (
        <ErrorState title="The duplicates could not be shown" message={errorText(error)} onRetry={() => void refetch()} />
      ) : !data ? (
        <SkeletonRows count={6} height={60} />
      ) : groups.length === 0 ? (
        <EmptyState icon={<IconCopyCheck size={24} stroke={1.5} />} title="No duplicates are known">
          Sheaf compares the sizes of files in folders that have been opened.
        </EmptyState>
      ) : (
        <>
          {groups.map((group) => (
            <GroupCard key={group.bytes} group={group} links={links} />
          ))}
          <ShowMore pages={pages} className={classes.more} />
        </>
      )}
    </Page>
  );
}
