import { Button, TextInput } from '@mantine/core';
import type { Session } from '@sheaf/contract';
import { IconCircleCheck } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useResendVerification, useUpdateMember } from '#/features/accounts/queries.ts';
import { Reauthentication } from '#/features/accounts/security/ProofDialog.tsx';
import { SecondSteps } from '#/features/accounts/security/SecondSteps.tsx';
import { errorText } from '#/lib/http/error-text.ts';
import { useSession } from '#/lib/session/session.ts';
import { Notice } from '#/ui/feedback/Notice.tsx';
import { notifyDone } from '#/ui/feedback/notify.ts';
import { Page, PageHead } from '#/ui/PageHead.tsx';
import { PathLink } from '#/ui/PathLink.tsx';
import { ChangeAccount } from './ChangeAccount.tsx';
import { CloseAccount } from './CloseAccount.tsx';
import { LinkNotices } from './LinkNotices.tsx';
import { PendingEmail } from './PendingEmail.tsx';
import { SessionList } from './SessionList.tsx';
import classes from '../profile.module.css';

interface Part {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly content: ReactNode;
}

/** The profile: name, address, ways to sign in, sessions, and closing the account. */
export function ProfilePage() {
  const session = useSession();
  if (!session) return null;
  const parts: readonly Part[] = [
    {
      id: 'name',
      title: 'Change name',
      text: 'How Sheaf addresses you, and what members of your Spaces see.',
      content: (
        <ChangeForm
          label="Name"
          name="name"
          autoComplete="name"
          known={session.loginName}
          toChange={(newName) => ({ newName })}
          done={() => 'Your name was changed.'}
        />
      ),
    },
    {
      id: 'email',
      title: 'Change email',
      text: 'The address you sign in with. A new address has to be confirmed.',
      content: (
        <div className={classes.withMore}>
          <ChangeForm
            label="E-mail address"
            name="email"
            autoComplete="email"
            known={session.loginAccount}
            toChange={(newEmail) => ({ newEmail })}
            done={({ pendingEmail }) =>
              pendingEmail === undefined
                ? 'Your address was changed. We sent you a message to confirm it.'
                : 'We sent a message there. Your address changes once you have confirmed it.'
            }
          />
          {session.pendingEmail !== undefined && <PendingEmail email={session.pendingEmail} current={session.loginAccount} />}
        </div>
      ),
    },
    {
      id: 'verify',
      title: 'Verify email',
      text: 'Confirms that our mails reach you.',
      content: <Verification isVerified={session.emailVerified} />,
    },
    {
      id: 'notices',
      title: 'Mails about failing links',
      text: 'Sent once per problem, and at most once a week for each link.',
      content: <LinkNotices />,
    },
    {
      id: 'account',
      title: 'Change account',
      text: 'Ways to sign in to this account. At least one must remain.',
      content: <ChangeAccount />,
    },
    {
      id: 'second-step',
      title: 'Two-step verification',
      text: 'A second factor after the password, so that a stolen password is not enough.',
      content: <SecondSteps />,
    },
    {
      id: 'sessions',
      title: 'Expire sessions',
      text: 'Where you are signed in. End sessions that you do not recognise or no longer use.',
      content: <SessionList />,
    },
    {
      id: 'codes',
      title: 'Authentication codes',
      text: 'Codes for signing in the command-line client.',
      content: (
        <Button component={PathLink} href="/account/authcodes">
          Manage codes
        </Button>
      ),
    },
    {
      id: 'app-passwords',
      title: 'App passwords',
      text: 'Passwords and SSH keys for programs that open your storage as a drive: one for each program or device.',
      content: (
        <Button component={PathLink} href="/account/apppasswords">
          Manage app passwords
        </Button>
      ),
    },
    {
      id: 'agents',
      title: 'Agents',
      text: 'Assistants that work with your files, in the folders that you choose.',
      content: (
        <Button component={PathLink} href="/account/agents">
          Manage agents
        </Button>
      ),
    },
    {
      id: 'data',
      title: 'Your data',
      text: 'The log of your account, and exports of its settings.',
      content: (
        <div className={classes.row}>
          <Button component={PathLink} href="/account/activity">
            Activity
          </Button>
          <Button component={PathLink} href="/account/data">
            Export and import
          </Button>
        </div>
      ),
    },
    {
      id: 'close',
      title: 'Close account',
      text: 'Sheaf forgets your account and everything in it. Your files stay at their sources.',
      content: <CloseAccount email={session.loginAccount} />,
    },
  ];
  return (
    <Reauthentication>
      <Page>
        <PageHead title="Profile" line={session.loginAccount} />
        <div className={classes.profile}>
          <nav className={classes.nav} aria-label="Sections">
            {parts.map(({ id, title }) => (
              <a key={id} href={`#${id}`}>
                {title}
              </a>
            ))}
          </nav>
          <div className={classes.parts}>
            {parts.map(({ id, title, text, content }) => (
              <section key={id} id={id} className={classes.part} aria-labelledby={`${id}-title`}>
                <h2 id={`${id}-title`}>{title}</h2>
                <p className={classes.text}>{text}</p>
                {content}
              </section>
            ))}
          </div>
        </div>
      </Page>
    </Reauthentication>
  );
}

type ChangeFormProps = {
  label: string;
  name: string;
  autoComplete: string;
  known: string;
  toChange: (value: string) => { newName?: string; newEmail?: string };
  /** Notification after success. */
  done: (session: Session) => string;
};

function ChangeForm({ label, name, autoComplete, known, toChange, done }: ChangeFormProps) {
  const [typed, setTyped] = useState<string>();
  const update = useUpdateMember();
  const value = typed ?? known;
  const wanted = value.trim();
  const save = (): void =>
    update.mutate(toChange(wanted), {
      onSuccess: (session) => {
        setTyped(undefined);
        notifyDone(done(session));
      },
    });
  return (
    <form className={classes.inlineForm} action={save}>
      <TextInput
        label={label}
        name={name}
        autoComplete={autoComplete}
        value={value}
        error={update.error && errorText(update.error)}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          update.reset();
        }}
      />
      <Button type="submit" disabled={wanted === known || wanted === ''} loading={update.isPending}>
        Save
      </Button>
    </form>
  );
}

function Verification({ isVerified }: { isVerified: boolean }) {
  const resend = useResendVerification();
  if (isVerified) {
    return (
      <p className={classes.good}>
        <IconCircleCheck size={18} stroke={1.75} aria-hidden="true" />
        Your e-mail address is verified.
      </p>
    );
  }
  return (
    <div className={classes.stack}>
      <p>Your e-mail address is not verified yet.</p>
      {resend.error && <Notice kind="error">{errorText(resend.error)}</Notice>}
      <Button loading={resend.isPending} onClick={() => resend.mutate(undefined, { onSuccess: () => notifyDone('The message was sent.') })}>
        Send the message again
      </Button>
    </div>
  );
}
