import { root } from '../harness/places.ts';
import { gitIn } from './patchMakerGit.ts';

const mostCommits = 12;
const mostTexts = 200;

let known: readonly string[] | undefined;

/**
 * Distinct texts of this project at commits throughout its history, oldest first. Empty without a git repository.
 * Cached per process.
 */
export function ownHistory(): readonly string[] {
	known ??= readHistory();
	return known;
}

function readHistory(): readonly string[] {
	let commits: readonly string[];
	try {
		commits = gitIn(root, ['rev-list', '--reverse', 'HEAD']).toString().trimEnd().split('\n');
	} catch {
		return [];
	}
	return contentsOf(spread(textsAt(spread(commits, mostCommits)), mostTexts));
}

/** Distinct ids of sources and documents: all of the first commit, and the new ones of each later commit. */
function textsAt(commits: readonly string[]): readonly string[] {
	const [first = '', ...later] = commits;
	const folders = ['--', 'src', 'packages', 'test', 'docs'];
	const listed = gitIn(root, ['ls-tree', '-r', first, ...folders]).toString();
	const pairs = later.map((commit, at) => `${commit} ${commits[at]}\n`).join('');
	const brought = gitIn(root, ['diff-tree', '--stdin', '-r', '--no-renames', ...folders], pairs).toString();
	const rows = /^(?:100\d{3} blob (\w+)|:\d{6} 100\d{3} \w+ (\w+) [AM])\t.+\.(?:ts|md|css)$/gm;
	return [...new Set(Array.from(`${listed}\n${brought}`.matchAll(rows), ([, one, other]) => one ?? other ?? ''))];
}

/** Texts of this project by id. */
export function contentsOf(ids: readonly string[]): readonly string[] {
	const told = gitIn(root, ['cat-file', '--batch'], ids.map((id) => `${id}\n`).join(''));
	let at = 0;
	return ids.map(() => {
		const start = told.indexOf('\n', at) + 1;
		at = start + Number(told.toString('latin1', at, start).trimEnd().split(' ').at(-1));
		const text = told.toString('utf8', start, at);
		at += 1;
		return text;
	});
}

/** At most `most` of them, evenly from first to last. */
function spread<T>(all: readonly T[], most: number): readonly T[] {
	const step = Math.max(1, all.length / most);
	return all.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
}
