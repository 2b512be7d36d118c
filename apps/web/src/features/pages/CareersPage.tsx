import classes from './pages.module.css';

/** Open positions: none. */
export function CareersPage() {
  return (
    <article className={classes.article}>
      <h1>Careers</h1>
      <p className={classes.lead}>There are no open positions at the moment.</p>
    </article>
  );
}
