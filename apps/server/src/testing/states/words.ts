/** The words that columns hold, as opposed to texts and numbers: an earlier version that runs beside this one reads every word that this one writes. */
import {
  agentPlanKinds,
  auditActions,
  changeKinds,
  conflictRules,
  givenOrgRoles,
  givenSpaceRoles,
  handoffActions,
  handoffStates,
  itemStates,
  keepVersionsRules,
  operatorActions,
  orgRoles,
  planActions,
  planReasons,
  products,
  proofs,
  spaceRoles,
  subscriptionStates,
  transferConflictRules,
  transferKinds,
  transferStates,
  undoResults,
  verifyRules,
} from '@sheaf/contract';
import type { Database } from '#/platform/db/schema/schema.ts';

/** Columns whose type lists their words. */
type Enumerated<Row> = {
  [Column in keyof Row as string extends Row[Column] ? never : Extract<Row[Column], string> extends never ? never : Column]: Extract<
    Row[Column],
    string
  >;
};
/** Every word of each of these columns: one that is missing, or is too many, fails the type check. */
type TypedWords = {
  readonly [Table in keyof Database as keyof Enumerated<Database[Table]> extends never ? never : Table]: {
    readonly [Column in keyof Enumerated<Database[Table]>]: Readonly<Record<Enumerated<Database[Table]>[Column], true>>;
  };
};

type Of<Word extends string> = Readonly<Record<Word, true>>;
const of = <Word extends string>(...words: readonly Word[]): Of<Word> => Object.fromEntries(words.map((word) => [word, true])) as Of<Word>;

const rights = of('read', 'write');
const typed: TypedWords = {
  agent: { rights },
  agent_plan: { kind: of(...agentPlanKinds), state: of('waiting', 'running', 'done', 'failed', 'refused') },
  app_password: { rights },
  device_request: { rights, state: of('pending', 'confirmed', 'refused'), wish: of('signIn', 'drive') },
  journal: { kind: of(...changeKinds), state: of('begun', 'done', 'undone', 'purged'), bin: of('source', 'hidden', 'version') },
  leftover: { kind: of('move', 'copy') },
  place: { kind: of('pin', 'recent') },
  schedule: {
    kind: of(...transferKinds),
    conflict: of(...transferConflictRules),
    verify: of(...verifyRules),
    keepVersions: of(...keepVersionsRules),
  },
  transfer: {
    kind: of(...transferKinds),
    state: of(...transferStates),
    conflict: of(...transferConflictRules),
    verify: of(...verifyRules),
    keepVersions: of(...keepVersionsRules),
  },
  transferItem: {
    action: of(...planActions),
    reason: of(...planReasons),
    state: of(...itemStates),
    proof: of(...proofs),
    undo: of(...undoResults),
  },
  upload: { conflict: of(...conflictRules) },
};

/** Columns of texts that hold words too. Kinds of jobs are not among them: a version leaves those alone that it does not know. */
const untyped = {
  account: { kind: of('person', 'organisation') },
  audit_event: { action: of(...Object.keys(auditActions)) },
  handoff: { action: of(...Object.values(handoffActions)), state: of(...handoffStates) },
  job: { state: of('ready', 'running', 'held', 'done', 'dead', 'cancelled') },
  operatorEvent: { action: of(...operatorActions) },
  org_invitation: { role: of(...givenOrgRoles) },
  org_member: { role: of(...orgRoles) },
  scim_group: { role: of(...givenOrgRoles) },
  space_invitation: { role: of(...givenSpaceRoles) },
  space_member: { role: of(...spaceRoles) },
  subscription: { product: of(...Object.keys(products)), state: of(...subscriptionStates) },
};

/** Words by `table.column`. */
export type Words = Readonly<Record<string, readonly string[]>>;

/** The words of this version. */
export const words: Words = Object.fromEntries(
  Object.entries({ ...typed, ...untyped }).flatMap(([table, columns]) =>
    Object.entries<Of<string>>(columns).map(([column, list]) => [`${table}.${column}`, Object.keys(list).sort()] as const),
  ),
);

/** Why earlier versions can live with a word that they do not know, by `table.column=word`. Entries go with the next recorded state. */
export const tolerated: Readonly<Record<string, string>> = {};

/** Says of each word that one of the versions writes and the other does not know what to do about it; of entries in `known` that they can go. */
export function strangeWords(before: Words, after: Words, state: string, known: Readonly<Record<string, string>>): string[] {
  const strange: string[] = [];
  const isNew = new Set<string>();
  for (const [column, list] of Object.entries(after))
    for (const word of list) {
      // A column that the earlier version lacks is not read by it.
      if (before[column]?.includes(word) !== false) continue;
      isNew.add(`${column}=${word}`);
      if (known[`${column}=${word}`] === undefined)
        strange.push(
          `${column} has the new word "${word}", which instances of ${state} may read and do not know. ` +
            `Land a version that only reads it, record its state, and write it in a later version; ` +
            `or, if ${state} does no harm with an unknown word there, say why in "tolerated" of states/words.ts.`,
        );
    }
  for (const [column, list] of Object.entries(before))
    for (const word of list)
      if (after[column] && !after[column].includes(word))
        strange.push(
          `${column} has lost the word "${word}", which instances of ${state} still write. Go on reading it for one more version.`,
        );
  for (const entry of Object.keys(known))
    if (!isNew.has(entry)) strange.push(`${state} knows "${entry}": remove it from "tolerated" of states/words.ts.`);
  return strange;
}
