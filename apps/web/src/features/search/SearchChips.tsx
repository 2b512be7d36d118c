import { UnstyledButton } from '@mantine/core';
import type { SearchedLink } from '@sheaf/contract';
import { IconChevronDown } from '@tabler/icons-react';
import { Menu } from '#/ui/menu/Menu.tsx';
import { type ChipKey, filterIn, linkFilter, withFilter } from './query-text.ts';
import classes from './SearchDialog.module.css';

type Props = { query: string; onQuery: (query: string) => void; links: readonly SearchedLink[] };

interface Choice {
  readonly label: string;
  readonly filter: string;
}

const types: readonly Choice[] = [
  { label: 'Folders', filter: 'type:folder' },
  { label: 'Pictures', filter: 'type:image' },
  { label: 'Videos', filter: 'type:video' },
  { label: 'Music and sound', filter: 'type:audio' },
  { label: 'Documents', filter: 'type:document' },
  { label: 'Spreadsheets', filter: 'type:sheet' },
  { label: 'Archives', filter: 'type:archive' },
];
const sizes: readonly Choice[] = [
  { label: 'Over 1 MB', filter: '>1mb' },
  { label: 'Over 10 MB', filter: '>10mb' },
  { label: 'Over 100 MB', filter: '>100mb' },
  { label: 'Over 1 GB', filter: '>1gb' },
  { label: 'Under 1 MB', filter: '<1mb' },
];

/** This month and the last years. */
function dates(now = new Date()): Choice[] {
  const year = now.getUTCFullYear();
  const month = `${year}-${String(now.getUTCMonth() + 1).padStart(2, '0')}`;
  const years = Array.from({ length: 5 }, (_, ago) => ({
    label: ago === 0 ? 'This year' : String(year - ago),
    filter: `date:${year - ago}`,
  }));
  return [{ label: 'This month', filter: `date:${month}` }, ...years];
}

/** Filters of the query as chips; each shows its choice and can be taken off again. */
export function SearchChips({ query, onQuery, links }: Props) {
  const chips: readonly { readonly key: ChipKey; readonly title: string; readonly choices: readonly Choice[] }[] = [
    { key: 'type', title: 'Type', choices: types },
    { key: 'size', title: 'Size', choices: sizes },
    { key: 'date', title: 'Date', choices: dates() },
    { key: 'link', title: 'Link', choices: links.map(({ name }) => ({ label: name, filter: linkFilter(name) })) },
  ];
  return (
    <div className={classes.chips}>
      {chips.map(({ key, title, choices }) => {
        const current = filterIn(query, key);
        const chosen = choices.find(({ filter }) => filter === current)?.label ?? current;
        return (
          <Menu key={key} position="bottom-start" keepMounted={false}>
            <Menu.Target>
              <UnstyledButton className={classes.chip} data-on={current !== undefined || undefined}>
                {current === undefined ? title : `${title}: ${chosen}`}
                <IconChevronDown size={14} stroke={2} aria-hidden="true" />
              </UnstyledButton>
            </Menu.Target>
            <Menu.Dropdown className={classes.choices}>
              {choices.map(({ label, filter }) => (
                <Menu.Item key={filter} onClick={() => onQuery(withFilter(query, key, filter))}>
                  {label}
                </Menu.Item>
              ))}
              {choices.length === 0 && <Menu.Label>No links yet</Menu.Label>}
              {current !== undefined && <Menu.Item onClick={() => onQuery(withFilter(query, key, ''))}>Any</Menu.Item>}
            </Menu.Dropdown>
          </Menu>
        );
      })}
    </div>
  );
}
