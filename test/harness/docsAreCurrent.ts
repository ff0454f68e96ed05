/** The value of a row of a document's first table. */
function valueOf(document: string, name: string): string | undefined {
	return new RegExp(`^\\| ${name} \\| (.*?) \\|$`, 'm').exec(document)?.[1];
}

/** The days of all releases in a changelog, as in `## [1.2.3] - 2026-11-20`. */
function releaseDays(changelog: string): readonly string[] {
	return [...changelog.matchAll(/^## \[\d+\.\d+\.\d+\] - (\d{4}-\d{2}-\d{2})$/gm)].map(([, day = '']) => day);
}

/**
 * Why a document that a command writes (docs/proof.md, docs/benchmarks.md) does not speak for what was released last;
 * undefined when it does. It may be older than later commits.
 */
export function staleness(document: string, changelog: string): string | undefined {
	const result = valueOf(document, 'result');
	if (result !== 'good') {
		return result === undefined ? 'it says no result' : `its result is ${result}`;
	}
	const date = valueOf(document, 'date');
	if (date === undefined) {
		return 'it says no date';
	}
	if (Number.isNaN(Date.parse(date))) {
		return `its date is none: ${date}`;
	}
	const day = new Date(date).toISOString().slice(0, 10);
	const lastRelease = releaseDays(changelog).toSorted().at(-1);
	return lastRelease !== undefined && day < lastRelease
		? `it is of ${day}, older than the release of ${lastRelease}`
		: undefined;
}
