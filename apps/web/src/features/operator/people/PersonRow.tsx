import type { Person } from '@sheaf/contract';
import { useState } from 'react';
import { initialsOf } from '#/lib/initials.ts';
import { ItemMenu } from '#/ui/menu/ItemMenu.tsx';
import { Menu } from '#/ui/menu/Menu.tsx';
import { Tile } from '#/ui/Tile.tsx';
import { type PersonAct, PersonDialog } from './PersonDialog.tsx';
import classes from './people.module.css';

const date = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' });
const number = new Intl.NumberFormat('en');
const counted = (count: number, one: string, many: string): string => `${number.format(count)} ${count === 1 ? one : many}`;

/** One account: who it is, what it uses, and what an operator may do. */
export function PersonRow({ person }: { person: Person }) {
  const { name, email, state, isOperator, isOperatorBySettings, isYou, hasSecondFactor, lastSeenAt, closesAt, links, storedNames } = person;
  const [act, setAct] = useState<PersonAct>();
  const facts = [
    counted(links, 'link', 'links'),
    counted(storedNames, 'stored name', 'stored names'),
    hasSecondFactor ? 'second factor' : 'no second factor',
    lastSeenAt === undefined ? 'not seen lately' : `seen ${date.format(lastSeenAt * 1000)}`,
  ];
  const words = {
    active: undefined,
    unverified: 'Address not confirmed',
    disabled: 'Disabled',
    closing: closesAt === undefined ? 'Closing' : `Ends ${date.format(closesAt * 1000)}`,
  };
  const marks = [isOperator ? 'Operator' : undefined, words[state]].filter((mark) => mark !== undefined);
  return (
    <li className={classes.row} data-off={state === 'disabled' || undefined}>
      <Tile>{initialsOf(name)}</Tile>
      <span className={classes.who}>
        <b>
          {name}
          {isYou && ' (you)'}
        </b>
        <small>{email}</small>
        <small>{facts.join(', ')}</small>
        {marks.length > 0 && (
          <span className={classes.marks}>
            {marks.map((mark) => (
              <span key={mark}>{mark}</span>
            ))}
          </span>
        )}
      </span>
      {!isYou && (
        <ItemMenu of={email}>
          {state === 'disabled' ? (
            <Menu.Item onClick={() => setAct('enable')}>Enable</Menu.Item>
          ) : (
            <Menu.Item onClick={() => setAct('disable')}>Disable</Menu.Item>
          )}
          <Menu.Item onClick={() => setAct('signOut')}>Sign out everywhere</Menu.Item>
          {hasSecondFactor && <Menu.Item onClick={() => setAct('removeFactor')}>Remove second factor</Menu.Item>}
          {!isOperatorBySettings && (
            <Menu.Item onClick={() => setAct(isOperator ? 'removeOperator' : 'makeOperator')}>
              {isOperator ? 'Take operator rights away' : 'Make operator'}
            </Menu.Item>
          )}
          <Menu.Divider />
          {closesAt === undefined ? (
            <Menu.Item onClick={() => setAct('close')}>Delete account</Menu.Item>
          ) : (
            <Menu.Item onClick={() => setAct('keep')}>Keep account</Menu.Item>
          )}
        </ItemMenu>
      )}
      {act && <PersonDialog person={person} act={act} onClose={() => setAct(undefined)} />}
    </li>
  );
}
