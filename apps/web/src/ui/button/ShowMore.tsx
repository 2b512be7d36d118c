import { Button } from '@mantine/core';

/** The part of an infinite query that loads its next page. */
interface Pages {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  fetchNextPage(): Promise<unknown>;
}

/** Button that loads the next page of a list; nothing after the last page. With `className` it is in a `div` of that class. */
export function ShowMore({ pages, className }: { pages: Pages; className?: string | undefined }) {
  if (!pages.hasNextPage) return null;
  const button = (
    <Button loading={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
      Show more
    </Button>
  );
  return className === undefined ? button : <div className={className}>{button}</div>;
}
