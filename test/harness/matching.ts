import { isChained } from '../support/chain.ts';

/** In any case and place. */
export function hasAllWords(text: string, words: readonly string[]): boolean {
	const folded = text.toLowerCase();
	return words.every((word) => folded.includes(word.toLowerCase()));
}

/** The path below the last `test/`, since bundled in-editor tests have two such folders, or from `packages/` on. */
export function knownPath(file: string): string {
	const path = `/${file.replaceAll('\\', '/')}`;
	return /packages\/[^/]+\/test\/.*$/.exec(path)?.[0] ?? path.split('/test/').at(-1) ?? file;
}

/** Keeps only tests with all words in file or title, and the earlier steps of their chains. Returns their number. */
export function keepMatching(suite: Mocha.Suite, words: readonly string[]): number {
	const inner = suite.suites.reduce((sum, each) => sum + keepMatching(each, words), 0);
	const matches = suite.tests.map((test) =>
		hasAllWords(`${knownPath(test.file ?? '')} ${test.titlePath().join(' ')}`, words),
	);
	const lastStep = inner > 0 ? suite.tests.length : matches.lastIndexOf(true) + 1;
	const kept = suite.tests.filter((_, at) => matches[at] === true || (isChained(suite) && at < lastStep));
	suite.tests.splice(0, suite.tests.length, ...kept);
	return inner + kept.length;
}
