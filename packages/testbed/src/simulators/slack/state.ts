import { type Content, createContents } from '../kit/index.ts';

export type ConversationKind = 'public' | 'private' | 'im' | 'mpim';

export interface Conversation {
  readonly id: string;
  readonly kind: ConversationKind;
  /** Absent for a direct message to one person. */
  readonly name?: string;
  readonly members: ReadonlySet<string>;
  readonly isArchived: boolean;
}

export interface Person {
  readonly id: string;
  readonly name: string;
  readonly realName: string;
  readonly displayName: string;
}

export interface StoredFile {
  readonly id: string;
  readonly name: string;
  readonly title: string;
  readonly mimetype: string;
  readonly user: string;
  /** Epoch seconds. */
  readonly created: number;
  /** Absent: another service stores the file. */
  readonly content: Content | undefined;
  readonly mode: string;
  /** Fully visible only in `files.info`, like files of other workspaces. */
  readonly isShort: boolean;
  readonly places: Set<string>;
}

/** An announced upload. */
export interface Upload {
  readonly id: string;
  readonly name: string;
  readonly length: number;
  readonly user: string;
  content: Content | undefined;
}

export interface NewFile {
  readonly name: string;
  readonly bytes?: string | Uint8Array;
  readonly user: string;
  readonly channels?: readonly string[];
  readonly mode?: string;
  readonly isShort?: boolean;
  readonly mimetype?: string;
}

const types: Readonly<Record<string, string>> = {
  txt: 'text/plain',
  md: 'text/markdown',
  png: 'image/png',
  jpg: 'image/jpeg',
  html: 'text/html',
  pdf: 'application/pdf',
};
const typeOf = (name: string): string => types[/\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''] ?? 'application/octet-stream';

export type State = ReturnType<typeof createState>;

/** A workspace: its users, conversations and files. */
export function createState(people: Person[]) {
  const contents = createContents({ hashes: {}, keepUpTo: 64 * 1024 * 1024 });
  const conversations = new Map<string, Conversation>();
  const files = new Map<string, StoredFile>();
  const uploads = new Map<string, Upload>();
  let last = 0;
  const newId = (letter: string): string => `${letter}0${String((last += 1)).padStart(9, '0')}`;

  function mayRead({ places, user }: StoredFile, person: string): boolean {
    const isOpen = (id: string) => conversations.get(id)?.kind === 'public' || conversations.get(id)?.members.has(person) === true;
    return user === person || [...places].some(isOpen);
  }

  return {
    contents,
    people,
    conversations,
    files,
    uploads,
    newId,
    mayRead,
    addConversation(kind: ConversationKind, members: readonly string[], name?: string, isArchived = false): Conversation {
      const id = newId(kind === 'im' ? 'D' : kind === 'public' ? 'C' : 'G');
      const made = { id, kind, members: new Set(members), isArchived, ...(name !== undefined && { name }) };
      conversations.set(id, made);
      return made;
    },
    addFile({
      name,
      bytes,
      user,
      channels = [],
      mode = bytes === undefined ? 'external' : 'hosted',
      isShort = false,
      mimetype,
    }: NewFile): StoredFile {
      const file = {
        id: newId('F'),
        name,
        title: name,
        user,
        mode,
        isShort,
        created: Math.floor(Date.now() / 1000),
        places: new Set(channels),
        mimetype: mimetype ?? typeOf(name),
        content: bytes === undefined ? undefined : contents.of(bytes),
      };
      files.set(file.id, file);
      return file;
    },
    /** Turns an upload into a file. */
    finish({ id, name, user, content }: Upload, title: string): StoredFile {
      const file = {
        id,
        name,
        title,
        user,
        content,
        mode: 'hosted',
        isShort: false,
        mimetype: typeOf(name),
        created: Math.floor(Date.now() / 1000),
        places: new Set<string>(),
      };
      files.set(id, file);
      uploads.delete(id);
      return file;
    },
  };
}
