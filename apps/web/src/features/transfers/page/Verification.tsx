import { type Proof, type Transfer, proofs } from '@sheaf/contract';
import { useQuery } from '@tanstack/react-query';
import { formatCount } from '#/features/transfers/figures.ts';
import { proofWords } from '#/features/transfers/plan-words.ts';
import { provenItems } from '#/features/transfers/queries.ts';
import classes from './transfers.module.css';

/** How the copies were proven, as one bar and a line for each kind; the report tells it where there are too many files. */
export function Verification({ transfer: { transferId, itemsDone, state } }: { transfer: Transfer }) {
  const { data: items, isSuccess } = useQuery(provenItems(transferId, `${state} ${itemsDone}`));
  if (!isSuccess) return null;
  const counts = new Map<Proof, number>();
  for (const { proof = 'none' } of items ?? []) counts.set(proof, (counts.get(proof) ?? 0) + 1);
  const shown = proofs.filter((proof) => counts.has(proof));
  if (items && shown.length === 0) return null;
  return (
    <section className={classes.proof} aria-labelledby="transfer-proof">
      <h2 id="transfer-proof">Verification</h2>
      {items ? (
        <>
          <div className={classes.bar} aria-hidden="true">
            {shown.map((proof) => (
              <i key={proof} data-proof={proof} style={{ flexGrow: counts.get(proof) }} />
            ))}
          </div>
          <ul>
            {shown.map((proof) => (
              <li key={proof}>
                <i data-proof={proof} aria-hidden="true" />
                <b>{proofWords[proof].title}</b>
                <span className={classes.number}>{formatCount(counts.get(proof) ?? 0)}</span>
                <span>{proofWords[proof].text}</span>
              </li>
            ))}
          </ul>
        </>
      ) : (
        <p>The report tells how each file was proven, and so does the list of items.</p>
      )}
    </section>
  );
}
