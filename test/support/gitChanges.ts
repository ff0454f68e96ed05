import assert from 'node:assert/strict';
import type { Tree } from '../../src/forge/repository.ts';
import type { Leaf, TreeChange } from '../../src/git/treeChange.ts';
import { gitIn } from './patchMakerGit.ts';

/** Ids of folders that stand at one path with different ids. */
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

/** What git itself says; modes are octal there. */
export function gitChanges(folder: string, before: string | undefined, after: string): readonly TreeChange[] {
	const range = before === undefined ? ['--root', after] : [before, after];
	const fields = gitIn(folder, ['diff-tree', '-r', '-M100%', '-l0', '-z', '--no-commit-id', ...range])
		.toString()
		.split('\0');
	const changes: TreeChange[] = [];
	for (let at = 0; at + 1 < fields.length;) {
		const [modeBefore = '', modeAfter = '', idBefore = '', idAfter = '', status = ''] = (fields[at] ?? '')
			.slice(1)
			.split(' ');
		const [path = '', second = ''] = fields.slice(at + 1);
		const leaf = (where: string, id: string, mode: string): Leaf => ({
			path: where,
			id,
			mode: Number.parseInt(mode, 8),
		});
		const [was, is] = [leaf(path, idBefore, modeBefore), leaf(path, idAfter, modeAfter)];
		at += 2;
		switch (status.slice(0, 1)) {
			case 'A':
				changes.push({ kind: 'added', after: is });
				break;
			case 'D':
				changes.push({ kind: 'deleted', before: was });
				break;
			case 'M':
				changes.push({ kind: 'modified', before: was, after: is });
				break;
			case 'T':
				changes.push({ kind: 'typeChanged', before: was, after: is });
				break;
			default:
				assert.equal(status, 'R100');
				changes.push({ kind: 'renamed', before: was, after: { ...is, path: second } });
				at += 1;
		}
	}
	return changes;
}

/** Which of several deleted paths of one content a renaming takes is free, so those are told apart by content alone. */
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

/** Every path that is gone, whatever became of it. */
export function sourcesOf(changes: readonly TreeChange[]): readonly string[] {
	return changes
		.flatMap((change) =>
			change.kind === 'renamed' || change.kind === 'deleted' ? [JSON.stringify(change.before)] : [],
		)
		.toSorted();
}
