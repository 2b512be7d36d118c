/** A process of its own with simulated providers, so that they do not share a core with whoever measures. Speaks with its parent in messages. */
import { startProviders, startSlack } from '@sheaf/testbed';
import type { Answer, Question } from './providers.ts';

const [redirectUri = ''] = process.argv.slice(2);
const providers = await startProviders(redirectUri, ['dropbox', 'google', 'microsoft']);
const slack = await startSlack();
slack.oauth.register(redirectUri);

/** Scopes of a token for one person, where all that there are would be a team's. */
const personal: Readonly<Record<string, readonly string[]>> = {
  DROPBOX: ['account_info.read', 'files.metadata.read', 'files.content.read', 'files.content.write'],
};

const oauthOf = (stem: string) => (stem === 'SLACK' ? slack.oauth : providers.of[stem]?.oauth);

async function answer(question: Question): Promise<unknown> {
  switch (question.ask) {
    case 'settings': {
      const { clientId, clientSecret, apiUrl, authUrl, tokenUrl } = slack.app;
      const ofSlack = { CLIENT_ID: clientId, CLIENT_SECRET: clientSecret, API_URL: apiUrl, AUTH_URL: authUrl, TOKEN_URL: tokenUrl };
      return {
        ...providers.settings,
        ...Object.fromEntries(Object.entries(ofSlack).map(([name, value]) => [`SHEAF_SLACK_${name}`, value])),
      };
    }
    case 'allow':
      return oauthOf(question.stem)?.visit(question.url, { email: question.email });
    case 'token':
      return oauthOf(question.stem)?.grant(question.email, personal[question.stem]).accessToken;
    case 'conversation': {
      const channel = slack.addChannel(question.name);
      for (let at = 0; at < question.files; at++)
        slack.addFile({ name: `file ${at}.txt`, bytes: 'x', user: question.user, channels: [channel.id] });
      return channel.id;
    }
    case 'slow':
      slack.faults.next(/./, Number.MAX_SAFE_INTEGER, { kind: 'slow', ms: question.ms });
      return true;
  }
}

process.on('message', (question: Question) => {
  const reply = (message: Answer): void => void process.send?.(message);
  answer(question).then(
    (value) => reply({ id: question.id, value }),
    (error: unknown) => reply({ id: question.id, error: String(error) }),
  );
});
process.on('disconnect', () => process.exit());
process.send?.({ id: 0, value: 'ready' } satisfies Answer);
