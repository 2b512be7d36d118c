import { Button, UnstyledButton } from '@mantine/core';
import {
  IconCheck,
  IconFile,
  IconFileText,
  IconFolderPlus,
  IconFolderUp,
  IconInfoCircle,
  IconLayoutDashboard,
  IconLayoutGrid,
  IconList,
  IconSortAscending,
  IconSortDescending,
  IconUpload,
  IconWorldDownload,
} from '@tabler/icons-react';
import { useRef } from 'react';
import type { ListingState } from '#/features/browse/listing/listing.ts';
import type { FolderView } from '#/features/browse/view-address.ts';
import { IconButton } from '#/ui/IconButton.tsx';
import { Menu } from '#/ui/menu/Menu.tsx';
import { FilterField } from './FilterField.tsx';
import classes from './Toolbar.module.css';

type Props = {
  view: FolderView;
  onView: (change: Partial<FolderView>) => void;
  state: ListingState;
  onAddFolder: () => void;
  onFiles: (files: Iterable<File>) => void;
  onFromWeb: () => void;
  onAddText: () => void;
  isInfoOpen: boolean;
  onInfo: () => void;
};

const sorts = [
  { sort: 'name', title: 'Name' },
  { sort: 'modified', title: 'Modified' },
  { sort: 'size', title: 'Size' },
  { sort: 'type', title: 'Type' },
] as const;
const layouts = [
  { layout: 'list', title: 'List', Icon: IconList },
  { layout: 'grid', title: 'Grid', Icon: IconLayoutGrid },
  { layout: 'gallery', title: 'Gallery', Icon: IconLayoutDashboard },
] as const;

/** Actions of a folder, and its view. */
export function Toolbar({ view, onView, state, onAddFolder, onFiles, onFromWeb, onAddText, isInfoOpen, onInfo }: Props) {
  const { can, status } = state;
  const Sorting = view.order === 'asc' ? IconSortAscending : IconSortDescending;
  return (
    <div className={classes.tools} role="toolbar" aria-label="Folder">
      {can.has('write') && <UploadButton onFiles={onFiles} onFromWeb={onFromWeb} onAddText={status === 'ready' ? onAddText : undefined} />}
      {can.has('createFolder') && (
        <Button
          size="sm"
          className={classes.iconOnly}
          aria-label="New folder"
          leftSection={<IconFolderPlus size={16} stroke={1.75} />}
          onClick={onAddFolder}
          disabled={status !== 'ready'}
        >
          <span className={classes.words}>New folder</span>
        </Button>
      )}
      <span className={classes.grow} />
      <FilterField key="filter" state={state} filter={view.filter} onFilter={(filter) => onView({ filter })} />
      <Menu>
        <Menu.Target>
          <Button
            size="sm"
            variant="subtle"
            className={classes.iconOnly}
            aria-label={`Sort by ${view.sort}`}
            leftSection={<Sorting size={16} stroke={1.75} />}
          >
            <span className={classes.words}>{sorts.find(({ sort }) => sort === view.sort)?.title}</span>
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {sorts.map(({ sort, title }) => (
            <Menu.Item
              key={sort}
              role="menuitemradio"
              aria-checked={sort === view.sort}
              onClick={() => onView({ sort })}
              rightSection={sort === view.sort && <IconCheck size={16} stroke={2} />}
            >
              {title}
            </Menu.Item>
          ))}
          <Menu.Divider />
          {(['asc', 'desc'] as const).map((order) => (
            <Menu.Item
              key={order}
              role="menuitemradio"
              aria-checked={order === view.order}
              onClick={() => onView({ order })}
              rightSection={order === view.order && <IconCheck size={16} stroke={2} />}
            >
              {order === 'asc' ? 'Ascending' : 'Descending'}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Layouts view={view} onView={onView} />
      <IconButton label="Details" aria-pressed={isInfoOpen} aria-keyshortcuts="Alt+I" onClick={onInfo}>
        <IconInfoCircle size={18} stroke={1.75} />
      </IconButton>
    </div>
  );
}

/** List, grid or gallery: three buttons, or one with a menu where there is no room for three that a finger can hit. */
function Layouts({ view, onView }: Pick<Props, 'view' | 'onView'>) {
  const current = layouts.find(({ layout }) => layout === view.layout) ?? layouts[0];
  return (
    <>
      <span className={classes.segments} role="group" aria-label="View">
        {layouts.map(({ layout, title, Icon }) => (
          <UnstyledButton
            key={layout}
            className={classes.segment}
            aria-label={title}
            title={title}
            aria-pressed={layout === view.layout}
            onClick={() => onView({ layout })}
          >
            <Icon size={18} stroke={1.75} />
          </UnstyledButton>
        ))}
      </span>
      <span className={classes.oneView}>
        <Menu>
          <Menu.Target>
            <IconButton label={`View: ${current.title}`} withTooltip={false}>
              <current.Icon size={18} stroke={1.75} />
            </IconButton>
          </Menu.Target>
          <Menu.Dropdown>
            {layouts.map(({ layout, title, Icon }) => (
              <Menu.Item
                key={layout}
                role="menuitemradio"
                aria-checked={layout === view.layout}
                leftSection={<Icon size={18} stroke={1.75} />}
                onClick={() => onView({ layout })}
                rightSection={layout === view.layout && <IconCheck size={16} stroke={2} />}
              >
                {title}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      </span>
    </>
  );
}

function UploadButton({ onFiles, onFromWeb, onAddText }: Pick<Props, 'onFiles' | 'onFromWeb'> & { onAddText: (() => void) | undefined }) {
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const asFolderField = (input: HTMLInputElement | null): void => {
    folder.current = input;
    if (input) input.webkitdirectory = true;
  };
  const take = (input: HTMLInputElement): void => {
    onFiles([...(input.files ?? [])]);
    input.value = '';
  };
  return (
    <>
      <Menu position="bottom-start">
        <Menu.Target>
          <Button size="sm" variant="filled" leftSection={<IconUpload size={16} stroke={1.75} />}>
            Upload
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconFile size={18} stroke={1.75} />} onClick={() => files.current?.click()}>
            Files
          </Menu.Item>
          <Menu.Item leftSection={<IconFolderUp size={18} stroke={1.75} />} onClick={() => folder.current?.click()}>
            Folder
          </Menu.Item>
          <Menu.Item leftSection={<IconWorldDownload size={18} stroke={1.75} />} onClick={onFromWeb}>
            From the web
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item leftSection={<IconFileText size={18} stroke={1.75} />} onClick={onAddText} disabled={!onAddText}>
            New text file
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <input ref={files} type="file" multiple hidden aria-label="Files to upload" onChange={({ currentTarget }) => take(currentTarget)} />
      <input ref={asFolderField} type="file" hidden aria-label="Folder to upload" onChange={({ currentTarget }) => take(currentTarget)} />
    </>
  );
}
