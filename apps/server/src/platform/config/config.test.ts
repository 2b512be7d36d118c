import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ConfigError, describeSettings, readConfig, settingsTable } from './config.ts';

const problemsOf = (environment: Record<string, string>): readonly string[] => {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
};

test('without settings everything has a default', () => {
  const config = readConfig({});
  assert.deepEqual([config.host, config.port, config.publicUrl, config.billing], ['127.0.0.1', 8180, 'http://127.0.0.1:8180', 'sandbox']);
  assert.equal(config.privateNetworks, 'allow');
  assert.ok(Object.isFrozen(config) && Object.isFrozen(config.providers));
});

test('private networks are allowed by default only while Sheaf listens on a loopback address and its public address is one', () => {
  for (const url of ['https://sheaf.example.org', 'http://192.168.1.7:8180'])
    assert.equal(readConfig({ SHEAF_PUBLIC_URL: url }).privateNetworks, 'deny');
  assert.equal(readConfig({ SHEAF_PUBLIC_URL: 'http://localhost:8180' }).privateNetworks, 'allow');
  assert.equal(readConfig({ SHEAF_HOST: '0.0.0.0' }).privateNetworks, 'deny');
  assert.equal(readConfig({ SHEAF_HOST: '::1' }).privateNetworks, 'allow');
  assert.equal(readConfig({ SHEAF_HOST: '0.0.0.0', SHEAF_PRIVATE_NETWORKS: 'allow' }).privateNetworks, 'allow');
  assert.deepEqual(readConfig({ SHEAF_PRIVATE_NETWORKS: '10.0.0.0/8, fd00::/8' }).privateNetworks, ['10.0.0.0/8', 'fd00::/8']);
});

test('operators are named by address; without any, everyone is an operator while only this machine can reach Sheaf', () => {
  assert.equal(readConfig({}).operators, 'everyone');
  assert.deepEqual(readConfig({ SHEAF_OPERATORS: 'Mara@Example.org, noor@example.org' }).operators, [
    'mara@example.org',
    'noor@example.org',
  ]);
  for (const settings of [{ SHEAF_HOST: '0.0.0.0' }, { SHEAF_PUBLIC_URL: 'https://sheaf.example' }])
    assert.deepEqual(readConfig(settings).operators, []);
  assert.equal(readConfig({ SHEAF_HOST: '::1' }).operators, 'everyone');
});

test('sign-up is open by default only while nobody else can reach Sheaf, or for named domains, which need a mail server', () => {
  const publicly = { SHEAF_PUBLIC_URL: 'https://sheaf.example' };
  assert.deepEqual([readConfig({}).signup, readConfig(publicly).signup], ['open', 'invited']);
  assert.equal(readConfig({ ...publicly, SHEAF_SIGNUP: 'closed' }).signup, 'closed');
  const domains = { ...publicly, SHEAF_SIGNUP_DOMAINS: 'Example.org', SHEAF_SMTP_URL: 'smtp://mail' };
  assert.deepEqual([readConfig(domains).signup, readConfig(domains).signupDomains], ['open', ['example.org']]);
  assert.equal(readConfig({ ...domains, SHEAF_SIGNUP: 'invited' }).signup, 'invited');
  assert.match(problemsOf({ SHEAF_SIGNUP_DOMAINS: 'example.org' }).join('\n'), /^SHEAF_SIGNUP_DOMAINS needs SHEAF_SMTP_URL/);
});

test('billing by Recurly without all of its three keys is refused, with their names', () => {
  assert.deepEqual(problemsOf({ SHEAF_BILLING: 'recurly', SHEAF_RECURLY_API_KEY: 'k' }), [
    'SHEAF_RECURLY_PUBLIC_KEY must be set while SHEAF_BILLING is recurly',
    'SHEAF_RECURLY_WEBHOOK_KEY must be set while SHEAF_BILLING is recurly',
  ]);
});

test('all invalid values are reported at once, each with what would be valid', () => {
  const bad = {
    SHEAF_PORT: '70000',
    SHEAF_PUBLIC_URL: 'sheaf.example',
    SHEAF_DATABASE_URL: 'mysql://x',
    SHEAF_SECRET_KEY: 'short',
    SHEAF_SMTP_URL: 'http://mail',
    SHEAF_BILLING: 'free',
    SHEAF_PRIVATE_NETWORKS: 'some',
    SHEAF_OPERATORS: 'mara',
    SHEAF_TRUSTED_PROXIES: '10.0.0.0/99',
    SHEAF_LOG_LEVEL: 'loud',
    SHEAF_BOX_API_URL: 'ftp://x',
  };
  const problems = problemsOf(bad);
  for (const name of Object.keys(bad))
    assert.ok(
      problems.some((problem) => problem.startsWith(`${name} must`)),
      name,
    );
  assert.equal(problems.length, Object.keys(bad).length);
});

test('a collector is an address without secrets, and its headers are read as those of OpenTelemetry are written', () => {
  const read = (environment: Readonly<Record<string, string>>) => readConfig(environment);
  assert.deepEqual([read({}).otlpUrl, read({}).otlpHeaders], ['', {}]);
  assert.equal(read({ SHEAF_OTLP_URL: 'https://collector.example/otlp/' }).otlpUrl, 'https://collector.example/otlp');
  const headers = 'Authorization=Bearer%20a%2Cb, x-scope = team=one ,';
  assert.deepEqual(read({ SHEAF_OTLP_HEADERS: headers }).otlpHeaders, { authorization: 'Bearer a,b', 'x-scope': 'team=one' });
  for (const url of ['collector:4318', 'grpc://collector', 'https://user:pass@collector.example', 'https://collector.example/?token=a'])
    assert.throws(() => read({ SHEAF_OTLP_URL: url }), /SHEAF_OTLP_URL must/);
  for (const wrong of ['hunter22', 'a b=hunter22', 'authorization=%E0hunter22', 'authorization=hunter22%0D%0Ax: y', 'authorization='])
    assert.throws(
      () => read({ SHEAF_OTLP_HEADERS: wrong }),
      (error: Error) => error.message.includes('SHEAF_OTLP_HEADERS must be') && !error.message.includes('hunter22'),
    );
  const shown = read({ SHEAF_OTLP_HEADERS: 'authorization=hunter22' }).shown.find(({ name }) => name === 'SHEAF_OTLP_HEADERS');
  assert.deepEqual([shown?.isSecret, shown?.isSet, shown?.value], [true, true, undefined]);
});

test('a message about an invalid value never repeats a secret', () => {
  assert.ok(
    !problemsOf({ SHEAF_SECRET_KEY: 'hunter2', SHEAF_DATABASE_URL: 'mysql://me:hunter2@x', SHEAF_SMTP_URL: 'x:hunter2' })
      .join()
      .includes('hunter2'),
  );
});

test('settings of a provider are read by its name, and misspelt names are reported', () => {
  const config = readConfig({ SHEAF_DROPBOX_CLIENT_ID: 'id', SHEAF_DROPBOX_API_URL: 'https://api.example/', SHEAF_PROT: '80' });
  assert.deepEqual(config.providers['dropbox'], { clientId: 'id', apiUrl: 'https://api.example/' });
  assert.deepEqual(config.unknown, ['SHEAF_PROT']);
});

test('the help names every setting of a plain installation', () => {
  for (const name of [
    'SHEAF_HOST',
    'SHEAF_PORT',
    'SHEAF_PUBLIC_URL',
    'SHEAF_DATA_DIR',
    'SHEAF_DATABASE_URL',
    'SHEAF_SECRET_KEY',
    'SHEAF_SMTP_URL',
    'SHEAF_BILLING',
    'SHEAF_PRIVATE_NETWORKS',
  ])
    assert.ok(describeSettings().includes(name), name);
});

test("the operator's providers are read by their names; missing settings and taken names are reported", () => {
  const required = { SHEAF_OIDC_COMPANY_ISSUER_URL: 'https://id.example.org/realms/main', SHEAF_OIDC_COMPANY_CLIENT_ID: 'sheaf' };
  const { oidc, unknown } = readConfig({ ...required, SHEAF_OIDC_COMPANY_NONSENSE: 'x' });
  assert.deepEqual(oidc, {
    company: {
      issuerUrl: 'https://id.example.org/realms/main',
      clientId: 'sheaf',
      clientSecret: '',
      label: 'Company',
      signup: 'rules',
      trustEmail: 'no',
      signOut: 'both',
      direct: 'no',
      operators: '',
      organisations: [],
      limits: '',
      name: 'name',
      picture: 'picture',
      scopes: '',
    },
  });
  assert.deepEqual(unknown, ['SHEAF_OIDC_COMPANY_NONSENSE']);
  assert.throws(() => readConfig({ SHEAF_OIDC_CLUB_OPERATORS: 'admins' }), /SHEAF_OIDC_CLUB_OPERATORS must be a claim and its value/);
  const rules = 'groups=a:b=c:0123456789abcdefghij, realm_access.roles=leads:0123456789abcdefghij:admin';
  const { oidc: ruled } = readConfig({ ...required, SHEAF_OIDC_COMPANY_ORGANISATIONS: rules });
  assert.deepEqual(ruled['company']?.organisations, [
    { claim: 'groups', value: 'a:b=c', orgId: '0123456789abcdefghij', role: 'member' },
    { claim: 'realm_access.roles', value: 'leads', orgId: '0123456789abcdefghij', role: 'admin' },
  ]);
  for (const wrong of ['groups', 'groups=staff', 'groups=staff:Engineering', 'groups=staff:0123456789abcdefghij:owner'])
    assert.throws(() => readConfig({ ...required, SHEAF_OIDC_COMPANY_ORGANISATIONS: wrong }), /ORGANISATIONS must be a list such as/);
  const both = { SHEAF_OIDC_CLUB_DIRECT: 'yes', SHEAF_OIDC_COMPANY_DIRECT: 'yes' };
  assert.throws(() => readConfig(both), /DIRECT cannot be yes: signing in goes straight to another provider/);
  assert.throws(
    () => readConfig({ SHEAF_OIDC_GOOGLE_LABEL: 'Mine', SHEAF_OIDC_CLUB_ISSUER_URL: 'id.example.org', SHEAF_OIDC_CLUB_CLIENT_ID: 'x' }),
    ({ message }: Error) =>
      ['google is taken', 'SHEAF_OIDC_GOOGLE_CLIENT_ID must be set', 'SHEAF_OIDC_CLUB_ISSUER_URL must be'].every((part) =>
        message.includes(part),
      ),
  );
});

test('docs/settings.md has the table of all settings', () => {
  const text = readFileSync(join(import.meta.dirname, '../../../../../docs/settings.md'), 'utf8');
  assert.ok(text.includes(settingsTable()), 'put the output of npm run admin -- settings into docs/settings.md');
});
