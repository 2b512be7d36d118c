import { listSettings } from '@sheaf/contract';
import { queryOptions } from '@tanstack/react-query';
import { send } from '#/lib/http/send.ts';

/** All settings of the installation. */
export const settingList = () => queryOptions({ queryKey: ['operated-settings'], queryFn: ({ signal }) => send(listSettings, {}, signal) });
