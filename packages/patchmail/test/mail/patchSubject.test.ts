import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { patchSubject, subjectOfThread } from '../../src/series/patchSubject.ts';
import { statedChanges } from 'sourcehut/port/statedChanges.ts';
import { counts, seed } from '../../../../test/support/counts.ts';

suite('patch subjects', () => {
	const table: readonly (readonly [subject: string, prefix: string, version: number, index: number, count: number])[] =
		[
			['[PATCH proj v2 3/5] Add foo', 'proj', 2, 3, 5],
			['[PATCH] a: b', '', 1, 1, 1],
			['[RFC PATCH proj 1/2] x', 'proj', 1, 1, 2],
			['[PATCH RFC v3] y', 'RFC', 3, 1, 1],
			['[PATCH proj 0/3] cover', 'proj', 1, 0, 3],
			['[PATCH v2 proj 1/2] z', 'v2 proj', 1, 1, 2],
			['Re: [PATCH proj] z', 'proj', 1, 1, 1],
			['RE: re: [PATCH two words v10 07/12] z', 'two words', 10, 7, 12],
		];
	for (const [subject, prefix, version, index, count] of table) {
		test(`${subject} parses as on the server`, () => {
			const read = patchSubject(subject);
			assert.deepEqual([read?.prefix, read?.version, read?.index, read?.count], [prefix, version, index, count]);
		});
	}

	for (const subject of [
		'[proj PATCH v2] z',
		'PATCH z',
		'[BUG] [PATCH] z',
		'[PATCH unclosed',
		'Welcome to the list',
		'',
		'[RFC] z',
	]) {
		test(`${subject === '' ? 'An empty subject' : subject} is not a patch`, () => {
			assert.equal(patchSubject(subject), undefined);
		});
	}

	test('a reply prefix marks a reply, and the subject follows the brackets', () => {
		assert.deepEqual(
			[patchSubject('[PATCH] [x] y')?.isReply, patchSubject('[PATCH] [x] y')?.subject],
			[false, '[x] y'],
		);
		assert.equal(patchSubject('Re: [PATCH] y')?.isReply, true);
		assert.equal(subjectOfThread(' Re: RE: hello'), 'hello');
	});

	test('composed subjects parse back', () => {
		const word = fc.stringMatching(/^[a-z]{1,8}$/);
		fc.assert(
			fc.property(
				fc.array(word, { maxLength: 2 }),
				fc.integer({ min: 2, max: 99 }),
				fc.nat(20),
				fc.nat(20),
				word,
				(prefix, version, index, more, subject) => {
					const place = `${index}/${index + more}`;
					const read = patchSubject(`[${['PATCH', ...prefix, `v${version}`, place].join(' ')}] ${subject}`);
					assert.deepEqual(read, {
						prefix: prefix.join(' '),
						version,
						index,
						count: index + more,
						isNumbered: true,
						subject,
						isReply: false,
					});
				},
			),
			{ numRuns: counts({ small: 300, full: 100_000 }), seed: seed() },
		);
	});

	test('the stated changes come before the patch only', () => {
		const stat = ' a | 2 +-\r\n 2 files changed, 12 insertions(+), 4 deletions(-)\r\n\r\n';
		assert.deepEqual(statedChanges(`Subject: x\r\n\r\n---\r\n${stat}diff --git a/a b/a\r\n`), {
			files: 2,
			insertions: 12,
			deletions: 4,
		});
		assert.deepEqual(statedChanges('---\n 1 file changed, 1 deletion(-)\n'), { files: 1, insertions: 0, deletions: 1 });
		assert.equal(statedChanges(`diff --git a/a b/a\n${stat}`), undefined);
		assert.equal(statedChanges('Hello'), undefined);
	});
});
