import assert from 'node:assert/strict';
import { pageDrafts } from '../../../../../src/features/tickets/page/pageDrafts.ts';
import { draftKey, draftSubjectOf } from '../../../../../src/state/drafts/draftSubject.ts';
import { fakeDrafts } from '../../../../support/fakeTicketsParts.ts';

const place = { connectionKey: 'sample-alice', ref: { tracker: { owner: '~alice', name: 'alpha' }, id: 12 } };
const before = { id: 3, comment: { id: 77 } };
const after = { id: 3, comment: { id: 78 } };

suite('the drafts of a ticket page', () => {
	test('a draft of a changed comment is found and forgotten although the comment has a new id', async () => {
		const kept = fakeDrafts();
		const drafts = pageDrafts({ drafts: kept, ...place });
		await drafts.keepEdit(before, { text: 'Half a change', atMs: 1 });
		assert.equal(drafts.edit(after)?.text, 'Half a change');
		await drafts.keepEdit(after, { text: '', atMs: 2 });
		assert.deepEqual(kept.all(), []);
	});

	test('each comment has a draft of its own', async () => {
		const drafts = pageDrafts({ drafts: fakeDrafts(), ...place });
		const other = { id: 4, comment: { id: 79 } };
		await drafts.keepEdit(before, { text: 'One', atMs: 1 });
		await drafts.keepEdit(other, { text: 'Other', atMs: 1 });
		assert.deepEqual([drafts.edit(before)?.text, drafts.edit(other)?.text], ['One', 'Other']);
	});

	test('a draft that an earlier version kept by the id of the comment is found, and goes when it is sent or typed anew', async () => {
		const about = { kind: 'editedComment', ...place, commentId: 77 } as const;
		const kept = fakeDrafts();
		const drafts = pageDrafts({ drafts: kept, ...place });
		await kept.keep(about, { text: 'Old', atMs: 1 });
		assert.equal(drafts.edit(before)?.text, 'Old');
		await drafts.editSent(before, 'Old');
		assert.deepEqual(kept.all(), []);
		await kept.keep(about, { text: 'Old', atMs: 1 });
		await drafts.keepEdit(before, { text: 'Old and more', atMs: 2 });
		assert.deepEqual(
			kept.all().map(({ draft }) => draft.text),
			['Old and more'],
		);
	});

	test('what was typed while a text was on its way is a draft still', async () => {
		const kept = fakeDrafts();
		const drafts = pageDrafts({ drafts: kept, ...place });
		await drafts.keepComment({ text: 'Sent and more', atMs: 1 });
		await drafts.commentSent('Sent');
		assert.equal(drafts.comment()?.text, 'Sent and more');
		await drafts.keepEdit(before, { text: 'Changed and more', atMs: 1 });
		await drafts.editSent(before, 'Changed');
		assert.equal(drafts.edit(before)?.text, 'Changed and more');
		await drafts.commentSent('Sent and more');
		assert.equal(drafts.comment(), undefined);
	});

	test('what a draft is for survives being written down', () => {
		const ref = { owner: '~alice', name: 'alpha' };
		const { connectionKey } = place;
		const all = [
			{ kind: 'editedEntry', ...place, eventId: 3 },
			{ kind: 'description', connectionKey, tracker: ref },
			{ kind: 'listDescription', connectionKey, ref },
			{ kind: 'repositoryDescription', connectionKey, ref },
			{ kind: 'mail', connectionKey, ref, answers: 7, name: 'reply' },
			{ kind: 'mail', connectionKey, ref, answers: undefined, name: 'a1' },
		] as const;
		assert.deepEqual(
			all.map((about) => draftSubjectOf(draftKey(about))),
			[...all],
		);
		assert.equal(new Set(all.map(draftKey)).size, all.length);
	});
});
