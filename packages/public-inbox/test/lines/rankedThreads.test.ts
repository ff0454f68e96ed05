import assert from 'node:assert/strict';
import {
	nearestTo,
	rankedThreads,
	versionOf,
	versionsWithLine,
	type Candidate,
	type ListedMail,
	type ReadThread,
} from '../../src/lines/rankedThreads.ts';

function mail(name: string, createdMs = 0, subject = name): ListedMail {
	return { messageId: `<${name}@x>`, subject, createdMs };
}

function threadOf(...mails: readonly ListedMail[]): ReadThread<ListedMail> {
	const names = new Set(mails.map(({ messageId }) => messageId));
	return { names, patches: mails, compared: new Map(), stated: undefined };
}

function candidate(
	each: ListedMail,
	thread: ReadThread<ListedMail>,
	facts: Partial<Candidate<ListedMail>> = {},
): Candidate<ListedMail> {
	return { thread, mail: each, version: 1, isSame: true, adds: true, ...facts };
}

suite('versions of a line', () => {
	/** Versions as `version: same adds`, each a letter: `S` and `A` for yes. */
	function versions(...all: readonly (readonly [number, string])[]) {
		const thread = threadOf();
		const candidates = all.map(([version, marks], at) =>
			candidate(mail(`${version}${marks}${at}`), thread, {
				version,
				isSame: marks.includes('S'),
				adds: marks.includes('A'),
			}),
		);
		return versionsWithLine(candidates).map(({ version, withLine }) => [
			version,
			withLine.map((each) => each.mail.subject),
		]);
	}

	test('begin after the last one without the line, and end with the last one that has it', () => {
		assert.deepEqual(versions([3, 'SA'], [1, 'S'], [2, 'SA'], [4, 'S']), [
			[2, ['2SA2']],
			[3, ['3SA0']],
		]);
		assert.deepEqual(versions([1, 'SA'], [2, 'S'], [3, 'SA']), [[3, ['3SA2']]]);
		assert.deepEqual(versions([1, 'SA'], [2, 'S']), [[1, ['1SA0']]]);
		assert.deepEqual(versions([10, 'SA'], [9, 'SA']), [
			[9, ['9SA1']],
			[10, ['10SA0']],
		]);
		assert.deepEqual(versions([1, 'S'], [2, '']), []);
		assert.deepEqual(versions(), []);
	});

	test('count an equal line of another patch only where the same patch never has it', () => {
		assert.deepEqual(versions([1, 'S'], [1, 'A'], [2, 'SA']), [[2, ['2SA2']]]);
		assert.deepEqual(versions([1, 'S'], [1, 'A'], [2, 'A']), [
			[1, ['1A1']],
			[2, ['2A2']],
		]);
		// A version without the same patch has the line in the part that became it.
		assert.deepEqual(versions([1, 'A'], [2, 'SA'], [2, 'A']), [
			[1, ['1A0']],
			[2, ['2SA1']],
		]);
	});
});

suite('ranked threads of a line', () => {
	test('are one best with the line, and one for each other thread', () => {
		const [v1, v2, v3] = [mail('v1', 10), mail('v2', 20), mail('v3', 30)];
		const [elsewhere, near, far] = [mail('elsewhere', 25), mail('near', 24), mail('far', 90)];
		const one = threadOf(v1, v2, v3);
		const without = threadOf(near, far);
		const withLine = threadOf(elsewhere, mail('no line', 20));
		const found = rankedThreads(
			[one, without, withLine],
			[
				candidate(v1, one, { version: 1, adds: false }),
				candidate(v2, one, { version: 2 }),
				candidate(v3, one, { version: 3 }),
				candidate(far, without, { version: 1, adds: false }),
				candidate(near, without, { version: 1, adds: false }),
				candidate(elsewhere, withLine, { version: 2, isSame: false }),
				candidate(mail('no line', 20), withLine, { version: 2, isSame: false, adds: false }),
			],
			20,
		);
		assert.deepEqual(found, [
			{ mail: v2, last: v3, hasLine: true },
			{ mail: elsewhere, last: elsewhere, hasLine: true },
			{ mail: near, last: near, hasLine: false },
		]);
	});

	test('show the stated mail of a thread without a patch, and nothing of a thread without both', () => {
		const stated = mail('talk');
		const [one, patch] = [threadOf(mail('a')), mail('b')];
		const talk = { ...threadOf(stated), stated };
		assert.deepEqual(rankedThreads([one, talk], [], 0), [{ mail: stated, last: stated, hasLine: false }]);
		const both = { ...threadOf(patch), stated };
		assert.deepEqual(rankedThreads([both], [candidate(patch, both, { adds: false })], 0), [
			{ mail: patch, last: patch, hasLine: false },
		]);
		assert.deepEqual(rankedThreads([], [], 0), []);
	});

	test('choose mails by their distance from the commit in time', () => {
		const mails = [mail('a', 5), mail('b', 18), mail('c', 23)];
		assert.equal(nearestTo(20, mails), mails[1]);
		assert.equal(nearestTo(22, mails), mails[2]);
		assert.equal(nearestTo(0, mails.toReversed()), mails[0]);
		assert.equal(nearestTo(0, []), undefined);
		assert.deepEqual(
			['[PATCH v3] a', '[PATCH] a', 'Talk'].map((subject) => versionOf(mail('a', 0, subject))),
			[3, 1, 1],
		);
	});
});
