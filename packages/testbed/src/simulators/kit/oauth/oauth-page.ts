import type { Account } from '../identity.ts';
import { escapeMarkup } from '../reply.ts';

interface Request {
  readonly provider: string;
  readonly client: string;
  readonly scopes: readonly string[];
  readonly accounts: readonly Account[];
  readonly chosen: Account | undefined;
}

/** The consent page on which a person chooses an account and allows or denies. It posts to its own URL. */
export const consentPage = ({ provider, client, scopes, accounts, chosen }: Request): string =>
  page(
    `Sign in to ${provider}`,
    `<p><strong>${escapeMarkup(client)}</strong> asks for access to your ${escapeMarkup(provider)} account.</p>
    <form method="post">
      <fieldset><legend>Account</legend>${accounts.map((account) => choice(account, account === chosen)).join('')}</fieldset>
      ${scopes.length > 0 ? `<p>It will be able to use:</p><ul>${scopes.map((scope) => `<li><code>${escapeMarkup(scope)}</code></li>`).join('')}</ul>` : ''}
      <button name="decision" value="allow">Allow</button>
      <button name="decision" value="deny">Deny</button>
    </form>`,
  );

/** The page for a request whose errors must not be redirected to the client. */
export const refusalPage = (provider: string, why: string): string => page(`${provider} cannot go on`, `<p>${escapeMarkup(why)}</p>`);

const choice = ({ email, name }: Account, isChosen: boolean): string =>
  `<label><input type="radio" name="account" value="${escapeMarkup(email)}" ${isChosen ? 'checked' : ''} required> ${escapeMarkup(name)} (${escapeMarkup(email)})</label>`;

const page = (title: string, body: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <link rel="icon" href="data:,">
    <title>${escapeMarkup(title)}</title>
    <style>
      body { font: 16px/1.5 system-ui, sans-serif; max-width: 26rem; margin: 10vh auto; padding: 0 1rem; color: #1c2330; }
      fieldset { border: 1px solid #c9d0da; border-radius: 6px; padding: .5rem 1rem; }
      label { display: block; padding: .25rem 0; }
      button { font: inherit; padding: .5rem 1.25rem; margin-right: .5rem; }
      small { color: #5a6473; }
    </style>
  </head>
  <body>
    <main>
      <h1>${escapeMarkup(title)}</h1>
      ${body}
      <small>A simulator. Nothing leaves this computer.</small>
    </main>
  </body>
</html>`;
