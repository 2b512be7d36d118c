import type { Mail } from './mailer.ts';

export type Letter = Omit<Mail, 'to'>;

/** What a letter says; every one has the same layout, as text and as HTML. */
interface Parts {
  readonly subject: string;
  readonly greeting: string;
  readonly lines: readonly string[];
  readonly action?: { readonly title: string; readonly link: string };
  readonly ending: string;
}

/** A letter in the one layout. */
export function letter({ subject, greeting, lines, action, ending }: Parts): Letter {
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
