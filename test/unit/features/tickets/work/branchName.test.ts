import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { branchName, isName } from '../../../../../src/features/tickets/work/branchName.ts';
import { counts, seed } from '../../../../support/counts.ts';
import { runCases } from '../../../../support/shellCases.ts';

const usual = 'ticket-${id}-${title}';

function named(title: string, template = usual): string {
	return branchName(template, { id: 12, title, tracker: 'lantern' });
}

suite('branch names', () => {
	test('fill in the template, in lower case and with hyphens', () => {
		assert.equal(
			named('The manual page contradicts the built-in help'),
			'ticket-12-the-manual-page-contradicts-the-built-in-help',
		);
		assert.equal(named("Don't crash!", '${tracker}/${id}/${title}'), 'lantern/12/dont-crash');
		assert.equal(named('Größe: zu groß'), 'ticket-12-größe-zu-groß');
	});

	test('end at a word when the title is too long', () => {
		const name = named('word '.repeat(40));
		assert.ok(name.length < 70);
		assert.ok(name.endsWith('-word'));
	});

	test('are never empty, even when title and template leave nothing', () => {
		assert.equal(named('!!!'), 'ticket-12');
		for (const template of ['', '   ', '--', '../..', '.lock', 'HEAD', '-${title}', 'refs/heads/${id}', '@{-1}']) {
			assert.ok(isName(named('!!!', template)), template);
		}
		assert.equal(named('!!!', ''), 'ticket-12');
	});

	test('are valid for git and never look like an option, whatever title and template', function () {
		this.timeout(60_000);
		const wild = fc.oneof(
			fc.string({ unit: 'grapheme', maxLength: 30 }),
			fc.constantFrom(
				'--upload-pack=x',
				'../',
				'.lock',
				'@{',
				'~1',
				'^',
				':',
				'$(rm -rf)',
				'`id`',
				'\u202E',
				'/',
				'..',
				' ',
			),
		);
		const names = new Set<string>();
		fc.assert(
			fc.property(fc.array(wild, { maxLength: 4 }), fc.array(wild, { maxLength: 3 }), (title, template) => {
				const name = branchName(template.join('') + usual, { id: 7, title: title.join(''), tracker: 'x' });
				const bare = branchName(template.join(''), { id: 7, title: title.join(''), tracker: 'x' });
				for (const each of [name, bare]) {
					assert.match(each, /^[\p{L}\p{N}_][^\s~^:?*[\\$`'"|;&<>(){}!@\p{C}]*$/u);
					names.add(each);
				}
			}),
			{ numRuns: counts({ small: 500, full: 20_000 }), seed: seed() },
		);
		const some = Array.from(names).slice(0, counts({ small: 60, full: 2000 }));
		const cases = some.map((name) => ({ name }));
		for (const [at, { status }] of runCases('git check-ref-format --branch "$(cat name)"', cases).entries()) {
			assert.equal(status, 0, some[at]);
		}
	});
});
