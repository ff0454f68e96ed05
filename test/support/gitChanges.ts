import assert from 'node:assert/strict';
import type { Tree } from 'sourcehut/port/repository.ts';
import type { Leaf, TreeChange } from 'patchmail/git/compareTrees.ts';
import { gitIn } from './patchMakerGit.ts';

/** Ids of folders with the same path and different ids. */
export function differing(
	trees: ReadonlyMap<string, Tree>,
	before: string | undefined,
	after: string | undefined,
): ReadonlySet<string> {
	const ids = new Set<string>();
	const visit = (one: string | undefined, other: string | undefined): void => {
		if (one === other) {
			return;
		}
		const [was, is] = [one, other].map((id) => {
			if (id !== undefined) {
				ids.add(id);
			}
			const all = trees.get(id ?? '')?.entries.filter(({ type }) => type === 'tree') ?? [];
			return new Map(all.map((entry) => [entry.name, entry.id]));
		});
		new Set([...(was?.keys() ?? []), ...(is?.keys() ?? [])]).forEach((name) => visit(was?.get(name), is?.get(name)));
	};
	visit(before, after);
	return ids;
}

/** Two commits to compare; without `before`, compares a root commit with nothing. */
export interface ComparedCommits {
	readonly before: string | undefined;
	readonly after: string;
}

/** Git's own list of changes between two commits. */
export function gitChanges(folder: string, before: string | undefined, after: string): readonly TreeChange[] {
	return allGitChanges(folder, [{ before, after }])[0] ?? [];
}

/** The same for many pairs, in order, by one process. */
export function allGitChanges(folder: string, pairs: readonly ComparedCommits[]): readonly (readonly TreeChange[])[] {
	const rows = pairs.map(({ before, after }) => (before === undefined ? `${after}\n` : `${after} ${before}\n`));
	const args = ['diff-tree', '--stdin', '--always', '--root', '-r', '-M100%', '-l0', '-z'];
	const fields = gitIn(folder, args, rows.join('')).toString().split('\0');
	const all: TreeChange[][] = [];
	for (let at = 0; at + 1 < fields.length;) {
		const head = fields[at] ?? '';
		if (head.startsWith(':')) {
			const { change, length } = changeIn(head, fields.slice(at + 1, at + 3));
			all.at(-1)?.push(change);
			at += length;
		} else {
			assert.equal(head, pairs[all.length]?.after);
			all.push([]);
			at += 1;
		}
	}
	assert.equal(all.length, pairs.length);
	return all;
}

/** One raw row and its paths; modes are octal. */
function changeIn(
	head: string,
	[path = '', second = '']: readonly string[],
): { readonly change: TreeChange; readonly length: number } {
	const [modeBefore = '', modeAfter = '', idBefore = '', idAfter = '', status = ''] = head.slice(1).split(' ');
	const leaf = (id: string, mode: string): Leaf => ({ path, id, mode: Number.parseInt(mode, 8) });
	const [before, after] = [leaf(idBefore, modeBefore), leaf(idAfter, modeAfter)];
	switch (status.slice(0, 1)) {
		case 'A':
			return { change: { kind: 'added', after }, length: 2 };
		case 'D':
			return { change: { kind: 'deleted', before }, length: 2 };
		case 'M':
			return { change: { kind: 'modified', before, after }, length: 2 };
		case 'T':
			return { change: { kind: 'typeChanged', before, after }, length: 2 };
		default:
			assert.equal(status, 'R100');
			return { change: { kind: 'renamed', before, after: { ...after, path: second } }, length: 3 };
	}
}

/**
 * Git may choose any of several deleted paths with the same content as the source of a rename, so this compares sources
 * by content.
 */
export function withoutSources(changes: readonly TreeChange[]): readonly string[] {
	const told = changes.map((change) =>
		JSON.stringify(
			change.kind === 'renamed'
				? { ...change, before: { id: change.before.id } }
				: change.kind === 'deleted'
					? { kind: change.kind, id: change.before.id }
					: change,
		),
	);
	return told.toSorted();
}

/** Every removed path, renamed or deleted. */
export function sourcesOf(changes: readonly TreeChange[]): readonly string[] {
	return changes
		.flatMap((change) =>
			change.kind === 'renamed' || change.kind === 'deleted' ? [JSON.stringify(change.before)] : [],
		)
		.toSorted();
}
