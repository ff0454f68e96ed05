import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { TicketsContext } from '../../../../../src/features/tickets/context/ticketsContext.ts';
import type { DraftDocuments } from '../../../../../src/features/tickets/drafts/draftDocuments.ts';
import type { Drafts, DraftSubject } from '../../../../../src/store/drafts/drafts.ts';
import { eventually } from '../../../../support/eventually.ts';
import { fake } from '../../../../support/fake.ts';
import { fakeClock } from '../../../../support/fakeClock.ts';
import { fakeConnection, fakeConnections } from '../../../../support/fakeConnection.ts';
import { fakeTrackers } from '../../../../support/fakeForge.ts';
import { fakeDrafts, quietProblems } from '../../../../support/fakeTicketsParts.ts';
import { standFor } from '../../../../support/standFor.ts';
import { resetStub, stubbed, type StubbedBox } from '../../../../support/vscodeValues.ts';

const { showDrafts } = await import('../../../../../src/features/tickets/drafts/showDrafts.ts');

const tracker = { owner: '~alice', name: 'alpha' };
const [here, gone] = ['sample-alice', 'sample-gone'];
const comment: DraftSubject = { kind: 'comment', connectionKey: here, ref: { tracker, id: 7 } };
const edited: DraftSubject = { kind: 'editedEntry', connectionKey: here, ref: { tracker, id: 8 }, eventId: 3 };
const editedBefore: DraftSubject = {
	kind: 'editedComment',
	connectionKey: here,
	ref: { tracker, id: 9 },
	commentId: 5,
};
const newTicket: DraftSubject = { kind: 'newTicket', connectionKey: here, tracker, name: 'a1' };
const description: DraftSubject = { kind: 'description', connectionKey: here, tracker };
const ofList: DraftSubject = { kind: 'listDescription', connectionKey: here, ref: tracker };
const ofRepository: DraftSubject = { kind: 'repositoryDescription', connectionKey: here, ref: tracker };
const review = {
	kind: 'review',
	connectionKey: here,
	ref: { list: { owner: '~alice', name: 'devel' }, id: 12 },
} as const;
const place = { kind: 'mail', messageId: '<patch@forge.test>' } as const;
const ofPatch: DraftSubject = { ...review, part: { kind: 'comment', id: 'a', place } };
const typedOf = (id: string): DraftSubject => ({ ...review, part: { kind: 'comment', id, place } });
const nowMs = Date.UTC(2026, 10, 20, 12);
const minuteMs = 60_000;

/** Drafts of this window, and the actions on them. */
async function bench(...subjects: readonly (readonly [DraftSubject, string])[]) {
	const drafts = fakeDrafts();
	for (const [place, [about, text]] of subjects.entries()) {
		await drafts.keep(about, { text, atMs: nowMs - (place + 1) * minuteMs });
	}
	const done: string[] = [];
	const idOf = (about: DraftSubject): string =>
		about.kind === 'review' && about.part.kind === 'comment' && about.part.id !== 'a' ? ` ${about.part.id}` : '';
	const documents = standFor<DraftDocuments>({
		open: async (about: DraftSubject) => void done.push(`open ${about.kind}${idOf(about)}`),
		finish: async (about: DraftSubject) => void done.push(`finish ${about.kind}${idOf(about)}`),
		textOf: (about: DraftSubject) => drafts.draft(about)?.text,
	});
	const show = (of: Drafts = drafts): Promise<void> =>
		showDrafts(
			fake<TicketsContext>({
				connections: fakeConnections(fakeConnection(fakeTrackers().api)),
				drafts: of,
				clock: { ...fakeClock(), nowMs: () => nowMs },
				problems: quietProblems,
			}),
			documents,
		);
	return { drafts, done, show };
}

async function box(): Promise<StubbedBox> {
	await eventually(async () => stubbed.boxes.at(-1)?.isShown, true);
	const shown = stubbed.boxes.at(-1);
	assert.ok(shown);
	return shown;
}

suite('draft list', () => {
	setup(() => resetStub());

	test('shows the start, subject and age of each draft, newest first', async () => {
		const { show } = await bench(
			[comment, '\n  \nI saw \u202Eit $(alert) too\nand more'],
			[edited, 'Changed'],
			[newTicket, 'x'.repeat(300)],
			[description, 'All about it'],
			[ofList, 'About the list'],
			[ofRepository, 'About the code'],
			[ofPatch, 'Well done'],
			[typedOf('typed-b'), 'Half a sen'],
			[{ ...review, part: { kind: 'sending' } }, '{}'],
			[{ kind: 'mailSending', connectionKey: here, ref: review.ref.list, answers: 31, name: 'reply' }, '{}'],
			[{ ...review, part: { kind: 'suggestedFile', document: 'forge-patch://a/b' } }, 'int a;'],
			[{ ...comment, connectionKey: gone }, 'Elsewhere'],
		);
		const showing = assert.rejects(show(), { name: 'AbortError' });
		const list = await box();
		assert.deepEqual(
			list.items.map(({ detail }) => detail),
			[
				'Comment on ~alice/alpha#7',
				'Changed comment on ~alice/alpha#8',
				'New ticket in ~alice/alpha',
				'Description of ~alice/alpha',
				'Description of list ~alice/alpha',
				'Description of repository ~alice/alpha',
				'Review of patchset 12 in ~alice/devel',
				'Review of patchset 12 in ~alice/devel (typed and not added)',
				'Suggested change to patchset 12 in ~alice/devel',
				'Comment on ~alice/alpha#7 (signed out of sample-gone)',
			],
		);
		const [first, , third] = list.items;
		assert.match(first?.label ?? '', /^I saw .*it .*alert.* too$/);
		assert.ok(!first?.label.includes('\u202E') && !first?.label.includes('$('));
		assert.equal(third?.label, 'x'.repeat(100));
		assert.equal(new Set(list.items.map(({ description: age }) => age)).size, 10);
		assert.ok(list.ignoreFocusOut);
		list.hide();
		await showing;
	});

	const page = (id: number): object => ({ kind: 'ticket', connectionKey: here, ref: { tracker, id } });
	for (const [about, command, passed] of [
		[comment, 'forge.tickets.comment', page(7)],
		[edited, 'forge.tickets.open', { ...page(8), event: 3 }],
		[editedBefore, 'forge.tickets.open', page(9)],
	] as const) {
		test(`continues a ${about.kind} on the ticket page`, async () => {
			const { show, done } = await bench([about, 'Not sent']);
			const showing = show();
			const list = await box();
			list.accept('Not sent');
			await showing;
			assert.deepEqual([done, stubbed.executed, stubbed.passed], [[], [command], [passed]]);
			assert.deepEqual([list.isShown, stubbed.documents], [false, []]);
		});
	}

	for (const [about, does] of [
		[newTicket, 'open newTicket'],
		[description, 'open description'],
		[ofPatch, 'open review'],
	] as const) {
		test(`continues a ${about.kind} in its document`, async () => {
			const { show, done } = await bench([about, 'Not sent']);
			const showing = show();
			const list = await box();
			list.accept('Not sent');
			await showing;
			assert.deepEqual(done, [does]);
			assert.deepEqual([list.isShown, stubbed.documents], [false, []]);
		});
	}

	for (const [id, before, question, answer] of [
		['typed-b', undefined, 'This comment was typed and not added, so it is not sent with your review.', 'Add Comment'],
		['typed-a', 'Well', 'This was typed while you edited a draft comment, and not saved.', 'Replace Draft'],
	] as const) {
		test(`opens a typed comment, then adds its current text: ${answer}`, async () => {
			const { show, done, drafts } = await bench(
				[typedOf(id), 'Well done'],
				...(before === undefined ? [] : [[ofPatch, before] as const]),
			);
			const closed = Promise.withResolvers<string>();
			stubbed.laterAnswers.push(closed.promise);
			const showing = show();
			(await box()).accept('Well done');
			await showing;
			assert.deepEqual([done, stubbed.shown], [[`open review ${id}`], [question]]);
			// The user may edit the opened document.
			await drafts.keep(typedOf(id), { text: 'Well done.', atMs: nowMs });
			closed.resolve(answer);
			const added = id === 'typed-a' ? '' : ' b';
			await eventually(async () => done.at(-1), `open review${added}`);
			assert.deepEqual(done, [`open review ${id}`, `finish review ${id}`, `open review${added}`]);
			assert.deepEqual(
				drafts.all().map(({ about, draft }) => [about, draft.text]),
				[[typedOf(id.replace('typed-', '')), 'Well done.']],
			);
		});
	}

	test('leaves a typed comment as it is when the user does not add it', async () => {
		const { show, done, drafts } = await bench([typedOf('typed-b'), 'Well done']);
		stubbed.answers.push(undefined);
		const showing = show();
		(await box()).accept('Well done');
		await showing;
		assert.deepEqual([done, drafts.all().length, stubbed.shown.length], [['open review typed-b'], 1, 1]);
	});

	test('opens the draft of a signed-out account in a separate document', async () => {
		const { show, done, drafts } = await bench([{ ...comment, connectionKey: gone }, 'Elsewhere']);
		const showing = show();
		(await box()).accept('Elsewhere');
		await showing;
		const [[document, options] = []] = stubbed.documents;
		assert.equal(standFor<{ getText(): string }>(document).getText(), 'Elsewhere');
		assert.deepEqual([options, done, drafts.all().length], [{ preview: false }, [], 1]);
	});

	test('opens a text from another window in a separate document', async () => {
		const { show, done, drafts } = await bench([comment, 'Mine']);
		const theirs = { about: comment, draft: { text: 'Theirs', atMs: nowMs } };
		const showing = show({ ...drafts, all: () => [theirs, ...drafts.all()] });
		(await box()).accept('Theirs');
		await showing;
		assert.equal(standFor<{ getText(): string }>(stubbed.documents[0]?.[0]).getText(), 'Theirs');
		assert.deepEqual(done, []);
	});

	test('asks before deleting, keeps the list open, and closes it after the last draft', async () => {
		const { show, drafts, done } = await bench([comment, 'First'], [newTicket, 'Second']);
		const showing = assert.rejects(show(), { name: 'AbortError' });
		const list = await box();
		stubbed.answers.push(undefined);
		list.pressRow('First');
		await eventually(async () => stubbed.shown.length, 1);
		assert.equal(drafts.all().length, 2);
		stubbed.answers.push('Discard');
		list.pressRow('First');
		await eventually(async () => list.items.map(({ label }) => label), ['Second']);
		assert.ok(list.isShown);
		assert.deepEqual(stubbed.warned, ['Discard this draft?', 'Discard this draft?']);
		assert.deepEqual(
			drafts.all().map(({ draft }) => draft.text),
			['Second'],
		);
		assert.deepEqual(done, []);
		stubbed.answers.push('Discard');
		list.pressRow('Second');
		await showing;
		// The open document would restore the draft.
		assert.deepEqual([drafts.all(), done, list.isShown], [[], ['finish newTicket'], false]);
	});

	/** Discards the only listed draft. */
	const discardOnly = async (show: () => Promise<void>): Promise<void> => {
		const showing = assert.rejects(show(), { name: 'AbortError' });
		const list = await box();
		stubbed.answers.push('Discard');
		list.pressRow(list.items[0]?.label ?? '');
		await showing;
	};

	test('deleting a review comment also deletes its suggested change', async () => {
		const lines = { ...place, kind: 'lines', file: 0, side: 'new', firstLine: 4, line: 4 } as const;
		const { show, drafts } = await bench(
			[{ ...review, part: { kind: 'comment', id: 'a', place: lines } }, 'Better so:'],
			[
				{ ...review, part: { kind: 'suggestion', id: 'a', place: lines } },
				JSON.stringify({ firstLine: 4, rows: ['-a', '+b'] }),
			],
		);
		await discardOnly(show);
		assert.deepEqual(drafts.all(), []);
	});

	test('deleting a reply that may have been sent says so, and deletes its sending state', async () => {
		const mail = { kind: 'mail', connectionKey: here, ref: review.ref.list, answers: 31, name: 'reply' } as const;
		const unsure = { messageId: '<a@forge.test>', text: 'Yes.', progress: { kind: 'unsure', complaint: '' } };
		const { show, drafts } = await bench([mail, 'Yes.'], [{ ...mail, kind: 'mailSending' }, JSON.stringify(unsure)]);
		await discardOnly(show);
		assert.deepEqual(drafts.all(), []);
		assert.match(stubbed.details.at(-1) ?? '', /^It may have been sent already/);
	});

	test('deleting another window’s text leaves the own document open', async () => {
		const { show, drafts, done } = await bench([newTicket, 'Mine']);
		const forgotten: string[] = [];
		const theirs = { about: newTicket, draft: { text: 'Theirs', atMs: nowMs } };
		const showing = assert.rejects(
			show({
				...drafts,
				all: () => (forgotten.length === 0 ? [theirs, ...drafts.all()] : drafts.all()),
				forget: async ({ draft }) => void forgotten.push(draft.text),
			}),
			{ name: 'AbortError' },
		);
		const list = await box();
		stubbed.answers.push('Discard');
		list.pressRow('Theirs');
		await eventually(async () => list.items.map(({ label }) => label), ['Mine']);
		assert.deepEqual([forgotten, done], [['Theirs'], []]);
		list.hide();
		await showing;
	});

	test('closes with the error when a deletion fails', async () => {
		const { show, drafts } = await bench([comment, 'First']);
		const showing = assert.rejects(show({ ...drafts, forget: () => Promise.reject(new Error('The disk is full')) }), {
			message: 'The disk is full',
		});
		stubbed.answers.push('Discard');
		(await box()).pressRow('First');
		await showing;
		assert.equal(drafts.all().length, 1);
	});

	test('shows a message instead of an empty list', async () => {
		const { show } = await bench();
		await show();
		assert.equal(stubbed.shown.length, 1);
		assert.deepEqual(stubbed.boxes, []);
	});
});
