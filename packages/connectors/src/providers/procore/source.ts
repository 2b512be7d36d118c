import type { Static, TArray } from 'typebox';
import type { CallOptions } from '../../core/connector.ts';
import type { ItemSource } from '../../kit/id-tree/item-tree.ts';
import { pagesInParallel } from '../../kit/rest/paging.ts';
import {
  Companies,
  type Facts,
  FolderContents,
  type ProcoreItem,
  Projects,
  companyItem,
  fileItem,
  folderItem,
  isShown,
  projectItem,
  spaceItem,
} from './api.ts';
import { type ProcoreClient, placeOf } from './client.ts';

/** Name of the folder with a company's own documents, next to its projects. */
export const companyDocuments = 'Company documents';
export const defaultPageSize = 500;
/** Concurrent pages. */
const width = 4;

export const rootItem: ProcoreItem = {
  id: 'root',
  name: '',
  kind: 'folder',
  entry: {},
  facts: { level: 'root', space: { company: 0 }, number: 0 },
};

interface List {
  readonly url: string;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
}

/** Companies, their spaces and contents, as the source of an id tree. */
export function createProcoreSource(client: ProcoreClient, pageSize = defaultPageSize) {
  /**
   * Requests the pages of a list: the first contains the total, and the others follow concurrently; without a total, the first page that is
   * not full is the last.
   */
  async function* pages<S extends TArray>(
    schema: S,
    company: number | undefined,
    { url, query }: List,
    { signal }: CallOptions,
  ): AsyncGenerator<Static<S>> {
    const fetch = (page: number) =>
      client.page(schema, company, { method: 'GET', url, query: { ...query, page: page + 1, per_page: pageSize }, signal });
    const { page, total } = await fetch(0);
    yield page;
    const isFull = (one: readonly unknown[]): boolean => one.length >= pageSize;
    const more = total === undefined ? (isFull(page) ? Number.POSITIVE_INFINITY : 0) : Math.ceil(total / pageSize) - 1;
    for await (const next of pagesInParallel(more, width, { signal }, (number) => fetch(number + 1))) {
      yield next.page;
      if (total === undefined && !isFull(next.page)) return;
    }
  }

  async function* companies(ask: CallOptions): AsyncGenerator<ProcoreItem[]> {
    for await (const page of pages(Companies, undefined, { url: '/rest/v1.0/companies' }, ask))
      if (page.length > 0) yield page.map(companyItem);
  }

  async function* spaces(company: number, ask: CallOptions): AsyncGenerator<ProcoreItem[]> {
    yield [spaceItem({ company }, companyDocuments)];
    const list = { url: '/rest/v1.1/projects', query: { company_id: company } };
    for await (const page of pages(Projects, company, list, ask))
      if (page.length > 0) yield page.map((project) => projectItem(project, company));
  }

  /** Requests a folder, which Procore does not page. `only` omits its contents. */
  async function contents(
    { facts: { level, space, number } }: ProcoreItem,
    { signal }: CallOptions,
    only?: 'itself',
  ): Promise<Static<typeof FolderContents>> {
    const { url, query } = placeOf(space, 'folders', level === 'space' ? undefined : number);
    // For a company's folders there is no way to omit older versions.
    const latest = space.project === undefined ? {} : { show_latest_file_version_only: true };
    const less = only ? { exclude_folders: true, exclude_files: true } : latest;
    return client.json(FolderContents, space.company, { method: 'GET', url, query: { ...query, ...less }, signal });
  }

  async function* children(folder: ProcoreItem, ask: CallOptions): AsyncGenerator<ProcoreItem[]> {
    const { level, space } = folder.facts;
    if (level === 'root') return yield* companies(ask);
    if (level === 'company') return yield* spaces(space.company, ask);
    const { folders, files } = await contents(folder, ask);
    const items = [
      ...(folders ?? []).filter(isShown).map((one) => folderItem(one, space)),
      ...(files ?? []).filter(isShown).map((one) => fileItem(one, space)),
    ];
    if (items.length > 0) yield items;
  }

  // A project may have the name under which the company's documents are shown.
  return { root: rootItem, children, duplicates: 'anywhere', pages, contents } as const satisfies ItemSource<Facts> &
    Record<string, unknown>;
}
export type ProcoreSource = ReturnType<typeof createProcoreSource>;
