import { gitIn } from './patchMakerGit.ts';

/** An entry of `git ls-tree`. */
export interface ListedEntry {
	readonly mode: number;
	readonly type: string;
	readonly id: string;
}

/** Fetches a bare copy of a whole repository. */
export function cloneInto(folder: string, address: string): void {
	gitIn(folder, ['init', '--quiet', '--bare', '.']);
	gitIn(folder, ['fetch', '--quiet', address, '+refs/*:refs/*']);
}

/** Every entry below a revision by path, including folders. */
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

/** Contents by id, from `git cat-file --batch`. */
export function contentsOf(folder: string, ids: Iterable<string>): ReadonlyMap<string, Buffer> {
	return new Map(objectsNamed(folder, ids).map(([id, { content }]) => [id, content]));
}

/** Contents of files by names such as `main:src/a.ts`, from one git process; omits names that are not files. */
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

/** All objects of a small repository by id, from one git process. */
export function allObjects(folder: string): ReadonlyMap<string, StoredObject> {
	const objects = Array.from(batch(folder, ['--batch-all-objects'], '')).filter((each) => each !== undefined);
	return new Map(objects.map((each) => [each.id, each]));
}

/** `undefined` for missing ones. */
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
