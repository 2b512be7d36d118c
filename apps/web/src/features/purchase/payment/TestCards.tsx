import type { SandboxCard } from '@sheaf/contract';
import { IconFlask2 } from '@tabler/icons-react';
import classes from '../purchase.module.css';

/** Says that this is a sandbox, and lists its test cards; choosing one fills the form. */
export function TestCards({ cards, onChoose }: { cards: readonly SandboxCard[]; onChoose: (number: string) => void }) {
  return (
    <section className={classes.sandbox} aria-label="Billing sandbox">
      <p>
        <IconFlask2 size={16} stroke={1.75} aria-hidden="true" />
        <span>
          <b>No money moves.</b> This installation runs a billing sandbox. It takes these test cards only:
        </span>
      </p>
      <ul>
        {cards.map(({ number, about }) => (
          <li key={number}>
            <button type="button" onClick={() => onChoose(number)}>
              {number}
            </button>
            <span>{about}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
