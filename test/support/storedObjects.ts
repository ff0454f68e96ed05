import { execFileSync } from 'node:child_process';
import { gitIn } from './patchMakerGit.ts';

/** An entry as `git ls-tree` tells it. */
export interface ListedEntry {
	readonly mode: number;
	readonly type: string;
	readonly id: string;
}

/** A bare copy of everything that a repository holds, fetched as git fetches it. */
export function cloneInto(folder: string, address: string): void {
	gitIn(folder, ['init', '--quiet', '--bare', '.']);
	gitIn(folder, ['fetch', '--quiet', address, '+refs/*:refs/*']);
}

/** Every entry below a revision by its path, folders included. */
export function entriesOf(folder: string, revision: string): ReadonlyMap<string, ListedEntry> {
	const rows = gitIn(folder, ['ls-tree', '-r', '-t', '-z', '--full-tree', revision]).toString().split('\0');
	return new Map(
		rows
			.filter((row) => row !== '')
			.map((row) => {
				const [facts = '', ...path] = row.split('\t');
				const [mode = '', type = '', id = ''] = facts.split(' ');
				return [path.join('\t'), { mode: Number.parseInt(mode, 8), type, id }];
			}),
	);
}

/** Contents as `git cat-file --batch` tells them, by id. */
export function contentsOf(folder: string, ids: Iterable<string>): ReadonlyMap<string, Buffer> {
	const wanted = [...new Set(ids)].map((id) => `${id}\n`).join('');
	return new Map(Array.from(batch(folder, [], wanted), ({ id, content }) => [id, content]));
}

export interface StoredObject {
	readonly id: string;
	readonly type: string;
	readonly content: Buffer;
}

/** All that a repository holds, by id, in one run of git; for small ones. */
export function allObjects(folder: string): ReadonlyMap<string, StoredObject> {
	return new Map(Array.from(batch(folder, ['--batch-all-objects'], ''), (each) => [each.id, each]));
}

function* batch(folder: string, options: readonly string[], input: string): Generator<StoredObject> {
	const args = ['cat-file', '--batch', '--buffer', ...options];
	const all = execFileSync('git', args, { cwd: folder, input, maxBuffer: 2 ** 30 });
	for (let at = 0; at < all.length;) {
		const end = all.indexOf(10, at);
		const [id = '', type = '', size = ''] = all.toString('latin1', at, end).split(' ');
		at = end + 1 + Number(size) + 1;
		yield { id, type, content: all.subarray(end + 1, at - 1) };
	}
}
