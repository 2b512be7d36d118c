import type { Mail } from './mailer.ts';

type Letter = Omit<Mail, 'to'>;

/** Asks to confirm an address; the link works for some days. */
export const verifyLetter = (name: string, link: string): Letter =>
  letter({
    subject: 'Confirm your e-mail address for Sheaf',
    greeting: name,
    lines: ['please confirm that this is your e-mail address.'],
    action: { title: 'Confirm e-mail address', link },
    ending: 'If you did not ask for this, you can ignore this message.',
  });

/** Lets someone who forgot the password set a new one; the link works for an hour. */
export const resetLetter = (name: string, link: string): Letter =>
  letter({
    subject: 'Set a new password for Sheaf',
    greeting: name,
    lines: ['someone, hopefully you, asked for a new password. The link works once and for one hour.'],
    action: { title: 'Set a new password', link },
    ending: 'If you did not ask for this, you can ignore this message: your password stays as it is.',
  });

/** Tells the former address that the account has another one now. */
export const addressChangedLetter = (name: string): Letter =>
  letter({
    subject: 'Your e-mail address for Sheaf was changed',
    greeting: name,
    lines: ['the e-mail address of your account was changed. Messages no longer go to this address.'],
    ending: 'If this was not you, please tell the operator of this installation at once.',
  });

interface Parts {
  readonly subject: string;
  readonly greeting: string;
  readonly lines: readonly string[];
  readonly action?: { readonly title: string; readonly link: string };
  readonly ending: string;
}

function letter({ subject, greeting, lines, action, ending }: Parts): Letter {
  const text = [`Hello ${greeting},`, ...lines, ...(action ? [`${action.title}:\n${action.link}`] : []), ending].join('\n\n');
  const button = action
    ? `<p><a href="${escape(action.link)}" style="display:inline-block;padding:10px 18px;border-radius:8px;background:#1f2937;color:#fff;text-decoration:none">${escape(action.title)}</a></p><p style="color:#6b7280;font-size:13px">${escape(action.link)}</p>`
    : '';
  const paragraphs = [`Hello ${greeting},`, ...lines].map((line) => `<p>${escape(line)}</p>`).join('');
  const html = `<!doctype html><html lang="en"><body style="font-family:system-ui,sans-serif;color:#111827;max-width:32rem;margin:2rem auto">${paragraphs}${button}<p>${escape(ending)}</p></body></html>`;
  return { subject, text, html };
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
