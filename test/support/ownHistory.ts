import { root } from '../harness/places.ts';
import { gitIn } from './patchMakerGit.ts';

const mostCommits = 12;
const mostTexts = 200;

/**
 * Texts of this project as they were at commits all along its history, oldest first, each once. None where the sources
 * came without their repository.
 */
export function ownHistory(): readonly string[] {
	let commits: readonly string[];
	try {
		commits = gitIn(root, ['rev-list', '--reverse', 'HEAD']).toString().trimEnd().split('\n');
	} catch {
		return [];
	}
	const ids = new Set(spread(commits, mostCommits).flatMap(textsAt));
	return contentsOf(spread([...ids], mostTexts));
}

/** The ids of the sources and documents of a commit. */
function textsAt(commit: string): readonly string[] {
	const listed = gitIn(root, ['ls-tree', '-r', commit, '--', 'src', 'test', 'docs']).toString();
	return Array.from(listed.matchAll(/^100\d{3} blob (\w+)\t.+\.(?:ts|md|css)$/gm), ([, id = '']) => id);
}

function contentsOf(ids: readonly string[]): readonly string[] {
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

/** At most so many of them, from the first to the last. */
function spread<T>(all: readonly T[], most: number): readonly T[] {
	const step = Math.max(1, all.length / most);
	return all.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
}
