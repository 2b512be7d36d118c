import { Button } from '@mantine/core';
import { IconArrowRight, IconFolderCheck, IconLayoutList, IconShieldLock } from '@tabler/icons-react';
import { signInAddress } from '#/lib/sign-in-address.ts';
import { PathLink } from '#/ui/PathLink.tsx';
import { SheafPicture } from './SheafPicture.tsx';
import classes from './StartPage.module.css';

const points = [
  { Icon: IconLayoutList, text: 'Every storage on one screen, listed at once.' },
  { Icon: IconShieldLock, text: 'Your keys are sealed on your own server.' },
  { Icon: IconFolderCheck, text: 'Your files stay where they are.' },
] as const;

/** What a visitor sees first. */
export function StartPage() {
  return (
    <div className={classes.split}>
      <div className={classes.pitch}>
        <h1>All your storage, bound together.</h1>
        <p>
          Link your drives, buckets and servers once. Then browse, upload and tidy up across all of them, on one screen that runs on your
          own machine.
        </p>
        <div className={classes.actions}>
          <Button variant="filled" size="xl" component={PathLink} href={signInAddress('/account/mysheaf')}>
            Create an account
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
          {points.map(({ Icon, text }) => (
            <li key={text}>
              <Icon size={18} stroke={1.75} aria-hidden="true" />
              {text}
            </li>
          ))}
        </ul>
      </div>
      <SheafPicture />
    </div>
  );
}
