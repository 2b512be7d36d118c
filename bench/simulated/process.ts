/** A process of its own with simulated providers, so that they do not share a core with whoever measures. Speaks with its parent in messages. */
import { startAutodesk, startB2, startBox, startDropbox, startOracle, startProcore, startProviders, startSlack } from '@sheaf/testbed';
import type { Answer, Question } from './providers.ts';

const [redirectUri = ''] = process.argv.slice(2);
/** Parts longer than this are kept as the pattern that they repeat, so that gigabytes cost the simulators no memory. */
const keepUpTo = 1.25 * 2 ** 20;
const providers = await startProviders(redirectUri, ['google', 'googlecloud', 'microsoft']);
const [autodesk, b2, box, dropbox, oracle, procore, slack] = await Promise.all([
  startAutodesk({ keepUpTo }),
  startB2(),
  startBox({ keepUpTo }),
  startDropbox({ keepUpTo }),
  startOracle(),
  startProcore({ keepUpTo }),
  startSlack(),
]);
const alone = { AUTODESK: autodesk, BOX: box, DROPBOX: dropbox, PROCORE: procore, SLACK: slack };
for (const { oauth } of Object.values(alone)) oauth.register(redirectUri);
// Another answer after a second, for both contenders, would hide what is measured.
box.limits.commitsEarly = 0;
// So that files of any size fit.
dropbox.state.quota = Number.MAX_SAFE_INTEGER;
box.limits.quota = Number.MAX_SAFE_INTEGER;
const bucket = b2.createBucket('bench');
const { construction } = autodesk.places;
const { company, project } = procore.places;

/** Scopes of a token for one person, where all that there are would be a team's. */
const personal: Readonly<Record<string, readonly string[]>> = {
  DROPBOX: ['account_info.read', 'files.metadata.read', 'files.content.read', 'files.content.write'],
};

const appOf = (stem: string): Readonly<Record<string, string>> => {
  if (stem === 'B2' || stem === 'ORACLE') return { apiUrl: stem === 'B2' ? b2.url : oracle.url };
  return (stem in alone ? alone[stem as keyof typeof alone].app : providers.of[stem]?.app) ?? {};
};
const oauthOf = (stem: string) => (stem in alone ? alone[stem as keyof typeof alone].oauth : providers.of[stem]?.oauth);
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const settingsOf = (stem: string, app: Readonly<Record<string, string>>) =>
  Object.entries(app).map(([name, value]) => [`SHEAF_${stem}_${name.replaceAll(/(?=[A-Z])/g, '_').toUpperCase()}`, value] as const);

/** Tokens, or what stands for them, of who signs in with a name and a secret. */
const tokens: Readonly<Record<string, string>> = {
  B2: base64(`${b2.masterKey.accountId}:${b2.masterKey.applicationKey}`),
  ORACLE: base64(`${oracle.user.username}:${oracle.user.password}`),
};
const places: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  AUTODESK: { project: construction.project.id, folder: construction.id },
  B2: { bucket: bucket.name, bucketId: bucket.id },
  GOOGLECLOUD: { bucket: 'mara-files' },
  PROCORE: { company: String(company.id), project: String(project.project?.id) },
};
/** What a form is filled in with to link those that nobody authorizes Sheaf at. */
const forms: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  B2: b2.masterKey,
  ORACLE: { url: oracle.url, ...oracle.user },
};

async function answer(question: Question): Promise<unknown> {
  switch (question.ask) {
    case 'settings':
      return {
        ...providers.settings,
        ...Object.fromEntries([
          ...Object.entries(alone).flatMap(([stem, { app }]) => settingsOf(stem, app)),
          ...settingsOf('B2', { apiUrl: b2.url }),
        ]),
      };
    case 'allow':
      return oauthOf(question.stem)?.visit(question.url, { email: question.email });
    case 'form':
      return forms[question.stem];
    case 'account':
      return {
        apiUrl: appOf(question.stem)['apiUrl'] ?? '',
        uploadUrl: appOf(question.stem)['uploadUrl'] ?? '',
        token: tokens[question.stem] ?? oauthOf(question.stem)?.grant(question.email, personal[question.stem]).accessToken,
        place: places[question.stem] ?? {},
      };
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
