import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../harness/places.ts';
import { runsAll } from '../../support/counts.ts';

function docWith(result: string, date: string): string {
	return `# Proof\n\n| what | value |\n| --- | --- |\n| result | ${result} |\n| date | ${date} |\n`;
}

const changelog = `# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2026-11-20\n\n## [0.1.0] - 2026-10-01\n`;

suite('staleness of a results document', () => {
	test('a good result since the last release is current', () => {
		assert.equal(staleness(docWith('good', '2026-11-21T00:06:28.906Z'), changelog), undefined);
		assert.equal(staleness(docWith('good', '2026-11-20T00:00:00.000Z'), changelog), undefined);
	});

	test('any other result is stale', () => {
		for (const result of ['bad', 'incomplete', 'broken']) {
			assert.equal(staleness(docWith(result, '2026-11-21T00:00:00Z'), changelog), `its result is ${result}`);
		}
	});

	test('a missing result or an invalid date is stale', () => {
		assert.equal(staleness('# Proof\n', changelog), 'it says no result');
		assert.equal(staleness('| result | good |\n', changelog), 'it says no date');
		assert.equal(staleness(docWith('good', 'yesterday'), changelog), 'its date is none: yesterday');
	});

	test('a result before the last of several releases is stale', () => {
		assert.equal(
			staleness(docWith('good', '2026-11-19T23:59:59.999Z'), changelog),
			'it is of 2026-11-19, older than the release of 2026-11-20',
		);
	});

	test('any date is current before the first release', () => {
		assert.equal(staleness(docWith('good', '2020-01-01T00:00:00Z'), '# Changelog\n\n## [Unreleased]\n'), undefined);
	});
});

suite('results documents', () => {
	// A proof is about to write docs/proof.md.
	const isProof = runsAll();
	for (const name of ['docs/benchmarks.md', ...(isProof ? [] : ['docs/proof.md'])]) {
		test(`${name} is good and not older than the last release`, () => {
			const read = (file: string): string => readFileSync(join(root, file), 'utf8');
			assert.equal(staleness(read(name), read('CHANGELOG.md')), undefined);
		});
	}
});

/** The value of a row of the first table. */
function valueOf(document: string, name: string): string | undefined {
	return new RegExp(`^\\| ${name} \\| (.*?) \\|$`, 'm').exec(document)?.[1];
}

/** Days of all releases, as in `## [1.2.3] - 2026-11-20`. */
function releaseDays(changelog: string): readonly string[] {
	return [...changelog.matchAll(/^## \[\d+\.\d+\.\d+\] - (\d{4}-\d{2}-\d{2})$/gm)].map(([, day = '']) => day);
}

/** Why a written page (docs/proof.md, docs/benchmarks.md) does not cover the last release; undefined if it does. */
function staleness(document: string, changelog: string): string | undefined {
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
