import { startAutodesk } from './autodesk/index.ts';
import { startBox } from './box/index.ts';
import { startCloudDrive } from './clouddrive/index.ts';
import { startDropbox } from './dropbox/index.ts';
import { startGoogle } from './google/index.ts';
import { startGoogleCloud } from './googlecloud/index.ts';
import type { OAuth, Simulator } from './kit/index.ts';
import { startFacebook } from './meta/facebook.ts';
import { startInstagram } from './meta/instagram.ts';
import { startMicrosoft } from './microsoft/index.ts';
import { startProcore } from './procore/index.ts';
import { startSlack } from './slack/index.ts';

/** Operator settings for one provider. */
type App = Readonly<Partial<Record<'apiUrl' | 'authUrl' | 'clientId' | 'clientSecret' | 'tokenUrl' | 'uploadUrl', string>>>;

/** What Sheaf as a whole needs of a simulated provider. */
export interface SimulatedProvider {
  readonly oauth: OAuth;
  readonly simulator: Simulator;
  readonly app: App;
}

/** The catalogue providers that one simulator covers, by the stem of their settings. */
type Started = Readonly<Record<string, SimulatedProvider>>;

const client = { id: 'sheaf', secret: 'simulated secret', title: 'Sheaf', redirectUris: [] };

/** Starts each simulator of a provider with OAuth. Add new ones here. */
const starts = {
  autodesk: async (): Promise<Started> => {
    const simulator = await startAutodesk();
    return { AUTODESK: { simulator, oauth: simulator.oauth, app: simulator.app } };
  },
  box: async (): Promise<Started> => {
    const simulator = await startBox();
    return { BOX: { simulator, oauth: simulator.oauth, app: simulator.app } };
  },
  clouddrive: async (): Promise<Started> => {
    const simulator = await startCloudDrive();
    simulator.seed();
    return { CLOUDDRIVE: { simulator, oauth: simulator.oauth, app: simulator.app } };
  },
  dropbox: async (): Promise<Started> => {
    const simulator = await startDropbox();
    const provider = { simulator, oauth: simulator.oauth, app: simulator.app };
    return { DROPBOX: provider, DROPBOXTEAMS: provider };
  },
  facebook: async (): Promise<Started> => {
    const simulator = await startFacebook();
    simulator.seed();
    return { FACEBOOK: { simulator, oauth: simulator.oauth, app: simulator.app } };
  },
  googlecloud: async (): Promise<Started> => {
    const simulator = await startGoogleCloud({ client });
    return { GOOGLECLOUD: { simulator, oauth: simulator.oauth, app: simulator.app } };
  },
  instagram: async (): Promise<Started> => {
    const simulator = await startInstagram();
    simulator.seed();
    return { INSTAGRAM: { simulator, oauth: simulator.oauth, app: simulator.app } };
  },
  google: async (): Promise<Started> => {
    const simulator = await startGoogle({ client });
    return { GOOGLEDRIVE: { simulator, oauth: simulator.oauth, app: simulator.app } };
  },
  microsoft: async (): Promise<Started> => {
    const simulator = await startMicrosoft();
    const { OneDrive, OneDriveForBusiness, Sharepoint } = simulator.apps;
    return {
      ONEDRIVE: { simulator, oauth: simulator.consumers, app: OneDrive },
      ONEDRIVEFORBUSINESS: { simulator, oauth: simulator.organizations, app: OneDriveForBusiness },
      SHAREPOINT: { simulator, oauth: simulator.organizations, app: Sharepoint },
    };
  },
  procore: async (): Promise<Started> => {
    const simulator = await startProcore();
    return { PROCORE: { simulator, oauth: simulator.oauth, app: simulator.app } };
  },
  slack: async (): Promise<Started> => {
    const simulator = await startSlack();
    simulator.seed();
    return { SLACK: { simulator, oauth: simulator.oauth, app: simulator.app } };
  },
} as const;
export type SimulatorName = keyof typeof starts;

export interface Providers {
  /** By the stem of their settings: SHEAF_BOX_CLIENT_ID → BOX. */
  readonly of: Started;
  /** Environment variables for a Sheaf that uses them. */
  readonly settings: Readonly<Record<string, string>>;
  /** Throws when a request or response deviated from the provider's description. */
  assertClean(): void;
  stop(): Promise<void>;
}

const settingNames = {
  apiUrl: 'API_URL',
  authUrl: 'AUTH_URL',
  clientId: 'CLIENT_ID',
  clientSecret: 'CLIENT_SECRET',
  tokenUrl: 'TOKEN_URL',
  uploadUrl: 'UPLOAD_URL',
} as const satisfies Record<keyof App, string>;

/** Starts simulators of the providers with OAuth, with a few accounts and files each; `redirectUri` is Sheaf's callback URL. */
export async function startProviders(
  redirectUri: string,
  names: readonly SimulatorName[] = Object.keys(starts) as SimulatorName[],
): Promise<Providers> {
  const of: Started = Object.assign({}, ...(await Promise.all(names.map((name) => starts[name]()))));
  const simulators = new Set(Object.values(of).map(({ simulator }) => simulator));
  for (const { oauth } of Object.values(of)) oauth.register(redirectUri);
  return {
    of,
    settings: Object.fromEntries(
      Object.entries(of).flatMap(([stem, { app }]) =>
        (Object.keys(app) as (keyof App)[]).map((field) => [`SHEAF_${stem}_${settingNames[field]}`, app[field] ?? ''] as const),
      ),
    ),
    assertClean() {
      for (const simulator of simulators) simulator.assertClean();
    },
    async stop() {
      for (const simulator of simulators) await simulator.stop();
    },
  };
}
