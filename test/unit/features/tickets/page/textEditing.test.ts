import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { PageDrafts } from '../../../../../src/features/tickets/page/pageDrafts.ts';
import { ForgeError, type Problem } from 'sourcehut/port/forgeError.ts';
import type { TextAnswer, TextStart } from '../../../../../src/pages/protocol/ticketProtocol.ts';
import { fake } from '../../../../support/fake.ts';
import { fakeConnection } from '../../../../support/fakeConnection.ts';
import { withEditing } from '../../../../support/fakeEditing.ts';
import { fakeTrackers, type FakeTrackerWorld } from '../../../../support/fakeForge.ts';
import { quietProblems } from '../../../../support/fakeTicketsParts.ts';
import { makeTicket, makeTracker } from '../../../../support/makeTicket.ts';

const { editText, textStartOf } = await import('../../../../../src/features/tickets/page/ticketPage.ts');

const never = new AbortController().signal;
const ref = { tracker: { owner: '~alice', name: 'alpha' }, id: 1 };
const before = { title: 'Wick smokes', description: 'Since *yesterday*.' };

interface Bench {
	readonly world: FakeTrackerWorld;
	readonly edit: (edit: TextStart) => Promise<TextAnswer>;
	/** Title and description on the forge. */
	readonly now: () => readonly unknown[];
	readonly start: (draft?: { readonly title: string; readonly description: string }) => TextStart;
}

function bench(edits = true): Bench {
	const trackers = fakeTrackers();
	const { world } = trackers;
	world.trackers.push(makeTracker());
	world.tickets.set('~alice/alpha', [makeTicket({ id: 1, ...before })]);
	const connection = fakeConnection(edits ? withEditing(trackers) : trackers.api);
	return {
		world,
		edit: (edit) => editText(connection, quietProblems, ref, edit, never),
		now: () => (world.tickets.get('~alice/alpha') ?? []).map(({ title, description }) => [title, description]),
		start: (draft) => textStartOf(connection, ref, fake<PageDrafts>({ text: () => draft })),
	};
}

function edits({ world }: Bench): readonly string[] {
	return world.calls.filter((call) => call.startsWith('edit'));
}

suite('editing the text of a ticket', () => {
	test('sends only changed fields', async () => {
		const on = bench();
		assert.deepEqual(await on.edit({ title: ' Wick smokes badly ', description: before.description, from: before }), {
			kind: 'done',
		});
		assert.deepEqual(edits(on), ['edit ~alice/alpha#1 {"title":"Wick smokes badly"}']);
		const now = { ...before, title: 'Wick smokes badly' };
		assert.deepEqual(await on.edit({ ...now, from: before }), { kind: 'done' });
		assert.deepEqual(await on.edit({ ...now, description: '', from: now }), { kind: 'done' });
		assert.deepEqual(on.now(), [['Wick smokes badly', '']]);
		assert.equal(edits(on).length, 2);
	});

	test('reports another user’s change before it sends, and overwrites only a known state', async () => {
		const on = bench();
		on.world.tickets.set('~alice/alpha', [makeTicket({ id: 1, title: 'Theirs', description: 'Other.' })]);
		const theirs = { title: 'Theirs', description: 'Other.' };
		const mine = { title: 'Mine', description: 'Text.' };
		const answer = await on.edit({ ...mine, from: before });
		assert.ok(answer.kind === 'conflict');
		assert.deepEqual(answer.now, theirs);
		assert.match(answer.text, /^Someone has changed the title or description since you began\./);
		assert.deepEqual(edits(on), []);
		assert.deepEqual(await on.edit({ ...mine, from: answer.now }), { kind: 'done' });
		assert.deepEqual(on.now(), [['Mine', 'Text.']]);
	});

	test('never overwrites a description that the forge failed to send', async () => {
		const on = bench();
		const extra = [{ name: 'body', json: undefined }];
		on.world.tickets.set('~alice/alpha', [makeTicket({ id: 1, title: before.title, description: '', extra })]);
		assert.deepEqual(await on.edit({ title: 'New', description: '', from: { title: before.title, description: '' } }), {
			kind: 'failed',
			text: 'The forge did not send everything. Missing: description. Refresh to try again.',
		});
		assert.deepEqual(edits(on), []);
	});

	test('shows the ticket first when the base of a draft is unknown', async () => {
		const on = bench();
		assert.deepEqual(on.start({ title: 'Draft', description: '' }), {
			title: 'Draft',
			description: '',
			from: undefined,
		});
		const answer = await on.edit({ title: 'Draft', description: '', from: undefined });
		assert.ok(answer.kind === 'conflict');
		assert.match(answer.text, /^The ticket may have changed/);
	});

	test('reports an invalid title, a refusal and a forge without editing, and changes nothing', async () => {
		const on = bench();
		assert.deepEqual(await on.edit({ title: 'No', description: '', from: before }), {
			kind: 'failed',
			text: 'A title must have 3 to 2048 characters. Change it and try again.',
		});
		on.world.before = (call) => {
			if (call.startsWith('edit')) {
				throw new ForgeError({ kind: 'notAllowed' });
			}
		};
		assert.deepEqual(await on.edit({ ...before, title: 'Mine', from: before }), {
			kind: 'failed',
			text: 'Only some people can edit tickets here. Ask ~alice for permission to edit.',
		});
		assert.deepEqual(await bench(false).edit({ ...before, title: 'Mine', from: before }), {
			kind: 'failed',
			text: 'On this forge, tickets can only be edited on the web.',
		});
		assert.deepEqual(on.now(), [['Wick smokes', 'Since *yesterday*.']]);
	});

	test('is done when the forge has the text despite a lost response, and has failed otherwise', async () => {
		const reset: Problem = { kind: 'unreachable', reason: 'reset', host: 'x' };
		const on = bench();
		on.world.after = () => {
			throw new ForgeError(reset);
		};
		assert.deepEqual(await on.edit({ ...before, title: 'Mine', from: before }), { kind: 'done' });
		const lost = bench();
		lost.world.before = (call) => {
			if (call.startsWith('edit')) {
				throw new ForgeError(reset);
			}
		};
		assert.equal((await lost.edit({ ...before, title: 'Mine', from: before })).kind, 'failed');
	});
});
