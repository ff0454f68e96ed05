import { h, setAttributes } from '../dom.ts';
import type { PageSteps } from '../pageWork.ts';
import type { PatchFileView } from '../protocol/patchsetProtocol.ts';
import { pilled } from '../texts.ts';

/** A folder of changed files. A chain of folders without files is one folder. */
interface Folder {
	/** `src/pages/` */
	readonly name: string;
	readonly folders: readonly Folder[];
	readonly files: readonly PatchFileView[];
}

/** Longer lists of files use lazy layout. */
const manyFiles = 50;

/** How folders fold. */
export interface Folding {
	readonly isFolded: (folder: string) => boolean;
	readonly fold: (folder: string, isFolded: boolean) => void;
	/** Runs long work in slices. */
	readonly work: (steps: PageSteps) => void;
}

/** Fills a list with foldable rows of files by folder. A folded folder has no rows yet. `row` makes the row of a file. */
export function* fileTree(
	root: HTMLElement,
	files: readonly PatchFileView[],
	row: (file: PatchFileView, name: string) => HTMLElement,
	{ isFolded, fold, work }: Folding,
): PageSteps {
	function* addFolder(list: HTMLElement, folder: Folder, above: string): PageSteps {
		const path = above + folder.name;
		const details = h('details', { open: !isFolded(path) }, h('summary', { class: 'path' }, pilled(folder.name)));
		let isFilled = false;
		function* fill(): PageSteps {
			if (details.open && !isFilled) {
				isFilled = true;
				const below = h('ul');
				details.append(below);
				yield* addRows(below, folder, path);
			}
		}
		details.addEventListener('toggle', () => {
			work(fill());
			fold(path, !details.open);
		});
		const isViewed = allFiles(folder).every((file) => file.isViewed);
		const item = h('li', { class: 'folder' }, details);
		setAttributes(item, { 'data-viewed': isViewed });
		list.append(item);
		yield* fill();
	}

	function* addRows(list: HTMLElement, folder: Folder, path: string): PageSteps {
		list.className = folder.files.length > manyFiles ? 'files many' : 'files';
		for (const each of folder.folders) {
			yield* addFolder(list, each, path);
		}
		for (const file of folder.files) {
			list.append(row(file, file.path.startsWith(path) ? file.path.slice(path.length) : file.path));
			yield;
		}
	}

	yield* addRows(root, folderOf('', '', files), '');
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
