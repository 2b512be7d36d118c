import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { errorText } from '#/lib/http/error-text.ts';
import { ShowMore } from '#/ui/button/ShowMore.tsx';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';
import { EmptyState, ErrorState } from '#/ui/feedback/StatePanel.tsx';
import { peopleList } from './people-queries.ts';
import { PersonRow } from './PersonRow.tsx';
import shared from '../sections.module.css';
import classes from './people.module.css';

/** All accounts, with a search by name and address. */
export function PeopleList() {
  const [typed, setTyped] = useState('');
  const query = useDeferredValue(typed.trim());
  const pages = useInfiniteQuery({
    ...peopleList(query),
    placeholderData: keepPreviousData,
  });
  const { data, error, refetch } = pages;
  const people = data?.pages.flatMap((page) => page.people) ?? [];
  return (
    <section aria-label="Accounts" className={shared.section}>
      <TextInput
        type="search"
        aria-label="Search people"
        placeholder="Name or e-mail address"
        className={classes.search ?? ''}
        leftSection={<IconSearch size={16} stroke={1.75} />}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      {error && <ErrorState title="The people could not be listed" message={errorText(error)} onRetry={() => void refetch()} />}
      {!data && !error && <SkeletonRows count={5} height={72} />}
      {data && people.length === 0 && <EmptyState title="Nobody found">No name or address contains "{query}".</EmptyState>}
      <ul className={shared.list}>
        {people.map((person) => (
          <PersonRow key={person.personId} person={person} />
        ))}
      </ul>
      <ShowMore pages={pages} className={classes.more} />
    </section>
  );
}
