import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { type Patchset, patchsetStatuses, type PatchsetStatus } from 'sourcehut/port/list.ts';
import {
	boardGroups,
	boardOf,
	staleAfterMs,
	turnOf,
	type BoardViewer,
	type LastReplyBy,
} from '../../../../../src/features/lists/find/board.ts';
import { counts, seed } from '../../../../support/counts.ts';
import { makePatchset } from '../../../../support/makeMail.ts';
import { someTimeMs } from '../../../../support/makeTicket.ts';

const viewer: BoardViewer = {
	nowMs: someTimeMs + 1000,
	isMine: ({ submitter }) => submitter?.includes('me@forge.test') === true,
};
const mine = 'Me <me@forge.test>';

/** The group of a patchset next to a newly sent one. */
function groupFor(status: PatchsetStatus, submitter = 'Bob <bob@forge.test>', who = viewer): string | undefined {
	const other = makePatchset({ id: 2, status: 'approved', createdMs: who.nowMs });
	return boardOf([makePatchset({ status, submitter }), other], who).find(({ patchsets }) =>
		patchsets.some(({ id }) => id === 1),
	)?.group;
}

suite('reviewer’s board', () => {
	test('derives the group from status and sender', () => {
		assert.equal(groupFor('proposed'), 'needsMyReview');
		assert.equal(groupFor('unknown'), 'needsMyReview');
		assert.equal(groupFor('other:queued'), 'needsMyReview');
		assert.equal(groupFor('proposed', mine), 'waitingForReview');
		assert.equal(groupFor('needs_revision'), 'waitingForNewVersion');
		assert.equal(groupFor('needs_revision', mine), 'needsMyWork');
		assert.equal(groupFor('approved'), 'approved');
		for (const status of ['applied', 'rejected', 'superseded'] as const) {
			assert.equal(groupFor(status), 'done');
		}
	});

	test('waits for the others after the viewer’s answer', () => {
		const answered = { ...viewer, isAnsweredByMe: () => true };
		assert.equal(groupFor('proposed', 'Bob <bob@forge.test>', answered), 'waitingForNewVersion');
		assert.equal(groupFor('proposed', mine, answered), 'waitingForReview');
		assert.equal(groupFor('approved', 'Bob <bob@forge.test>', answered), 'approved');
	});

	test('gives own patchsets back to their author after a reply by others', () => {
		const last = (by: LastReplyBy): BoardViewer => ({ ...viewer, lastReplyBy: () => by });
		assert.equal(groupFor('proposed', mine, last('others')), 'needsMyWork');
		assert.equal(groupFor('proposed', mine, last('me')), 'waitingForReview');
		assert.equal(groupFor('proposed', mine, last('none')), 'waitingForReview');
		assert.equal(groupFor('approved', mine, last('others')), 'approved');
	});

	test('says why it is whose turn', () => {
		const turn = (patchset: Partial<Patchset>, by?: LastReplyBy, isAnswered = false): unknown => {
			const turned = turnOf(makePatchset({ submitter: 'Bob <bob@forge.test>', ...patchset }), {
				...viewer,
				lastReplyBy: () => by,
				isAnsweredByMe: () => isAnswered,
			});
			return turned && [turned.whose, turned.why];
		};
		assert.deepEqual(turn({}), ['mine', 'unknown']);
		assert.deepEqual(turn({}, 'none'), ['mine', 'unreviewed']);
		assert.deepEqual(turn({ version: 2 }, 'none'), ['mine', 'newVersion']);
		assert.deepEqual(turn({ version: 2 }, 'author'), ['mine', 'authorsReply']);
		assert.deepEqual(turn({}, 'others'), ['mine', 'othersReply']);
		assert.deepEqual(turn({}, 'me', true), ['author', 'myReply']);
		assert.deepEqual(turn({ status: 'needs_revision' }, 'none'), ['author', 'needsRevision']);
		assert.deepEqual(turn({ status: 'needs_revision', submitter: mine }), ['mine', 'needsRevision']);
		assert.deepEqual(turn({ submitter: mine }, 'others'), ['mine', 'othersReply']);
		assert.deepEqual(turn({ submitter: mine }, 'none'), ['reviewers', 'unreviewed']);
		assert.equal(turn({ status: 'applied' }, 'author'), undefined);
		assert.equal(turn({ status: 'approved' }, 'author'), undefined);
	});

	test('puts a snoozed patchset apart, unless nobody has to review it', () => {
		const snoozed = { ...viewer, isSnoozed: () => true };
		assert.equal(groupFor('proposed', mine, snoozed), 'snoozed');
		assert.equal(groupFor('needs_revision', 'Bob <bob@forge.test>', snoozed), 'snoozed');
		assert.equal(groupFor('proposed', 'Bob <bob@forge.test>', { ...snoozed, hasNewerVersion: () => true }), 'done');
		assert.equal(groupFor('applied', 'Bob <bob@forge.test>', snoozed), 'done');
		assert.equal(groupFor('approved', 'Bob <bob@forge.test>', snoozed), 'approved');
	});

	test('moves a patchset with a newer version to done, unless it is approved', () => {
		const newer = { ...viewer, hasNewerVersion: ({ id }: { readonly id: number }) => id === 1 };
		assert.equal(groupFor('needs_revision', 'Bob <bob@forge.test>', newer), 'done');
		assert.equal(groupFor('needs_revision', mine, newer), 'done');
		const answered = { ...newer, isAnsweredByMe: () => true };
		assert.equal(groupFor('proposed', 'Bob <bob@forge.test>', answered), 'done');
		assert.equal(groupFor('proposed', 'Bob <bob@forge.test>', newer), 'done');
		assert.equal(groupFor('proposed', mine, newer), 'done');
		assert.equal(groupFor('other:queued', 'Bob <bob@forge.test>', newer), 'done');
		assert.equal(groupFor('proposed', mine, { ...newer, nowMs: someTimeMs + staleAfterMs + 1 }), 'done');
		assert.equal(groupFor('approved', 'Bob <bob@forge.test>', newer), 'approved');
		assert.equal(groupFor('rejected', 'Bob <bob@forge.test>', newer), 'done');
	});

	test('marks an open patchset as stale after a long time without changes or mails', () => {
		const later = { ...viewer, nowMs: someTimeMs + staleAfterMs + 1 };
		assert.equal(groupFor('proposed', mine, later), 'stale');
		assert.equal(groupFor('needs_revision', mine, later), 'stale');
		assert.equal(groupFor('approved', mine, later), 'approved');
		assert.equal(groupFor('applied', mine, later), 'done');
		assert.equal(groupFor('proposed', mine, { ...later, nowMs: later.nowMs - 1 }), 'waitingForReview');
		assert.equal(groupFor('proposed', 'Bob', { ...later, lastSaidMs: () => someTimeMs + 5 }), 'needsMyReview');
	});

	test('keeps its groups in a dormant list', () => {
		const years = { ...viewer, nowMs: someTimeMs + 20 * staleAfterMs };
		const groups = boardOf([makePatchset(), makePatchset({ id: 2, createdMs: 5, updatedMs: 5 })], years);
		assert.deepEqual(
			groups.map(({ group }) => group),
			['needsMyReview', 'stale'],
		);
	});

	test('keeps its groups in a dormant list after one patchset changes or gets an answer', () => {
		const years = { ...viewer, nowMs: someTimeMs + 20 * staleAfterMs };
		const answered = { ...years, lastSaidMs: ({ id }: { readonly id: number }) => (id === 2 ? years.nowMs : 0) };
		const groups = (who: BoardViewer, other: Partial<Patchset>): readonly string[] =>
			boardOf([makePatchset(), makePatchset({ id: 2, ...other })], who).map(({ group }) => group);
		const marked = { status: 'needs_revision', updatedMs: years.nowMs } as const;
		assert.deepEqual(groups(years, marked), ['needsMyReview', 'waitingForNewVersion']);
		assert.deepEqual(groups(answered, {}), ['needsMyReview']);
	});

	test('lists every patchset once, in order, without empty groups', () => {
		const some = fc.array(
			fc.record({
				status: fc.constantFrom<PatchsetStatus>(...patchsetStatuses, 'other:x'),
				submitter: fc.constantFrom(mine, 'Bob <bob@forge.test>', undefined),
				updatedMs: fc.constantFrom(someTimeMs, someTimeMs - staleAfterMs * 2),
			}),
			{ maxLength: 12 },
		);
		fc.assert(
			fc.property(some, (changes) => {
				const patchsets = changes.map((change, id) => makePatchset({ id, createdMs: change.updatedMs, ...change }));
				const parts = boardOf(patchsets, viewer);
				const ids = parts.map((part) => part.patchsets.map(({ id }) => id));
				assert.deepEqual(
					ids.flat().toSorted((a, b) => a - b),
					patchsets.map(({ id }) => id),
				);
				ids.forEach((each) =>
					assert.deepEqual(
						each,
						each.toSorted((a, b) => a - b),
					),
				);
				assert.ok(ids.every((each) => each.length > 0));
				const groups = parts.map(({ group }) => group);
				assert.deepEqual(
					groups,
					boardGroups.filter((group) => groups.includes(group)),
				);
			}),
			{ numRuns: counts({ small: 200, full: 5000 }), seed: seed() },
		);
	});
});
