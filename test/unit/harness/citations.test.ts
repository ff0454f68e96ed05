import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { citationsIn, followCitations, headingsOf, type Followed } from '../../support/citations.ts';
import { root } from '../../harness/places.ts';

function targets(file: string, ...lines: readonly string[]): readonly string[] {
	return citationsIn(file, lines.join('\n')).map((found) => ('target' in found ? found.target : found.problem));
}

suite('citations', () => {
	test('are in comments of sources, and with a heading also in strings', () => {
		assert.deepEqual(
			targets(
				'src/a.ts',
				'/** Pages may begin anew (docs/protocol.md#ticket-pages). */',
				"const because = 'servers refuse it (docs/protocol.md#scopes)';",
				"const path = 'docs/how.md#a'; // see CONTRIBUTING.md",
				"open('docs/how.md');",
			),
			['docs/protocol.md#ticket-pages', 'docs/protocol.md#scopes', 'CONTRIBUTING.md'],
		);
	});

	test('must not name documents outside the repository', () => {
		const gone = [
			['/** As seen (observed', 'behaviour 4.7). */'].join('-'),
			["none: 'not shown (forge", "api.md 4.1)'"].join('-'),
			'// As observed 1.4 has it.',
			'\t * The rules of a subject (domain D.2).',
			'/** A slow mail (security T32). */',
			'/** Every scope of section 5. */',
			'// They say nothing of it (5.4).',
		];
		for (const line of gone) {
			assert.match(targets('src/a.ts', line).join(), /is of no document in the repository/, line);
		}
		assert.deepEqual(targets('src/a.ts', "const text = 'section 5 (5.4)';", '// 1.4 times as long'), []);
	});

	test('in documents are links, code paths and rows of dialects', () => {
		assert.deepEqual(
			targets(
				'docs/protocol.md',
				'See [below](#log-pages), [there](dialects.md#tickets), [these](../README.md) and [the web](https://forge.test/a).',
				'In `packages/sourcehut/src/rest/answers.ts`, `packages/sourcehut/src/rest/wire/` and `src/*/main.ts`, `sourcehut/rest/path.ts`; as `docs/dialects.md#tickets`. Rows `log-page`, `log-empty`.',
			),
			[
				'docs/protocol.md#log-pages',
				'docs/dialects.md#tickets',
				'README.md',
				'packages/sourcehut/src/rest/path.ts',
				'packages/sourcehut/src/rest/answers.ts',
				'packages/sourcehut/src/rest/wire/',
				'docs/dialects.md#tickets',
				'docs/dialects.md#log-page',
				'docs/dialects.md#log-empty',
			],
		);
	});

	test('use the anchors of forges for headings', () => {
		assert.deepEqual(headingsOf('# One & two\n\n## `lookup`: by name\n\n```\n# no heading\n```\n\n### E-mail, 2.0'), {
			all: ['one--two', 'lookup-by-name', 'e-mail-20'],
			facts: ['e-mail-20'],
		});
	});
});

suite('citations of this repository', () => {
	let followed: Followed;
	suiteSetup(() => {
		followed = followCitations(root);
	});
	suiteTeardown(() => console.log(`      ${followed.citations.length} citations followed in ${followed.files} files`));

	test('lead to existing files and headings', () => {
		assert.deepEqual(
			followed.complaints.map(({ from, problem }) => `${from}: ${problem}`),
			[],
		);
		assert.ok(followed.citations.length > 400, `${followed.citations.length} citations`);
	});

	test('name every fact of docs/protocol.md in another file', () => {
		const cited = new Set(
			followed.citations.filter(({ from }) => !from.startsWith('docs/protocol.md')).map(({ target }) => target),
		);
		const { all, facts } = headingsOf(readFileSync(join(root, 'docs/protocol.md'), 'utf8'));
		assert.deepEqual(
			facts.filter((fact) => !cited.has(`docs/protocol.md#${fact}`)),
			[],
		);
		assert.equal(new Set(all).size, all.length);
	});

	test('name a source or test for every threat in docs/security.md', () => {
		const [, ...threats] = readFileSync(join(root, 'docs/security.md'), 'utf8').split(/^### /m);
		assert.ok(threats.length > 10, `${threats.length} threats`);
		assert.deepEqual(
			threats.filter((text) => !/`(?:src|test|packages)\/[^`]*\.ts`/.test(text)).map((text) => text.split('\n', 1)[0]),
			[],
		);
	});
});
