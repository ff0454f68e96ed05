import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { completionSite } from '../../../../../src/features/tickets/references/completionSite.ts';
import { trailersOf } from 'patchmail/series/commitTrailers.ts';
import { counts, seed } from '../../../../support/counts.ts';

/** Completion at the `|` in the text. */
function at(marked: string, languageId: string): string | undefined {
	const offset = marked.indexOf('|');
	const text = marked.slice(0, offset) + marked.slice(offset + 1);
	const site = completionSite(text, offset, languageId);
	return site && `${site.kind} ${text.slice(site.from, offset)}`;
}

suite('completion of references', () => {
	test('follows a # that starts a reference in prose, comments and messages', () => {
		assert.equal(at('See #|', 'markdown'), 'reference #');
		assert.equal(at('See (#cra|', 'markdown'), 'reference #cra');
		assert.equal(at('int a; // see #1|', 'c'), 'reference #1');
		assert.equal(at('Title #|', 'scminput'), 'reference #');
		assert.equal(at('#|', 'scminput'), 'reference #');
		assert.equal(at('Title #|', 'git-commit'), 'reference #');
	});

	test('ignores a # with another meaning', () => {
		assert.equal(at('#|', 'markdown'), undefined);
		assert.equal(at('##|', 'markdown'), undefined);
		assert.equal(at('a `#|`', 'markdown'), undefined);
		assert.equal(at('[x](#|)', 'markdown'), undefined);
		assert.equal(at('#|include', 'c'), undefined);
		assert.equal(at('char *a = " #|";', 'c'), undefined);
		assert.equal(at('Title\n\n# a comment of git #|', 'git-commit'), undefined);
		assert.equal(at('a#|', 'markdown'), undefined);
	});
});

suite('completion of trailers', () => {
	test('works in the last paragraph of a message, but not in its title', () => {
		assert.equal(at('Title\n\nFi|', 'scminput'), 'trailerKey Fi');
		assert.equal(at('Title\n\nBody\n\nFi|\n\n# On branch main', 'git-commit'), 'trailerKey Fi');
		assert.equal(at('Title\n\nSigned-off-by: A\nre|', 'git-commit'), 'trailerKey re');
		assert.equal(at('Fi|', 'scminput'), undefined);
		assert.equal(at('Title\n\nSome prose\nFi|', 'scminput'), undefined);
		assert.equal(at('Title\n\nFi|\n\nMore text', 'git-commit'), undefined);
		assert.equal(at('Title\n\nFi|', 'markdown'), undefined);
		assert.equal(at('Title\n\nOther|', 'scminput'), undefined);
	});

	test('works above the changes that git shows below a message', () => {
		const changes = '\n# ------------------------ >8 ------------------------\n# Do not modify\ndiff --git a b\n+ Fi';
		assert.equal(at(`Title\n\nFi|${changes}`, 'git-commit'), 'trailerKey Fi');
		assert.equal(at(`Title\n\nFixes: |${changes}`, 'git-commit'), 'trailerValue ');
		assert.equal(at(`Title\n\nFixes: |${changes.replaceAll('\n', '\r\n')}`, 'git-commit'), 'trailerValue ');
		assert.equal(at(`Title\n${changes} #|`, 'git-commit'), undefined);
		assert.equal(at(`Title\n${changes}\n\nFi|`, 'git-commit'), undefined);
	});

	test('offers the ticket after the colon', () => {
		assert.equal(at('Title\n\nFixes: |', 'scminput'), 'trailerValue ');
		assert.equal(at('Title\n\nfixes: cra|', 'git-commit'), 'trailerValue cra');
		assert.equal(at('Title\n\nFixes:|', 'scminput'), undefined);
		assert.equal(at('Title\n\nSigned-off-by: |', 'scminput'), undefined);
		assert.equal(at('Title Fixes: |', 'scminput'), undefined);
	});

	test('works only where git parses the result as a trailer', () => {
		const line = fc.constantFrom(
			'',
			'',
			'Title',
			'Fi',
			'Fixes: ',
			'prose here',
			' indented',
			'Signed-off-by: A',
			'# c',
		);
		const address = 'https://todo.forge.test/~a/b/1';
		fc.assert(
			fc.property(fc.array(line, { minLength: 1, maxLength: 9 }), fc.nat(8), (picked, place) => {
				const lines: readonly string[] = picked;
				const row = Math.min(place, lines.length - 1);
				const before = lines.slice(0, row + 1).join('\n');
				const site = completionSite(lines.join('\n'), before.length, 'git-commit');
				if (site?.kind === 'trailerKey' || site?.kind === 'trailerValue') {
					const chosen = site.kind === 'trailerKey' ? `Fixes: ${address}` : `${lines[row]}${address}`;
					const message = lines.with(row, chosen).join('\n');
					assert.ok(
						trailersOf(message).some(({ key, value }) => key === 'Fixes' && value.startsWith(address)),
						message,
					);
				}
			}),
			{ numRuns: counts({ small: 2000, full: 50_000 }), seed: seed() },
		);
	});
});
