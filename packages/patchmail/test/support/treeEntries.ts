import { submoduleBytes } from 'patchmail/git/submoduleBytes.ts';
import { blobId } from 'patchmail/patch/blobId.ts';
import { byteText } from 'patchmail/patch/byteText.ts';
import { nothing, type FileThere } from 'patchmail/patch/tryFile.ts';
import type { Tree } from '../../../../test/support/oddTrees.ts';

/** Mode and object id by path. */
export type Entries = Readonly<Record<string, string>>;

/** Files among these, as git lists a tree. */
export function entriesOf(places: Iterable<readonly [path: string, there: FileThere]>): Entries {
	const rows = Array.from(places).flatMap(([path, there]) =>
		there.kind === 'file' ? [[path, entryOf(there)] as const] : [],
	);
	return Object.fromEntries(rows);
}

function entryOf({ mode = '100644', content }: Extract<FileThere, { kind: 'file' }>): string {
	const id = mode === '160000' ? /[0-9a-f]{40}/.exec(byteText(content))?.[0] : blobId(content);
	return `${mode} ${id}`;
}

/** A tree path in the form of a patch check. */
export function thereIn(tree: Tree, path: string): FileThere {
	const file = tree.get(path);
	if (file) {
		const content = file.mode === '160000' ? submoduleBytes(file.content) : Buffer.from(file.content, 'latin1');
		return { kind: 'file', content, mode: file.mode };
	}
	const inTheWay = [...tree.keys()].filter((each) => each.startsWith(`${path}/`) || path.startsWith(`${each}/`));
	return inTheWay.length > 0 ? { kind: 'notFile', inTheWay } : nothing;
}
