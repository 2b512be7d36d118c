import { Button, UnstyledButton, VisuallyHidden } from '@mantine/core';
import type { Weblink } from '@sheaf/contract';
import { IconArrowDown, IconArrowUp, IconShare } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { isSignedOut } from '#/lib/http/call-error.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { withQuery } from '#/lib/http/form-body.ts';
import { useQueryParams } from '#/lib/navigation/location.ts';
import { shareList } from '#/lib/sharing/shares.ts';
import { notifyError } from '#/ui/feedback/notify.ts';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';
import { EmptyState, ErrorState } from '#/ui/feedback/StatePanel.tsx';
import { PageHead } from '#/ui/PageHead.tsx';
import { PathLink, useGo } from '#/ui/PathLink.tsx';
import { EditShareDialog } from '../EditShareDialog.tsx';
import { useRemoveShare } from '../queries.ts';
import { nextOrder, orderOf, sorted } from '../share-link.ts';
import { ShareRow } from './ShareRow.tsx';
import classes from '../shares.module.css';

const columns = [
  { title: 'LINKS', sort: 'name' },
  { title: 'VISITS', sort: undefined },
  { title: 'CREATED', sort: 'created' },
  { title: 'EXPIRATION', sort: undefined },
] as const;

/** The user's shares with visits and expiration; the address holds the order. */
export function ShareList() {
  const { data, error, refetch, isPending, dataUpdatedAt } = useQuery(shareList);
  const params = useQueryParams();
  const go = useGo();
  const remove = useRemoveShare();
  const [edited, setEdited] = useState<Weblink>();
  const order = orderOf(params);

  useEffect(() => {
    if (error && !isSignedOut(error)) notifyError(`Cannot access shared links. ${errorText(error)}`);
  }, [error]);

  return (
    <>
      <PageHead title="Shared links" line={data && data.length > 0 && (data.length === 1 ? '1 link' : `${data.length} links`)} />
      {isPending && <SkeletonRows count={5} />}
      {error && !data && <ErrorState title="Your shared links cannot be shown" message={errorText(error)} onRetry={() => void refetch()} />}
      {data?.length === 0 && (
        <EmptyState
          icon={<IconShare size={24} stroke={1.5} />}
          title="This folder is empty"
          actions={
            <Button variant="filled" component={PathLink} href="/browse">
              Choose what to share
            </Button>
          }
        >
          Choose Share in the menu of a file or folder to hand it to anyone by a link.
        </EmptyState>
      )}
      {data && data.length > 0 && (
        <div role="table" aria-label="Shared links" aria-rowcount={data.length + 1}>
          <div role="row" className={classes.head}>
            {columns.map(({ title, sort }) => {
              if (sort === undefined) {
                return (
                  <span key={title} role="columnheader" className={classes.extra}>
                    {title}
                  </span>
                );
              }
              const isSorted = order.sort === sort;
              const Arrow = order.order === 'asc' ? IconArrowUp : IconArrowDown;
              return (
                <span
                  key={title}
                  role="columnheader"
                  className={sort === 'name' ? undefined : classes.extra}
                  aria-sort={isSorted ? (order.order === 'asc' ? 'ascending' : 'descending') : 'none'}
                >
                  <UnstyledButton
                    className={classes.sorter}
                    data-on={isSorted || undefined}
                    onClick={() => go(withQuery(window.location.pathname, { ...params, ...nextOrder(order, sort) }), { replace: true })}
                  >
                    {title}
                    {isSorted && <Arrow size={14} stroke={2} aria-hidden="true" />}
                  </UnstyledButton>
                </span>
              );
            })}
            <span role="columnheader">
              <VisuallyHidden>Menu</VisuallyHidden>
            </span>
          </div>
          {sorted(data, order).map((weblink) => (
            <ShareRow
              key={weblink.weblinkId}
              weblink={weblink}
              now={dataUpdatedAt / 1000}
              isGoing={remove.isPending && remove.variables.weblinkId === weblink.weblinkId}
              onSettings={() => setEdited(weblink)}
              onDelete={() => remove.mutate(weblink)}
            />
          ))}
        </div>
      )}
      {edited && <EditShareDialog key={edited.weblinkId} weblink={edited} onClose={() => setEdited(undefined)} />}
    </>
  );
}
