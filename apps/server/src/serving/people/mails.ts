import { type MailContent, content } from '#/platform/mail/content.ts';

/** What an operator did to somebody's account. */
export type OperatorAct = 'disabled' | 'enabled' | 'signedOut' | 'factorRemoved' | 'operatorMade' | 'operatorRemoved' | 'kept';

const words: Readonly<Record<OperatorAct, readonly [subject: string, line: string]>> = {
  disabled: [
    'Your Sheaf account was disabled',
    'An operator of this Sheaf has disabled your account: you are signed out everywhere, your public links no longer work, and running transfers have ended. Your files stay where they are.',
  ],
  enabled: ['Your Sheaf account works again', 'An operator of this Sheaf has enabled your account again. You can sign in.'],
  signedOut: [
    'You were signed out of Sheaf',
    'An operator of this Sheaf has ended all your sessions, and revoked your authentication codes and app passwords. Please sign in again.',
  ],
  factorRemoved: [
    'Your second factor for Sheaf was removed',
    'An operator of this Sheaf has removed the authenticator app, the passkeys and the recovery codes of your account. Your password alone signs in until you set up another one.',
  ],
  operatorMade: [
    'You are now an operator of Sheaf',
    'You can now manage the people and the settings of this Sheaf. Operators see no files of others.',
  ],
  operatorRemoved: ['You are no longer an operator of Sheaf', 'You can no longer manage the people and the settings of this Sheaf.'],
  kept: ['Your Sheaf account stays', 'An operator of this Sheaf has stopped the closing of your account. You can sign in as before.'],
};

const endings: Readonly<Partial<Record<OperatorAct, string>>> = {
  factorRemoved: 'If you did not ask for this, set a new password at once and tell the operator of this installation.',
};

/** Mail to the person whose account an operator has changed. */
export function operatorActMail(name: string, act: OperatorAct, publicUrl: string): MailContent {
  const [subject, line] = words[act];
  const leads = act !== 'disabled';
  return content({
    subject,
    greeting: name,
    lines: [line],
    ...(leads && { action: { title: 'Open Sheaf', link: `${publicUrl}/login/start` } }),
    ending: endings[act] ?? 'If you have questions, please ask the operator of this installation.',
  });
}
