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
	return new Map(objectsNamed(folder, ids).map(([id, { content }]) => [id, content]));
}

/** Contents of files of commits by names such as `main:src/a.ts`, in one run of git; of what is no file there none. */
export function filesNamed(folder: string, names: Iterable<string>): ReadonlyMap<string, Buffer> {
	const files = objectsNamed(folder, names).filter(([, { type }]) => type === 'blob');
	return new Map(files.map(([name, { content }]) => [name, content]));
}

function objectsNamed(folder: string, names: Iterable<string>): readonly (readonly [string, StoredObject])[] {
	const asked = [...new Set(names)];
	const answers = Array.from(batch(folder, [], asked.map((name) => `${name}\n`).join('')));
	return asked.flatMap((name, at) => {
		const answer = answers[at];
		return answer === undefined ? [] : [[name, answer] as const];
	});
}

export interface StoredObject {
	readonly id: string;
	readonly type: string;
	readonly content: Buffer;
}

/** All that a repository holds, by id, in one run of git; for small ones. */
export function allObjects(folder: string): ReadonlyMap<string, StoredObject> {
	const objects = Array.from(batch(folder, ['--batch-all-objects'], '')).filter((each) => each !== undefined);
	return new Map(objects.map((each) => [each.id, each]));
}

/** `undefined` for each that is missing. */
function* batch(folder: string, options: readonly string[], input: string): Generator<StoredObject | undefined> {
	const all = gitIn(folder, ['cat-file', '--batch', '--buffer', ...options], input);
	for (let at = 0; at < all.length;) {
		const end = all.indexOf(10, at);
		const told = all.toString('utf8', at, end);
		at = end + 1;
		if (told.endsWith(' missing')) {
			yield undefined;
			continue;
		}
		const [id = '', type = '', size = ''] = told.split(' ');
		const start = at;
		at += Number(size) + 1;
		yield { id, type, content: all.subarray(start, at - 1) };
	}
}
