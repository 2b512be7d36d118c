import type { Source } from './source.ts';

const webdav = {
  sourceTypes: ['WebDAV'],
  formType: 'WEBDAV',
  family: 'webdav',
  connector: 'webdav',
  addApi: 'add_webdav_provider_link',
  updateApi: 'update_webdav_provider_link',
  sentence: 'Sheaf signs in over WebDAV and shows the files.',
  available: true,
} as const;
const davDrive = { ...webdav, group: 'Cloud drives', serverFixed: true } as const;

/** WebDAV servers, and providers with a WebDAV interface. */
export const webdavSources = [
  {
    provider: 'WebDAV',
    title: 'WebDAV',
    tile: { letters: 'WD', hue: 265 },
    route: 'webdav',
    group: 'File protocols',
    defaultName: 'My WebDAV Server',
    ...webdav,
  },
  {
    provider: '4shared',
    title: '4shared',
    tile: { letters: '4s', hue: 235 },
    route: '4shared',
    serverUrl: 'https://webdav.4shared.com',
    defaultName: 'My 4shared',
    ...davDrive,
  },
  {
    provider: 'adrive',
    title: 'ADrive',
    tile: { letters: 'Ad', hue: 120 },
    route: 'adrive',
    defaultName: 'My ADrive',
    ...webdav,
    group: 'Cloud drives',
  },
  {
    provider: 'hidrive',
    title: 'HiDrive',
    tile: { letters: 'Hi', hue: 40 },
    route: 'hidrive',
    serverUrl: 'https://webdav.hidrive.strato.com',
    destinationUrl: 'https://webdav.hidrive.strato.com/users/{username}',
    defaultName: 'My HiDrive',
    ...davDrive,
  },
  {
    provider: 'opendrive',
    title: 'OpenDrive',
    tile: { letters: 'Op', hue: 220 },
    route: 'opendrive',
    serverUrl: 'https://webdav.opendrive.com',
    defaultName: 'My OpenDrive',
    ...davDrive,
  },
  {
    provider: 'yandexdisk',
    title: 'Yandex Disk',
    tile: { letters: 'Ya', hue: 18 },
    route: 'yandexdisk',
    serverUrl: 'https://webdav.yandex.com',
    defaultName: 'My Yandex Disk',
    ...davDrive,
  },
] as const satisfies readonly Source[];
