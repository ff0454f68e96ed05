import type { Random } from './random.ts';
import { treeOfBytes } from 'patchmail/git/treeBytes.ts';
import type { Tree } from 'sourcehut/port/repository.ts';
import { gitIn } from './patchMakerGit.ts';

/** A commit of a generated history. */
export interface MadeCommit {
	readonly id: string;
	readonly tree: string;
	readonly parents: readonly string[];
}

interface Entry {
	readonly mode: string;
	readonly content: string;
}

type Files = Map<string, Entry>;

interface Branch {
	readonly mark: number;
	readonly files: Files;
}

const names: readonly [string, ...string[]] = [
	'main.c',
	'read me.md',
	'Größe.txt',
	'a+b.ts',
	'tab\there',
	'quo"te',
	'100%',
	'x#y?z',
	'deep',
	'lib',
	'a',
	'a.b',
];

/**
 * Fills a bare repository with commits that add, change, remove, move and copy files and folders, change modes and
 * types, and merge. About every sixth is a merge, and about every third moves something. The last four are two commits
 * of one parent and two merges of both, one in each order (`crossedMerges`). `count` is at least 5.
 */
export function makeHistory(folder: string, random: Random, count: number): readonly MadeCommit[] {
	gitIn(folder, ['init', '--quiet', '--bare', '--initial-branch=main', '.']);
	const input: string[] = [];
	const branches: Branch[] = [];
	for (let mark = 1; mark <= count; mark += 1) {
		const [first, other] = parentsAtEnd(branches, count - mark) ?? parentsByChance(branches, random);
		const files = new Map([...(other?.files ?? []), ...(first?.files ?? [])]);
		change(files, random, mark);
		input.push(
			`commit refs/heads/main\nmark :${mark}\n`,
			`author A U Thor <a@forge.test> ${1_700_000_000 + mark * 60} +0000\n`,
			`committer C O Mitter <c@forge.test> ${1_700_000_000 + mark * 60} +0000\n`,
			`data <<END\nChange ${mark}\nEND\n`,
			first ? `from :${first.mark}\n` : '',
			other ? `merge :${other.mark}\n` : '',
			'deleteall\n',
			...[...files].map(([path, { mode, content }]) => line(path, mode, content)),
			'\n',
		);
		// A branch keeps every commit reachable.
		input.push(`reset refs/heads/made-${mark}\nfrom :${mark}\n\n`);
		branches.push({ mark, files });
	}
	gitIn(folder, ['fast-import', '--quiet', '--force'], input.join(''));
	return gitIn(folder, ['log', '--branches=made-*', '--format=%H %T %P', '--reverse', '--topo-order'])
		.toString()
		.trim()
		.split('\n')
		.map((row) => row.split(' '))
		.map(([id = '', tree = '', ...parents]) => ({ id, tree, parents: parents.filter((parent) => parent !== '') }));
}

/** Two merges of the same two commits, unrelated otherwise: both are merge bases. */
export function crossedMerges(commits: readonly MadeCommit[]): readonly [string, string] {
	const parentsOf = new Map(commits.map(({ id, parents }) => [id, parents.join()]));
	for (const { id, parents } of commits) {
		const [one = '', other = ''] = parents;
		const crossed = commits.find((each) => each.parents.join() === `${other},${one}`);
		if (crossed && parentsOf.get(one) === parentsOf.get(other)) {
			return [id, crossed.id];
		}
	}
	throw new Error('Nothing was merged in both orders');
}

type Parents = readonly [Branch | undefined, Branch | undefined];

function parentsByChance(branches: readonly Branch[], random: Random): Parents {
	const first = branches.at(-1 - random.below(Math.min(3, Math.max(1, branches.length))));
	const second = branches.length > 5 && random.below(6) === 0 ? branches.at(-2 - random.below(4)) : undefined;
	return [first, second === first ? undefined : second];
}

/** Parents of one of the last four commits, with `left` still to come; nothing for earlier ones. */
function parentsAtEnd(branches: readonly Branch[], left: number): Parents | undefined {
	switch (left) {
		case 3:
			return [branches.at(-1), undefined];
		case 2:
			return [branches.at(-2), undefined];
		case 1:
			return [branches.at(-2), branches.at(-1)];
		case 0:
			return [branches.at(-2), branches.at(-3)];
		default:
			return undefined;
	}
}

function line(path: string, mode: string, content: string): string {
	const quoted = `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\t', '\\t')}"`;
	return mode === '160000'
		? `M ${mode} ${content} ${quoted}\n`
		: `M ${mode} inline ${quoted}\ndata ${Buffer.byteLength(content)}\n${content}\n`;
}

type Step = (files: Files, random: Random, mark: number) => void;

const steps: readonly [Step, ...Step[]] = [add, add, append, remove, move, move, moveFolder, copy, turn];

function change(files: Files, random: Random, mark: number): void {
	for (let step = 0; step <= random.below(5); step += 1) {
		random.pick(steps)(files, random, mark);
	}
}

function some(files: Files, random: Random): readonly [string, Entry] | undefined {
	return Array.from(files)[random.below(Math.max(1, files.size))];
}

function fresh(random: Random): string {
	return Array.from({ length: random.below(4) + 1 }, () => random.pick(names)).join('/');
}

function add(files: Files, random: Random, mark: number): void {
	const content = random.below(5) === 0 ? '' : `text ${mark} ${random.below(1000)}\n`;
	put(files, fresh(random), { mode: '100644', content });
}

function append(files: Files, random: Random, mark: number): void {
	const [path, kept] = some(files, random) ?? [];
	if (path !== undefined && kept && kept.mode !== '160000') {
		put(files, path, { ...kept, content: `${kept.content}more ${mark}\n` });
	}
}

function remove(files: Files, random: Random): void {
	files.delete(some(files, random)?.[0] ?? '');
}

function move(files: Files, random: Random): void {
	const [path, kept] = some(files, random) ?? [];
	if (path !== undefined && kept) {
		files.delete(path);
		put(files, fresh(random), kept);
	}
}

function copy(files: Files, random: Random): void {
	const [, kept] = some(files, random) ?? [];
	if (kept) {
		put(files, fresh(random), kept);
	}
}

/** Changes the mode or type. */
function turn(files: Files, random: Random, mark: number): void {
	const [path, kept] = some(files, random) ?? [];
	if (path !== undefined && kept && kept.mode !== '160000') {
		const mode = random.pick(['100644', '100755', '120000', '160000']);
		const content = mode === '160000' ? mark.toString(16).padStart(40, '7') : kept.content || 'target';
		put(files, path, { mode, content });
	}
}

/** A file replaces a folder of its name, and a folder replaces a file on its path. */
function put(files: Files, path: string, entry: Entry): void {
	for (const known of files.keys()) {
		if (known.startsWith(`${path}/`) || path.startsWith(`${known}/`)) {
			files.delete(known);
		}
	}
	files.set(path, entry);
}

function moveFolder(files: Files, random: Random, mark: number): void {
	const top = some(files, random)?.[0].split('/')[0];
	const to = `moved-${mark}`;
	for (const [known, entry] of Array.from(files)) {
		if (known.startsWith(`${top}/`)) {
			files.delete(known);
			files.set(`${to}${known.slice(top?.length)}`, entry);
		}
	}
}

/** All trees of a repository by id. */
export function treesOf(folder: string): ReadonlyMap<string, Tree> {
	const listed = gitIn(folder, ['cat-file', '--batch-check=%(objectname) %(objecttype)', '--batch-all-objects']);
	const ids = listed
		.toString()
		.split('\n')
		.filter((row) => row.endsWith(' tree'))
		.map((row) => row.slice(0, row.indexOf(' ')));
	const all = gitIn(folder, ['cat-file', '--batch'], ids.join('\n'));
	const trees = new Map<string, Tree>();
	for (let at = 0; at < all.length;) {
		const end = all.indexOf(10, at);
		const [id = '', , size = ''] = all.toString('latin1', at, end).split(' ');
		at = end + 1 + Number(size);
		const tree = treeOfBytes(id, all.subarray(end + 1, at));
		if (tree) {
			trees.set(id, tree);
		}
		at += 1;
	}
	return trees;
}
