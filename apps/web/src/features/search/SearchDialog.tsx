import { Button, Loader, Modal } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { longestQuery, search } from '@sheaf/contract';
import { IconSearch, IconX } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { folderHref, itemHref } from '#/lib/files/found-address.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { send } from '#/lib/http/send.ts';
import { useFocusBack } from '#/ui/dialog/use-focus-back.ts';
import { IconButton } from '#/ui/IconButton.tsx';
import { useGo } from '#/ui/PathLink.tsx';
import { countText, outcomeText } from './found-text.ts';
import { knowledgeText } from './knowledge-text.ts';
import { linkFilter, withFilter } from './query-text.ts';
import { SearchChips } from './SearchChips.tsx';
import { SearchResults, groupsOf, rowId } from './SearchResults.tsx';
import classes from './SearchDialog.module.css';

/** Pause in typing after which the search is asked, in ms. */
const typingPause = 80;
const firstPage = 50;
const resultsId = 'search-results';

/** Search over every link, while typing. */
export function SearchDialog({ onClose }: { onClose: () => void }) {
  useFocusBack();
  const go = useGo();
  const field = useRef<HTMLInputElement>(null);
  const [query, setQuery] = useState('');
  const [limit, setLimit] = useState(firstPage);
  const [asked] = useDebouncedValue(query.trim(), typingPause);
  const answer = useQuery({
    queryKey: ['search', asked, limit],
    // A newer query aborts this one.
    queryFn: ({ signal }) => send(search, { query: asked, offset: 0, limit }, signal),
    placeholderData: keepPreviousData,
    gcTime: 30_000,
    retry: false,
  });
  const groups = answer.data && asked !== '' ? groupsOf(answer.data) : [];
  const rows = groups.flatMap(({ link, items }) => items.map((item) => ({ link, item })));
  const [at, setAt] = useState(0);
  const current = rows[Math.min(at, rows.length - 1)];
  const currentId = current && rowId(current.item);
  useEffect(() => {
    if (currentId !== undefined) document.getElementById(currentId)?.scrollIntoView({ block: 'nearest' });
  }, [currentId]);

  const change = (text: string): void => {
    setQuery(text);
    setAt(0);
    setLimit(firstPage);
  };
  const changeByChip = (text: string): void => {
    change(text);
    field.current?.focus();
  };
  const leaveTo = (href: string): void => {
    onClose();
    go(href);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
    if (step !== undefined && rows.length > 0) {
      event.preventDefault();
      setAt(Math.max(0, Math.min(rows.length - 1, Math.min(at, rows.length - 1) + step)));
    } else if (
      event.key === 'Enter' &&
      !event.nativeEvent.isComposing &&
      current &&
      answer.data &&
      !answer.isPlaceholderData &&
      asked === query.trim()
    ) {
      event.preventDefault();
      leaveTo(event.altKey ? folderHref(current.link, current.item) : itemHref(current.link, current.item));
    }
  };

  const { data, error, isFetching } = answer;
  const outcome = data && outcomeText(data);
  const isOld = error !== null && !isFetching;
  return (
    <Modal.Root
      opened
      onClose={onClose}
      size={760}
      padding={0}
      radius={16}
      yOffset="7vh"
      transitionProps={{ duration: 0 }}
      classNames={{ content: classes.content, inner: classes.inner, body: classes.body }}
    >
      <Modal.Overlay className={classes.scrim} />
      <Modal.Content aria-label="Search">
        <Modal.Body>
          <div className={classes.head}>
            {isFetching && asked !== '' ? (
              <Loader size={18} color="var(--accent)" aria-label="Searching" />
            ) : (
              <IconSearch size={20} stroke={1.75} aria-hidden="true" />
            )}
            <input
              ref={field}
              className={classes.field}
              data-autofocus
              type="text"
              role="combobox"
              aria-label="Search every link"
              aria-haspopup="grid"
              aria-expanded={rows.length > 0}
              aria-controls={rows.length > 0 ? resultsId : undefined}
              aria-activedescendant={currentId}
              placeholder="Search every link"
              autoComplete="off"
              spellCheck={false}
              maxLength={longestQuery}
              value={query}
              onChange={(event) => change(event.currentTarget.value)}
              onKeyDown={onKeyDown}
            />
            <IconButton label="Close" withTooltip={false} onClick={onClose}>
              <IconX size={18} stroke={1.75} />
            </IconButton>
          </div>
          <div className={classes.filters}>
            <SearchChips query={query} onQuery={changeByChip} links={data?.links ?? []} />
            <span className={classes.count} role="status">
              {asked !== '' && data && !isOld && countText(data)}
            </span>
          </div>
          <div className={classes.scroller} tabIndex={-1}>
            {isOld ? (
              <p className={classes.said} role="alert">
                {errorText(error)}
                <Button variant="default" onClick={() => void answer.refetch()}>
                  Try again
                </Button>
              </p>
            ) : (
              <>
                {groups.length > 0 && (
                  <SearchResults
                    id={resultsId}
                    groups={groups}
                    query={asked}
                    current={current?.item}
                    onLeave={onClose}
                    onGo={leaveTo}
                    onOnly={({ name }) => changeByChip(withFilter(query, 'link', linkFilter(name)))}
                  />
                )}
                {data?.hasMore === true && asked !== '' && limit === firstPage && (
                  <p className={classes.said}>
                    <Button variant="default" onClick={() => setLimit(200)}>
                      Show more
                    </Button>
                  </p>
                )}
                {asked === '' && (
                  <p className={classes.said}>Type a part of a name. Several words may be in any order, also of the folders.</p>
                )}
                {asked !== '' && data && !isFetching && outcome !== undefined && <p className={classes.said}>{outcome}</p>}
              </>
            )}
          </div>
          <footer className={classes.foot}>
            <span>{data && knowledgeText(data.links)}</span>
            <span className={classes.keys} aria-hidden="true">
              <kbd>↑</kbd>
              <kbd>↓</kbd> Select <kbd>↵</kbd> Open <kbd>Alt</kbd>
              <kbd>↵</kbd> Show in folder
            </span>
          </footer>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
