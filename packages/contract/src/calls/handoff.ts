import { type Static, Type } from 'typebox';
import { call, jsonText } from '../call.ts';

const text = Type.String();
const optional = Type.Optional;
const rTag = optional(text);

/** Reasons for which a program requests a folder, and their names in the folder picker's address. */
export const handoffActions = { backup: 'backup', sync: 'syncexternalfolder' } as const;
export type HandoffAction = keyof typeof handoffActions;
const Action = Type.Union([Type.Literal('backup'), Type.Literal('sync')]);

export const handoffStates = ['pending', 'completed', 'canceled'] as const;
export type HandoffState = (typeof handoffStates)[number];

/** The chosen folder: its path as shown, and its address. */
export const ProcessData = Type.Object({ destinationPath: text, linkUri: text });
export type ProcessData = Static<typeof ProcessData>;

/** Query of the folder picker's address. */
export interface PickerQuery {
  readonly processToken: string;
  readonly action: HandoffAction;
  /** Whether a folder that is not empty needs a confirmation. */
  readonly evaluateMerge: boolean;
}

/** By default, merging is confirmed for an external folder and accepted for a backup. */
const mergePreset = { backup: false, sync: true } as const satisfies Record<HandoffAction, boolean>;

/** Path and query of the folder picker for a process. */
export const pickerPath = ({ processToken, action, evaluateMerge }: PickerQuery): string =>
  `/getfolder?processToken=${encodeURIComponent(processToken)}&actionType=${handoffActions[action]}&evaluateMerge=${evaluateMerge}`;

/** Parses the folder picker's query; undefined without a process token or a known action. */
export function readPickerQuery(query: Readonly<Record<string, string | undefined>>): PickerQuery | undefined {
  const { processToken = '', actionType, evaluateMerge } = query;
  const action = (['backup', 'sync'] as const).find((one) => handoffActions[one] === actionType);
  if (processToken === '' || action === undefined) return undefined;
  return { processToken, action, evaluateMerge: evaluateMerge === undefined ? mergePreset[action] : evaluateMerge === 'true' };
}

export const startHandoff = call({
  method: 'POST',
  path: '/rest/handoff/start',
  input: Type.Object({
    action: Action,
    /** Name of the backup or sync, chosen by the user. */
    name: optional(Type.String({ maxLength: 200 })),
    evaluateMerge: optional(Type.Boolean()),
    rTag,
  }),
  reply: Type.Object({ processToken: text, url: text }),
  summary: 'Asks the user for a folder: gives the address of the folder picker and a token, good for an hour.',
});
export const handoffStatus = call({
  method: 'GET',
  path: '/rest/handoff/status',
  input: Type.Object({ processToken: text }),
  reply: Type.Object({
    state: Type.Union([Type.Literal('pending'), Type.Literal('completed'), Type.Literal('canceled')]),
    action: Action,
    name: optional(text),
    destinationPath: optional(text),
    linkUri: optional(text),
  }),
  summary: 'Whether the user has chosen a folder yet, and which.',
});
export const completeHandoff = call({
  method: 'POST',
  path: '/rest/handoff/set_handoff_process_completed',
  input: Type.Object({
    processToken: text,
    /** JSON of {@link ProcessData}. */
    processData: jsonText,
    rTag,
  }),
  reply: Type.Object({}),
  summary: 'Tells the program which folder the user has chosen.',
});
export const cancelHandoff = call({
  method: 'POST',
  path: '/rest/handoff/set_handoff_process_canceled',
  input: Type.Object({ processToken: text, rTag }),
  reply: Type.Object({}),
  summary: 'Tells the program that the user does not want to choose a folder.',
});
