import { useContact } from '#/lib/session/session.ts';
import { PathLink } from '#/ui/PathLink.tsx';
import classes from './pages.module.css';

const steps = [
  {
    title: 'Link a storage',
    text: 'Choose My links, then Link storage. For a server you need its address and a login; for a cloud drive you sign in at the provider, which then asks you to let Sheaf in.',
  },
  {
    title: 'Browse it',
    text: 'A link opens like a folder. Drop files onto the page to upload them; select several to download or delete them together.',
  },
  {
    title: 'Give something away',
    text: 'Share makes a public link to a file or a folder. A password and an end are up to you, and under Shared links you can take it back at any time.',
  },
  {
    title: 'Let others in',
    text: 'A Space is one of your folders, used with people whom you invite by mail. You say who looks, who changes and who invites.',
  },
];

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
    question: 'Can I leave, and take my links along?',
    answer:
      'Yes. Under Export and import you get the settings of all links as JSON, or, with your password, an rclone.conf that opens the same storages without Sheaf. It also works the other way round.',
  },
  {
    question: 'Who changed that?',
    answer: 'Activity lists who did what to links, shares, spaces and the account, and when. You can download it as a table.',
  },
  {
    question: 'I did not get the mail.',
    answer:
      'Look into the spam folder first. On an installation without a mail server, the operator finds every mail in the outbox folder of the data directory.',
  },
];

/** What a vault hides, and from whom, in ten sentences. */
const vaults = [
  'A vault is encrypted and decrypted in your browser, and its keys never leave it.',
  'Sheaf and the storage do not see the names and the contents of its files, your passphrase, or the recovery words.',
  'They do see the name that you gave the vault, and where it lies.',
  'They also see how many files and folders are in it, how large each file is, and when it is read and written.',
  'Searches, previews and zips of a vault are made in the browser, too.',
  'Transfers, backups and other programs get the encrypted files, and nothing that opens them.',
  'If you forget the passphrase, only the recovery words or a passkey of yours open the vault, and nobody who runs this Sheaf can help.',
  'What you share is encrypted once more with a key of its own, which stands in the address behind the # and is not sent to any server, so whoever has the address can read it.',
  'Sheaf tells you when a file was changed, cut or exchanged, but not when the storage puts an older state of the whole folder back.',
  'A vault protects you from those who read the storage or the disk of the server, but not from an operator who sends your browser another program.',
];

/** First steps, and frequent questions with answers. */
export function ForumPage() {
  const { forum, support } = useContact();
  return (
    <article className={classes.article}>
      <h1>Help</h1>
      <p className={classes.lead}>
        How to begin, and what is asked most. For anything else, ask the operator of this installation, who can look into its log. There is
        also a page about <PathLink href="/about">what Sheaf is</PathLink>.
      </p>
      {(forum !== undefined || support !== undefined) && (
        <ul className={classes.contact} id="contact">
          {forum !== undefined && (
            <li>
              <a href={forum} target="_blank" rel="noreferrer">
                User forum
              </a>
            </li>
          )}
          {support !== undefined && (
            <li>
              <a href={support}>Support</a>
            </li>
          )}
        </ul>
      )}
      <h2>Getting started</h2>
      <ol className={classes.steps}>
        {steps.map(({ title, text }) => (
          <li key={title}>
            <b>{title}.</b> {text}
          </li>
        ))}
      </ol>
      {questions.map(({ question, answer }) => (
        <section key={question}>
          <h2>{question}</h2>
          <p>{answer}</p>
        </section>
      ))}
      <section id="vaults">
        <h2>What can Sheaf see of a vault, and what not?</h2>
        <ul className={classes.points}>
          {vaults.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      </section>
    </article>
  );
}
