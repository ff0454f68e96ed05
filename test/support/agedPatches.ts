import type { Tree, TreeEntry } from 'sourcehut/port/repository.ts';
import { createRandom, type Random } from './random.ts';
import { root } from '../harness/places.ts';
import { treesOf } from './madeHistory.ts';
import { makeTrees } from './patchMaker.ts';
import { commitTrees, gitIn } from './patchMakerGit.ts';
import { contentsOf } from './storedObjects.ts';

/** A patch that is older than the newest commit at the time of sending. */
export interface AgedPatch {
	/** The diff in git's mail format; one character per byte. */
	readonly text: string;
	/** The newest commit at the time of sending, and that time. */
	readonly tip: string;
	readonly sentMs: number;
}

/** Fewer commits than this cannot be a thousand behind. */
const fewestCommits = 1200;
const mostFiles = 8;

/**
 * Fills a bare repository with the history of this project, or with a generated one if the sources have little or no
 * history. Returns true for the project's own.
 */
export function realHistory(folder: string, seed: number): boolean {
	const count = commitsHere();
	if (count < fewestCommits) {
		commitTrees(folder, makeTrees(fewestCommits, createRandom(seed), true));
		return false;
	}
	gitIn(folder, ['init', '--quiet', '--bare', '--initial-branch=main', '.']);
	gitIn(folder, ['fetch', '--quiet', '--no-tags', root, 'HEAD:refs/heads/main']);
	return true;
}

function commitsHere(): number {
	try {
		return Number(gitIn(root, ['rev-list', '--count', '--first-parent', 'HEAD']).toString());
	} catch {
		return 0;
	}
}

/**
 * Patches to the files of the commit after `tip`, based on the commit `age` before it. At most `most` patches per age.
 * An unchanged file gets that commit's own change, any other file a change in two places.
 */
export function agedPatches(folder: string, age: number, most: number): readonly AgedPatch[] {
	const commits = gitIn(folder, ['log', '--first-parent', '--reverse', '--format=%H %T %ct', 'main'])
		.toString()
		.trim()
		.split('\n')
		.map((row) => row.split(' '))
		.map(([id = '', tree = '', seconds = '']) => ({ id, tree, sentMs: Number(seconds) * 1000 }));
	const filesAt = filesIn(treesOf(folder));
	const random = createRandom(age + 1);
	const plans = commits.slice(age, -1).flatMap((tip, at) => {
		const [base, next] = [commits[at], commits[at + age + 1]];
		const files = base && next ? filesOf(filesAt, [base.tree, tip.tree, next.tree]) : [];
		return base && files.length > 0 ? [{ base, tip, files }] : [];
	});
	const step = Math.max(1, plans.length / most);
	const chosen = plans.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
	const wanted = chosen.flatMap(({ files }) =>
		files.flatMap(({ old, fresh }) => [old, ...(fresh === undefined ? [] : [fresh])]),
	);
	const contents = contentsOf(folder, wanted);
	const contentOf = (id: string): Buffer => contents.get(id) ?? Buffer.alloc(0);
	const input = chosen.flatMap(({ base, files }, at) => [
		`commit refs/made/${age}/${at}\ncommitter A U Thor <a@forge.test> 1700000000 +0000\ndata 0\nfrom ${base.id}\n`,
		...files.map(({ path, old, fresh }) => {
			const content = fresh === undefined ? changed(contentOf(old).toString(), random) : contentOf(fresh).toString();
			return `M 100644 inline ${path}\ndata ${Buffer.byteLength(content)}\n${content}\n`;
		}),
	]);
	gitIn(folder, ['fast-import', '--quiet', '--force'], input.join(''));
	const made = gitIn(folder, ['for-each-ref', '--format=%(refname:lstrip=3) %(objectname)', `refs/made/${age}`]);
	const ids = new Map(
		made
			.toString()
			.trim()
			.split('\n')
			.map((row): [number, string] => [Number(row.split(' ')[0]), row.split(' ')[1] ?? '']),
	);
	const pairs = chosen.map(({ base }, at) => `${ids.get(at)} ${base.id}\n`).join('');
	const texts = gitIn(folder, ['diff-tree', '--stdin', '--always', '-r', '-p', '-M', '--binary'], pairs)
		.toString('latin1')
		.split(/^[0-9a-f]{40}\n/m)
		.slice(1);
	return chosen.flatMap(({ tip }, at) => {
		const text = texts[at]?.trimStart() ?? '';
		return text === '' ? [] : [{ text, tip: tip.id, sentMs: tip.sentMs }];
	});
}

interface PlannedFile {
	readonly path: string;
	/** Content at the base. */
	readonly old: string;
	/** Content in the next commit; `undefined` if the base has another file there. */
	readonly fresh: string | undefined;
}

/** Text files of the base that the next commit changes. */
function filesOf(files: FilesOfTree, [base, tip, next]: readonly [string, string, string]): readonly PlannedFile[] {
	const [atBase, before, after] = [files(base), files(tip), files(next)];
	return Array.from(after)
		.filter(([path, id]) => before.has(path) && before.get(path) !== id && /\.(?:ts|md|css|json|mjs)$/.test(path))
		.flatMap(([path, id]): readonly PlannedFile[] => {
			const old = atBase.get(path);
			return old === undefined ? [] : [{ path, old, fresh: old === before.get(path) ? id : undefined }];
		})
		.slice(0, mostFiles);
}

/** Ids of the plain files of a tree, by path. */
type FilesOfTree = (tree: string) => ReadonlyMap<string, string>;

function filesIn(trees: ReadonlyMap<string, Tree>): FilesOfTree {
	const known = new Map<string, ReadonlyMap<string, string>>();
	const read: FilesOfTree = (id) => {
		const files = known.get(id) ?? new Map((trees.get(id)?.entries ?? []).flatMap((entry) => namedFiles(entry, read)));
		known.set(id, files);
		return files;
	};
	return read;
}

function namedFiles({ name, id, type, mode }: TreeEntry, read: FilesOfTree): readonly (readonly [string, string])[] {
	if (type === 'tree') {
		return Array.from(read(id), ([path, file]) => [`${name}/${path}`, file]);
	}
	return mode === 0o100644 ? [[name, id]] : [];
}

function changed(text: string, random: Random): string {
	const lines = text.split('\n');
	lines.splice(random.below(lines.length), 1, `changed ${random.below(1000)}`);
	lines.splice(random.below(lines.length), 0, `added ${random.below(1000)}`);
	return lines.join('\n');
}
