import { PathLink } from '#/ui/PathLink.tsx';
import classes from './pages.module.css';

const questions = [
  {
    question: 'A link needs attention. What now?',
    answer: 'The line under its name says what the storage answered. Choose Fix to open the sign-in again; your files are untouched.',
  },
  {
    question: 'Where are my files kept?',
    answer:
      'Where they always were. Sheaf keeps the list of what is in a folder so that it can show it at once; the files themselves pass through and are not stored.',
  },
  {
    question: 'What happens when I unlink a storage?',
    answer: 'Sheaf forgets the link, its sign-in and its lists. Nothing is deleted at the storage.',
  },
  {
    question: 'Why can I not rename or delete something?',
    answer: 'Sheaf offers only what the storage can do. Some do not rename, some only let you read.',
  },
  {
    question: 'I did not get the mail.',
    answer:
      'Look into the spam folder first. On an installation without a mail server, the operator finds every mail in the outbox folder of the data directory.',
  },
];

/** Common questions and their answers. */
export function ForumPage() {
  return (
    <article className={classes.article}>
      <h1>Help</h1>
      <p className={classes.lead}>
        Common questions. For anything else, ask whoever runs this installation, or read <PathLink href="/about">what Sheaf is</PathLink>.
      </p>
      {questions.map(({ question, answer }) => (
        <section key={question}>
          <h2>{question}</h2>
          <p>{answer}</p>
        </section>
      ))}
    </article>
  );
}
