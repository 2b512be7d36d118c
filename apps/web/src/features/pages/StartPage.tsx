import { Button } from '@mantine/core';
import {
  type Icon,
  IconArrowRight,
  IconFolderCheck,
  IconLayoutList,
  IconPhoto,
  IconShare,
  IconShieldLock,
  IconTerminal2,
  IconUsers,
} from '@tabler/icons-react';
import { signInAddress, signUpAddress } from '#/lib/session/sign-in-address.ts';
import { useSignUpRules, whyNoSignUp } from '#/lib/session/sign-up-rules.ts';
import { PathLink } from '#/ui/PathLink.tsx';
import { ProductPicture } from './ProductPicture.tsx';
import classes from './StartPage.module.css';

const points: readonly { Icon: Icon; text: string }[] = [
  { Icon: IconLayoutList, text: 'Every storage on one screen, listed at once.' },
  { Icon: IconShieldLock, text: 'Your keys are sealed on your own server.' },
  { Icon: IconFolderCheck, text: 'Your files stay where they are.' },
];

const uses: readonly { Icon: Icon; title: string; text: string }[] = [
  { Icon: IconPhoto, title: 'Look', text: 'Pictures, films, PDFs, texts and archives open in the page, whatever storage they lie in.' },
  { Icon: IconShare, title: 'Share', text: 'Give away a file or a folder by a public link, with a password and an end if you like.' },
  {
    Icon: IconUsers,
    title: 'Work together',
    text: 'A Space is a folder of yours that others use too: they look, change or invite as you allow.',
  },
  {
    Icon: IconTerminal2,
    title: 'Use the terminal',
    text: 'List, get, put and sync from the command line, and take your links along to rclone.',
  },
];

/** The start page for visitors: what Sheaf does, and how it looks. */
export function StartPage() {
  const mayJoin = whyNoSignUp(useSignUpRules()) === undefined;
  return (
    <>
      <div className={classes.split}>
        <div className={classes.pitch}>
          <h1>All your storage, bound together.</h1>
          <p>
            Link your drives, buckets and servers once. Then browse, upload and tidy up across all of them, on one screen that runs on your
            own machine.
          </p>
          <div className={classes.actions}>
            <Button variant="filled" size="xl" component={PathLink} href={(mayJoin ? signUpAddress : signInAddress)('/account/mysheaf')}>
              {mayJoin ? 'Create an account' : 'Sign in'}
            </Button>
            <Button
              variant="subtle"
              size="xl"
              component={PathLink}
              href="/linkmarketplace"
              rightSection={<IconArrowRight size={16} stroke={1.75} />}
            >
              See what you can link
            </Button>
          </div>
          <ul className={classes.points}>
            {points.map(({ Icon: PointIcon, text }) => (
              <li key={text}>
                <PointIcon size={18} stroke={1.75} aria-hidden="true" />
                {text}
              </li>
            ))}
          </ul>
        </div>
        <ProductPicture />
      </div>
      <ul className={classes.uses}>
        {uses.map(({ Icon: UseIcon, title, text }) => (
          <li key={title}>
            <UseIcon size={20} stroke={1.75} aria-hidden="true" />
            <h2>{title}</h2>
            <p>{text}</p>
          </li>
        ))}
      </ul>
    </>
  );
}
