import type { SourceGroupName } from '@sheaf/contract';
import { IconSearch, IconSettings } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useSession } from '#/lib/session/session.ts';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';
import { linkList, linkProviders } from '../queries.ts';
import { type ChoiceGroup, choiceGroups, needingSettings, searched } from './catalogue.ts';
import { SourceCard } from './SourceCard.tsx';
import classes from './picker.module.css';

type Props = {
  /** Heading and sentence above the search. */
  children: ReactNode;
  /** Below the cards. */
  after?: ReactNode;
  /** Maps the address of a type's dialog to another target. */
  addressOf?: (path: string) => string;
  /** The organisation to link for. */
  orgOid?: string | undefined;
};

/** Every linkable type, grouped and searchable. */
export function SourceGrid({ children, after, addressOf, orgOid }: Props) {
  const isSignedIn = useSession() !== undefined;
  const { data: set, isPending } = useQuery(linkProviders());
  const links = useQuery({ ...linkList(orgOid), enabled: isSignedIn }).data?.activeSources ?? [];
  const [search, setSearch] = useState('');
  const [only, setOnly] = useState<SourceGroupName>();
  const all = choiceGroups(set?.providers ?? [], links, orgOid !== undefined);
  // The order and number of the cards depend on what the operator has set up.
  const shown = isPending ? [] : searched(all, search, only);

  return (
    <>
      <div className={classes.hero}>
        {children}
        <label className={classes.find}>
          <IconSearch size={18} stroke={1.75} aria-hidden="true" />
          <input
            type="search"
            aria-label="Search source types"
            placeholder={`Search ${countOf(all)} source types`}
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
          />
        </label>
        <div className={classes.chips} role="group" aria-label="Groups">
          <Chip title="All" count={countOf(searched(all, search))} isOn={only === undefined} onClick={() => setOnly(undefined)} />
          {all.map(({ title }) => (
            <Chip
              key={title}
              title={title}
              count={countOf(searched(all, search, title))}
              isOn={only === title}
              onClick={() => setOnly(title)}
            />
          ))}
        </div>
      </div>
      {isPending && <SkeletonRows count={8} />}
      {shown.map(({ title, sentence, choices }) => (
        <section key={title} className={classes.kinds}>
          <h2>
            {title} <span>{sentence}</span>
          </h2>
          <ul className={classes.grid}>
            {choices.map((choice) => (
              <SourceCard key={choice.source.provider} choice={choice} {...(addressOf === undefined ? {} : { addressOf })} />
            ))}
          </ul>
        </section>
      ))}
      <p role="status" className={classes.none}>
        {!isPending && shown.length === 0 && 'No source type fits these words.'}
      </p>
      <Settings names={needingSettings(shown)} />
      {!isPending && after}
    </>
  );
}

const countOf = (groups: readonly ChoiceGroup[]): number => groups.reduce((sum, { choices }) => sum + choices.length, 0);

function Chip({ title, count, isOn, onClick }: { title: string; count: number; isOn: boolean; onClick: () => void }) {
  return (
    <button type="button" className={classes.chip} aria-pressed={isOn} onClick={onClick}>
      {title} <b>{count}</b>
    </button>
  );
}

function Settings({ names }: { names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <p className={classes.settings}>
      <IconSettings size={18} stroke={1.75} aria-hidden="true" />
      <span>
        {new Intl.ListFormat('en-GB').format(names)} {names.length === 1 ? 'asks' : 'ask'} you to sign in there. That needs settings which
        only the operator of this installation can enter, and a version of Sheaf that can link {names.length === 1 ? 'it' : 'them'}. Open
        one to read what is missing.
      </span>
    </p>
  );
}
