import classes from './pages.module.css';

/** Open positions: none. */
export function CareersPage() {
  return (
    <article className={classes.article}>
      <h1>Careers</h1>
      <p className={classes.lead}>There are no open positions at the moment.</p>
      <h2>Take part all the same</h2>
      <p>
        Sheaf gets better when people say what they miss. Tell the operator of this installation which storage it should link next, or what
        took too many clicks.
      </p>
    </article>
  );
}
