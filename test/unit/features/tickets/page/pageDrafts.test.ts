import assert from 'node:assert/strict';
import { pageDrafts, type PageDrafts } from '../../../../../src/features/tickets/page/pageDrafts.ts';
import type { TicketText } from '../../../../../src/pages/protocol/ticketProtocol.ts';
import { draftKey, draftSubjectOf, type Drafts } from '../../../../../src/store/drafts/drafts.ts';
import type { WriteJournal } from '../../../../../src/store/shared/writeJournal.ts';
import { fakeDrafts } from '../../../../support/fakeTicketsParts.ts';

const place = { connectionKey: 'sample-alice', ref: { tracker: { owner: '~alice', name: 'alpha' }, id: 12 } };

function draftsIn(kept: Drafts, sent: WriteJournal['sent'] = () => undefined, ticket?: TicketText): PageDrafts {
	return pageDrafts(kept, place.connectionKey, place.ref, () => ticket, sent);
}

const before = { id: 3, comment: { id: 77, text: 'Before' } };
const after = { id: 3, comment: { id: 78, text: 'Before' } };

suite('drafts of a ticket page', () => {
	test('finds and deletes the draft of an edited comment although the comment has a new id', async () => {
		const kept = fakeDrafts();
		const drafts = draftsIn(kept);
		await drafts.keepEdit(before, { text: 'Half a change', atMs: 1 });
		assert.equal(drafts.edit(after)?.text, 'Half a change');
		await drafts.keepEdit(after, { text: '', atMs: 2 });
		assert.deepEqual(kept.all(), []);
	});

	test('keeps a separate draft for each comment', async () => {
		const drafts = draftsIn(fakeDrafts());
		const other = { id: 4, comment: { id: 79, text: 'Before' } };
		await drafts.keepEdit(before, { text: 'One', atMs: 1 });
		await drafts.keepEdit(other, { text: 'Other', atMs: 1 });
		assert.deepEqual([drafts.edit(before)?.text, drafts.edit(other)?.text], ['One', 'Other']);
	});

	test('finds a draft that an earlier version stored by comment id, and replaces it', async () => {
		const about = { kind: 'editedComment', ...place, commentId: 77 } as const;
		const kept = fakeDrafts();
		const drafts = draftsIn(kept);
		await kept.keep(about, { text: 'Old', atMs: 1 });
		assert.equal(drafts.edit(before)?.text, 'Old');
		await drafts.keepEdit(before, { text: 'Old and more', atMs: 2 });
		assert.deepEqual(
			kept.all().map(({ draft }) => draft.text),
			['Old and more'],
		);
	});

	test('stores no edit that equals the text on the forge', async () => {
		const kept = fakeDrafts();
		const ticket = { title: 'The wick smokes', description: 'A lot.' };
		const drafts = draftsIn(kept, undefined, ticket);
		await drafts.keepEdit(before, { text: 'Before\r\n', atMs: 1 });
		assert.equal(drafts.edit(before), undefined);
		await drafts.keepEdit(before, { text: 'After', atMs: 2 });
		assert.equal(drafts.edit(before)?.text, 'After');
		await drafts.keepText(ticket, 1);
		assert.equal(drafts.text(), undefined);
		await drafts.keepText({ ...ticket, title: 'Another' }, 2);
		assert.equal(drafts.text()?.title, 'Another');
	});

	test('restores every subject from its key', () => {
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
