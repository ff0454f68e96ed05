import assert from 'node:assert/strict';
import { readMail } from '../../src/mail/readMail.ts';
import { outgoingSeries } from '../../src/series/outgoingSeries.ts';
import { patchMailOf } from '../../src/series/patchMail.ts';
import {
	isBlocking,
	sendProblems,
	type CheckedCommit,
	type CheckedPatch,
	type SeriesToCheck,
} from '../../src/series/sendChecks.ts';

function commit(id: string, subject: string, { message = '', parents = ['p'] } = {}): CheckedCommit {
	return { id, parents, subject, message: `${subject}\n\n${message}` };
}

async function patch(id: string, subject: string, added = 'line'): Promise<CheckedPatch> {
	const body = `---\ndiff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,2 +1,3 @@\n one\n+${added}\n-two \n+three\n`;
	const reading = await readMail(`From: a@b.c\nSubject: ${subject}\n\n${body}`, { evenIfLarge: true });
	return { commit: id, subject, patch: patchMailOf(reading, subject) };
}

function check(changes: Partial<SeriesToCheck>): ReturnType<typeof sendProblems> {
	return sendProblems({
		cover: undefined,
		commits: [],
		patches: [],
		others: [],
		history: [],
		uncommitted: 0,
		...changes,
	});
}

suite('checks before sending a series', () => {
	test('report nothing for a correct series', async () => {
		assert.deepEqual(
			check({
				commits: [commit('a', 'One'), commit('b', 'Two')],
				patches: [await patch('a', '[PATCH 1/2] One'), await patch('b', '[PATCH 2/2] Two')],
				history: ['Old', 'Older'],
			}),
			[],
		);
		assert.deepEqual(check({ commits: [commit('a', 'One')], patches: [await patch('a', '[PATCH x v3] One')] }), []);
	});

	test('report a missing patch and a wrong order, which block sending', async () => {
		const problems = check({
			patches: [await patch('c', '[PATCH 3/3] Three'), await patch('a', '[PATCH 1/3] One')],
			uncommitted: 2,
		});
		assert.deepEqual(problems, [
			{ kind: 'missingPatch', index: 2, count: 3 },
			{ kind: 'wrongOrder' },
			{ kind: 'uncommitted', files: 2 },
		]);
		assert.deepEqual(problems.map(isBlocking), [true, true, false]);
	});

	test('report a patch without text by its commit subject', async () => {
		const problems = check({
			commits: [commit('a', 'Draw'), commit('b', 'Two')],
			patches: [{ commit: 'a', subject: undefined, patch: undefined }, await patch('b', '[PATCH 2/2] Two')],
		});
		assert.deepEqual(problems, [{ kind: 'unsendable', subject: 'Draw' }]);
		assert.deepEqual(problems.map(isBlocking), [true]);
		const others = check({
			cover: '--- a/a\n+++ b/a\n@@ -1 +1 @@\n-1\n+2\n',
			commits: [commit('a', 'Draw'), commit('b', 'Two')],
			patches: ['b', '0123456789abcdef'].map((id) => ({ commit: id, subject: undefined, patch: undefined })),
			uncommitted: 1,
		});
		assert.deepEqual(others, [
			{ kind: 'unsendable', subject: 'Two' },
			{ kind: 'unsendable', subject: '0123456789' },
			{ kind: 'patchInCover' },
			{ kind: 'empty', subject: 'Draw' },
			{ kind: 'uncommitted', files: 1 },
		]);
	});

	test('report a repeated number', async () => {
		const patches = [await patch('a', '[PATCH 1/2] One'), await patch('b', '[PATCH 1/2] Two')];
		assert.deepEqual(check({ patches }), [{ kind: 'missingPatch', index: 2, count: 2 }, { kind: 'wrongOrder' }]);
	});

	test('ignore blanks inside lines and those in a binary file', async () => {
		const commits = [commit('a', 'x'.repeat(72))];
		const subject = `[PATCH] ${'x'.repeat(72)}`;
		assert.deepEqual(check({ commits, patches: [await patch('a', subject, 'two words')] }), []);
		const binary = 'diff --git a/a b/a\nindex 1234567..89abcde 100644\nBinary files a/a and b/a differ\n';
		const reading = await readMail(`From: a@b.c\nSubject: ${subject}\n\n---\n${binary}`, { evenIfLarge: true });
		assert.deepEqual(check({ commits, patches: [{ commit: 'a', subject, patch: patchMailOf(reading, subject) }] }), []);
	});

	test('report commits without a patch: merges and empty ones', () => {
		const commits = [commit('m', 'Merge', { parents: ['p', 'q'] }), commit('e', 'Nothing')];
		assert.deepEqual(check({ commits }), [
			{ kind: 'merge', subject: 'Merge' },
			{ kind: 'empty', subject: 'Nothing' },
		]);
	});

	test('report a long subject and trailing blanks in added lines', async () => {
		const subject = 'x'.repeat(73);
		const problems = check({
			commits: [commit('a', subject)],
			patches: [await patch('a', `[PATCH] ${subject}`, 'line \t')],
		});
		assert.deepEqual(problems, [
			{ kind: 'longSubject', subject },
			{ kind: 'trailingBlanks', subject, path: 'a', lines: 1 },
		]);
	});

	test('report a diff in the cover letter, unless quoted or indented', () => {
		const diff = 'diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-one\n+two\n';
		assert.deepEqual(check({ cover: `As I tried before:\n\n${diff}` }), [{ kind: 'patchInCover' }]);
		for (const mark of ['> ', '  ']) {
			assert.deepEqual(check({ cover: `As I tried before:\n\n${diff.replaceAll(/^(?=.)/gm, mark)}` }), []);
		}
		assert.deepEqual(check({ cover: 'Changes:\n---\n a | 2 +-\n\n-- \nAlice\n' }), []);
	});

	test('refuse a heading for changes that has only empty items', () => {
		const versionsIn = (cover: string): readonly unknown[] =>
			check({ cover }).map((problem) => [
				problem.kind,
				'version' in problem ? problem.version : '',
				isBlocking(problem),
			]);
		const empty = 'Why.\n\nChanges since v1:\n- \n\n  1. One\n';
		assert.deepEqual(versionsIn(empty), [['unwrittenChanges', 1, true]]);
		assert.deepEqual(versionsIn('Changes since v2:\n- ok\n\nChanges since v1:\n-'), [['unwrittenChanges', 1, true]]);
		assert.deepEqual(versionsIn('Changes since v2:\n\nChanges since v1:\n- ok\n'), [['unwrittenChanges', 2, true]]);
		for (const written of ['- Shorter.', '\n- Shorter.', '* Shorter.', 'Shorter.']) {
			assert.deepEqual(versionsIn(`Changes since v1:\n${written}\n\n  1. One\n`), [], written);
		}
	});

	test('report a missing sign-off if the history or another commit has one', async () => {
		const signed = { message: 'Signed-off-by: Alice <a@forge.test>' };
		const of = async (history: readonly string[], first = {}) =>
			check({
				commits: [commit('a', 'One', first), commit('b', 'Two')],
				patches: [await patch('a', '[PATCH 1/2] One'), await patch('b', '[PATCH 2/2] Two')],
				history,
			}).flatMap((problem) => (problem.kind === 'noSignOff' ? [problem.subject] : []));
		assert.deepEqual(await of([signed.message, signed.message, 'None']), ['One', 'Two']);
		assert.deepEqual(await of([signed.message, 'None']), []);
		assert.deepEqual(await of([], signed), ['Two']);
		assert.deepEqual(await of([], { message: 'No Signed-off-by: Alice' }), []);
		const merge = commit('m', 'Merge', { parents: ['p', 'q'] });
		const kinds = check({ commits: [merge], history: [signed.message] }).map(({ kind }) => kind);
		assert.deepEqual(kinds, ['merge']);
	});
});

suite('mails of an outgoing series', () => {
	const people = { from: { name: 'A', address: 'a@b.c' }, to: [{ name: '', address: 'l@b.c' }], cc: [] };
	const patches = [
		{ subject: '[PATCH x v2 1/2] One', body: '1\n' },
		{ subject: '[PATCH x v2 2/2] Two', body: '2\n' },
	];

	test('reply to the first one, which starts a thread', () => {
		const cover = { subject: 'Both', body: 'Why.\n' };
		const mails = outgoingSeries({ ...people, tag: 'PATCH x v2', cover, messageIds: ['<0>', '<1>', '<2>'] }, patches);
		assert.deepEqual(
			mails.map(({ subject, messageId, inReplyTo, references }) => [subject, messageId, inReplyTo, references]),
			[
				['[PATCH x v2 0/2] Both', '<0>', undefined, []],
				['[PATCH x v2 1/2] One', '<1>', '<0>', ['<0>']],
				['[PATCH x v2 2/2] Two', '<2>', '<0>', ['<0>']],
			],
		);
		const bare = outgoingSeries(
			{ ...people, tag: 'PATCH x v2', cover: undefined, messageIds: ['<1>', '<2>'] },
			patches,
		);
		assert.deepEqual(
			bare.map(({ inReplyTo }) => inReplyTo),
			[undefined, '<1>'],
		);
	});

	test('ignore lines of a binary file, and report a subject without a patch tag', async () => {
		const body = '---\ndiff --git a/i b/i\nindex 1111111..2222222 100644\nBinary files a/i and b/i differ\n';
		const reading = await readMail(`From: a@b.c\nSubject: [PATCH] One\n\n${body}`, { evenIfLarge: true });
		const binary = { commit: 'a', subject: '[PATCH] One', patch: patchMailOf(reading, '[PATCH] One') };
		assert.deepEqual(check({ commits: [commit('a', 'One')], patches: [binary] }), []);
		const told = check({ commits: [commit('a', 'One')], patches: [{ ...binary, subject: 'One' }] });
		assert.deepEqual(
			told.map(({ kind }) => kind),
			['missingPatch'],
		);
	});
});
