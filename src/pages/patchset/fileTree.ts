import { h, setAttributes } from '../dom.ts';
import type { PatchFileView } from '../protocol/patchsetProtocol.ts';
import { pilled } from '../texts.ts';

/** A folder of changed files. A chain of folders without files is one folder. */
interface Folder {
	/** `src/pages/` */
	readonly name: string;
	readonly folders: readonly Folder[];
	readonly files: readonly PatchFileView[];
}

/** Foldable rows of files by folder. A folded folder has no rows yet. `row` makes the row of a file. */
export function fileTree(
	files: readonly PatchFileView[],
	row: (file: PatchFileView, name: string) => HTMLElement,
	isFolded: (folder: string) => boolean,
	fold: (folder: string, isFolded: boolean) => void,
): readonly HTMLElement[] {
	function folderRow(folder: Folder, above: string): HTMLElement {
		const path = above + folder.name;
		const list = h('ul', { class: 'files' });
		const details = h('details', { open: !isFolded(path) }, h('summary', { class: 'path' }, pilled(folder.name)), list);
		const fill = (): void => {
			if (details.open && list.childElementCount === 0) {
				list.append(...rows(folder, path));
			}
		};
		details.addEventListener('toggle', () => {
			fill();
			fold(path, !details.open);
		});
		fill();
		const isViewed = allFiles(folder).every((file) => file.isViewed);
		const item = h('li', { class: 'folder' }, details);
		setAttributes(item, { 'data-viewed': isViewed });
		return item;
	}

	function rows(folder: Folder, path: string): readonly HTMLElement[] {
		return [
			...folder.folders.map((each) => folderRow(each, path)),
			...folder.files.map((file) => row(file, file.path.startsWith(path) ? file.path.slice(path.length) : file.path)),
		];
	}

	return rows(folderOf('', '', files), '');
}

function allFiles({ folders, files }: Folder): readonly PatchFileView[] {
	return [...folders.flatMap(allFiles), ...files];
}

/** `path`: the folder with those above it. */
function folderOf(name: string, path: string, files: readonly PatchFileView[]): Folder {
	const inside = Map.groupBy(files, (file) => {
		// A renamed file shows two paths, so it has no single folder.
		const rest = file.change === 'renamed' || file.change === 'copied' ? '' : file.path.slice(path.length);
		return rest.slice(0, rest.indexOf('/') + 1);
	});
	const own = inside.get('') ?? [];
	inside.delete('');
	const [only] = inside;
	if (name !== '' && only && inside.size === 1 && own.length === 0) {
		return folderOf(name + only[0], path + only[0], only[1]);
	}
	return {
		name,
		folders: Array.from(inside, ([next, below]) => folderOf(next, path + next, below)),
		files: own,
	};
}
