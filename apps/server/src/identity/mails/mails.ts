import { describeDevice } from '@sheaf/contract';
import type { Device } from '#/identity/sessions/sessions.ts';
import { type MailContent, content } from '#/platform/mail/content.ts';

/** A change of how an account signs in; `what` begins a sentence: "The passkey Phone". */
export type SignInChange =
  | { readonly kind: 'passwordChanged' | 'passwordRemoved' | 'codesRenewed' }
  | { readonly kind: 'codeMade' | 'deviceSignedIn' | 'appPasswordMade' | 'agentAllowed'; readonly name: string }
  | { readonly kind: 'sshKeyAdded'; readonly name: string; readonly fingerprint: string }
  | { readonly kind: 'added' | 'removed'; readonly what: string }
  | { readonly kind: 'linksFound'; readonly names: readonly string[] };

interface Changed {
  /** Name of the recipient. */
  readonly name: string;
  readonly change: SignInChange;
  /** Epoch seconds. */
  readonly at: number;
  readonly device: Device;
  /** Address of the profile page. */
  readonly profile: string;
}

const time = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

/** Mail about a way to sign in that was added or removed; time and device let the owner judge whether it was them. */
export const signInChangedMail = ({ name, change, at, device, profile }: Changed): MailContent => {
  const [subject, line] = wordsFor(change);
  const from = `${describeDevice(device.userAgent).name} (${device.address})`;
  return content({
    subject,
    greeting: name,
    lines: [line, `This was done on ${time.format(at * 1000)} UTC, from ${from}.`],
    action: { title: 'See how you sign in', link: profile },
    ending:
      'If this was you, you do not need to do anything. If it was not, set a new password with "Forgot your password?" on the sign-in page at once, then end other sessions and undo the change in your profile.',
  });
};

function wordsFor(change: SignInChange): readonly [subject: string, line: string] {
  switch (change.kind) {
    case 'passwordChanged':
      return ['Your password for Sheaf was changed', 'The password of your account was changed, and all other sessions were ended.'];
    case 'passwordRemoved':
      return ['Your password for Sheaf was removed', 'The password of your account was removed. It no longer signs in.'];
    case 'codesRenewed':
      return [
        'New recovery codes for Sheaf were created',
        'New recovery codes were created for your account. The earlier ones no longer work.',
      ];
    case 'codeMade':
      return [
        'An authentication code for Sheaf was created',
        `The authentication code ${change.name} was created for your account. Anyone who has it can read and change your files from a command line.`,
      ];
    case 'deviceSignedIn':
      return [
        'A program signed in to your Sheaf account',
        `The command line on ${change.name} was let into your account by a code that was confirmed in a browser. It can read and change your files. You can revoke it under Authentication codes in your profile.`,
      ];
    case 'appPasswordMade':
      return [
        'An app password for Sheaf was created',
        `The app password ${change.name} was created for your account. Programs that have it can use your files, as far as you allowed.`,
      ];
    case 'sshKeyAdded':
      return [
        'An SSH key was added to your Sheaf account',
        `The SSH key ${change.name} (${change.fingerprint}) was added to your account. Whoever has its private key can use your files over SFTP, as far as you allowed. You can revoke it under App passwords in your profile.`,
      ];
    case 'agentAllowed':
      return [
        'An agent was let into your Sheaf account',
        `The agent ${change.name} was let into your account. It can use your files, as far as you allowed. You can revoke it under Agents in your profile.`,
      ];
    case 'linksFound':
      return [
        'Please look at the links of your Sheaf account',
        `Your address is now confirmed. Before that, these links were added to the account: ${change.names.join(', ')}. If they are not yours, unlink them in My links, and store no files there.`,
      ];
    case 'added':
      return [`${change.what} was added to your Sheaf account`, `${change.what} was added as a way to sign in to your account.`];
    case 'removed':
      return [`${change.what} was removed from your Sheaf account`, `${change.what} no longer signs in to your account.`];
  }
}
