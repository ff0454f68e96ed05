import { isChained } from '../support/chain.ts';

/** Whether a text has all words, in whatever case and place. */
export function hasAllWords(text: string, words: readonly string[]): boolean {
	const folded = text.toLowerCase();
	return words.every((word) => folded.includes(word.toLowerCase()));
}

/** The part of a path that people know a test by; in-editor tests stand bundled in another folder of that name. */
function knownPath(file: string): string {
	return `/${file.replaceAll('\\', '/')}`.split('/test/').at(-1) ?? file;
}

/**
 * Leaves in a suite only those tests whose file or title has all words, with the steps that they stand on. Says how many
 * are left.
 */
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
