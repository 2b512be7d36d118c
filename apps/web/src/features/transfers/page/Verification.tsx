import { type Transfer, proofs } from '@sheaf/contract';
import { useQuery } from '@tanstack/react-query';
import { formatCount } from '#/features/transfers/figures.ts';
import { proofWords } from '#/features/transfers/plan-words.ts';
import { provenFiles } from '#/features/transfers/queries.ts';
import classes from './transfers.module.css';

/** How the copies were proven, as one bar and a line for each kind, and how somebody else can compare them. */
export function Verification({ transfer: { transferId, itemsDone, state } }: { transfer: Transfer }) {
  const { data } = useQuery(provenFiles(transferId, `${state} ${itemsDone}`));
  const shown = data ? proofs.filter((proof) => data.proofs[proof] > 0) : [];
  if (!data || shown.length === 0) return null;
  return (
    <section className={classes.proof} aria-labelledby="transfer-proof">
      <h2 id="transfer-proof">Verification</h2>
      <div className={classes.bar} aria-hidden="true">
        {shown.map((proof) => (
          <i key={proof} data-proof={proof} style={{ flexGrow: data.proofs[proof] }} />
        ))}
      </div>
      <ul>
        {shown.map((proof) => (
          <li key={proof}>
            <i data-proof={proof} aria-hidden="true" />
            <b>{proofWords[proof].title}</b>
            <span className={classes.number}>{formatCount(data.proofs[proof])}</span>
            <span>{proofWords[proof].text}</span>
          </li>
        ))}
      </ul>
      {data.rcloneChecks && data.rcloneChecks.length > 0 && (
        <details className={classes.check}>
          <summary>Compare with rclone</summary>
          <p>
            With the rclone.conf that the links page exports, each line that begins with = is a file that both sides have in the same way.
          </p>
          <pre>{data.rcloneChecks.join('\n')}</pre>
        </details>
      )}
    </section>
  );
}
