import { type Static, Type } from 'typebox';
import type { Item } from '../../kit/id-tree/item-tree.ts';

/** Companies contain spaces: the company's documents and those of each project. Folders and files exist in spaces only. */
export type Level = 'root' | 'company' | 'space' | 'folder' | 'file';

/** Where documents are located: in a project, or without one in the company. */
export interface Space {
  readonly company: number;
  readonly project?: number;
}

export interface Facts {
  readonly level: Level;
  readonly space: Space;
  /** Procore's id of a folder or file; 0 for higher levels. */
  readonly number: number;
}
export type ProcoreItem = Item<Facts>;

const text = Type.Union([Type.String(), Type.Null()]);
const flag = Type.Optional(Type.Union([Type.Boolean(), Type.Null()]));
const number = Type.Optional(Type.Union([Type.Number(), Type.Null()]));

export const Me = Type.Object({ id: Type.Integer(), login: Type.Optional(text), name: Type.Optional(text) });
const Named = Type.Object({ id: Type.Integer(), name: Type.Optional(text), display_name: Type.Optional(text) });
export const Companies = Type.Array(Named);
export const Projects = Type.Array(Named);

export const NewVersion = Type.Object({
  url: Type.Optional(text),
  size: number,
  number,
  created_at: Type.Optional(text),
});
const Folder = Type.Object({
  id: Type.Integer(),
  name: text,
  parent_id: number,
  updated_at: Type.Optional(text),
  is_deleted: flag,
  is_recycle_bin: flag,
});
type Folder = Static<typeof Folder>;
export const OneFolder = Folder;

const File = Type.Object({
  id: Type.Integer(),
  name: text,
  size: number,
  updated_at: Type.Optional(text),
  is_deleted: flag,
  file_versions: Type.Optional(Type.Union([Type.Array(NewVersion), Type.Null()])),
});
type File = Static<typeof File>;
export const OneFile = File;

export const FolderContents = Type.Object({
  ...Folder.properties,
  folders: Type.Optional(Type.Union([Type.Array(Folder), Type.Null()])),
  files: Type.Optional(Type.Union([Type.Array(File), Type.Null()])),
});

/** Search results: a folder, or a file with its newest version. */
export const Documents = Type.Array(
  Type.Object({
    ...Folder.properties,
    document_type: text,
    file: Type.Optional(Type.Union([Type.Object({ current_version: Type.Optional(Type.Union([NewVersion, Type.Null()])) }), Type.Null()])),
  }),
);

const Segment = Type.Object({
  url: Type.String(),
  headers: Type.Optional(
    Type.Union([Type.Unsafe<Record<string, string>>({ type: 'object', additionalProperties: { type: 'string' } }), Type.Null()]),
  ),
});
export const Upload = Type.Object({
  uuid: Type.String(),
  status: Type.Optional(text),
  /** Present for a single-request upload, sent as a form with these fields. */
  url: Type.Optional(text),
  fields: Type.Optional(
    Type.Union([Type.Unsafe<Record<string, string>>({ type: 'object', additionalProperties: { type: 'string' } }), Type.Null()]),
  ),
  segments: Type.Optional(Type.Union([Type.Array(Segment), Type.Null()])),
});

export type Upload = Static<typeof Upload>;

const timeOf = (told: string | null | undefined): { readonly modified?: number } => {
  const time = Date.parse(told ?? '');
  return Number.isNaN(time) ? {} : { modified: Math.floor(time / 1000) };
};

const spaceText = ({ company, project }: Space): string => (project === undefined ? `company ${company}` : `project ${project}`);

export const companyItem = ({ id, name }: Static<typeof Named>): ProcoreItem => ({
  id: `of ${id}`,
  name: name ?? String(id),
  kind: 'folder',
  entry: {},
  facts: { level: 'company', space: { company: id }, number: 0 },
});

export const spaceItem = (space: Space, name: string): ProcoreItem => ({
  id: spaceText(space),
  name,
  kind: 'folder',
  entry: {},
  facts: { level: 'space', space, number: 0 },
});

export const projectItem = ({ id, name, display_name }: Static<typeof Named>, company: number): ProcoreItem =>
  spaceItem({ company, project: id }, name ?? display_name ?? String(id));

export const folderItem = ({ id, name, updated_at }: Folder, space: Space): ProcoreItem => ({
  id: `folder ${id}`,
  name: name ?? '',
  kind: 'folder',
  entry: timeOf(updated_at),
  facts: { level: 'folder', space, number: id },
});

/** Returns the newest version of a file; their order is undefined. */
export const newestOf = ({ file_versions }: File): Static<typeof NewVersion> | undefined =>
  [...(file_versions ?? [])].sort((a, b) => (b.number ?? 0) - (a.number ?? 0))[0];

export function fileItem(file: File, space: Space): ProcoreItem {
  const newest = newestOf(file);
  const size = newest?.size ?? file.size;
  return {
    id: `file ${file.id}`,
    name: file.name ?? '',
    kind: 'file',
    entry: {
      ...(typeof size === 'number' && { size }),
      ...timeOf(newest?.created_at ?? file.updated_at),
      ...(newest?.number && { etag: `${file.id}.${newest.number}` }),
    },
    facts: { level: 'file', space, number: file.id },
  };
}

/** Neither deleted, nor the recycle bin itself. */
export const isShown = ({
  is_deleted,
  is_recycle_bin,
}: {
  readonly is_deleted?: boolean | null;
  readonly is_recycle_bin?: boolean | null;
}): boolean => is_deleted !== true && is_recycle_bin !== true;
