import { Button, TextInput } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useSession } from '#/lib/session.ts';
import { Notice } from '#/ui/Notice.tsx';
import { notifyDone } from '#/ui/notify.ts';
import { Page, PageHead } from '#/ui/PageHead.tsx';
import { PathLink } from '#/ui/PathLink.tsx';
import { useResendVerification, useUpdateMember } from './queries.ts';
import { SessionList } from './SessionList.tsx';
import classes from './accounts.module.css';

/** The account: who one is, where mails go, and where one is signed in. */
export function ProfilePage() {
  const session = useSession();
  if (!session) return null;
  return (
    <Page>
      <PageHead title="Profile" line={session.loginAccount} />
      <Section title="Change name" text="How Sheaf addresses you.">
        <ChangeForm
          label="Name"
          name="name"
          autoComplete="name"
          known={session.loginName}
          toChange={(newName) => ({ newName })}
          done="Your name was changed."
        />
      </Section>
      <Section title="Change email" text="The address you sign in with. A new address has to be confirmed.">
        <ChangeForm
          label="E-mail address"
          name="email"
          autoComplete="email"
          known={session.loginAccount}
          toChange={(newEmail) => ({ newEmail })}
          done="Your address was changed. We sent you a message to confirm it."
        />
      </Section>
      <Section title="Verify email" text="Shows that messages reach you.">
        <Verification isVerified={session.emailVerified} />
      </Section>
      <Section title="Expire sessions" text="Where you are signed in. End what you do not know or no longer use.">
        <SessionList />
      </Section>
      <Section title="Authentication codes" text="Let the command-line client in, and see what has been let in.">
        <Button component={PathLink} href="/account/authcodes">
          Manage codes
        </Button>
      </Section>
      <Section title="Change account" text="Sign in with another provider from then on.">
        <p>This is not available yet.</p>
      </Section>
      <Section title="Close account" text="Forget your account and everything in it; your files stay at their sources.">
        <p>This is not available yet.</p>
      </Section>
    </Page>
  );
}

function Section({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <section className={classes.section}>
      <div>
        <h2>{title}</h2>
        <p>{text}</p>
      </div>
      <div>{children}</div>
    </section>
  );
}

type ChangeFormProps = {
  label: string;
  name: string;
  autoComplete: string;
  known: string;
  toChange: (value: string) => { newName?: string; newEmail?: string };
  done: string;
};

function ChangeForm({ label, name, autoComplete, known, toChange, done }: ChangeFormProps) {
  const [value, setValue] = useState(known);
  const update = useUpdateMember();
  const wanted = value.trim();
  return (
    <form className={classes.narrowForm} action={() => update.mutate(toChange(wanted), { onSuccess: () => notifyDone(done) })}>
      <TextInput
        className={classes.wide}
        label={label}
        name={name}
        autoComplete={autoComplete}
        value={value}
        error={update.error?.message}
        onChange={(event) => {
          setValue(event.currentTarget.value);
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
    <div className={classes.narrowForm}>
      <p>Your e-mail address is not verified yet.</p>
      {resend.error && <Notice kind="error">{resend.error.message}</Notice>}
      <Button loading={resend.isPending} onClick={() => resend.mutate(undefined, { onSuccess: () => notifyDone('The message was sent.') })}>
        Send the message again
      </Button>
    </div>
  );
}
