import { Button } from '@mantine/core';
import { PathLink } from '#/ui/PathLink.tsx';
import classes from './pages.module.css';

/** What Sheaf is, in brief. */
export function AboutPage() {
  return (
    <article className={classes.article}>
      <h1>A sheaf holds together what grew apart.</h1>
      <p className={classes.lead}>
        Files live in many places: a server at home, a bucket, a drive or two, something at work. Sheaf gathers them on one screen and
        leaves them where they are.
      </p>
      <h2>One screen</h2>
      <p>
        Link a storage once, with the sign-in you already have. Then browse it, upload to it and tidy it up, whatever kind of storage it is.
      </p>
      <h2>Your own machine</h2>
      <p>Sheaf runs where you install it. Passwords and keys are sealed there and never shown again, not even to you.</p>
      <h2>Nothing is moved</h2>
      <p>Unlinking forgets the sign-in and nothing else. Your files stay at their source.</p>
      <div className={classes.actions}>
        <Button variant="filled" size="xl" component={PathLink} href="/linkmarketplace">
          See what you can link
        </Button>
      </div>
    </article>
  );
}
