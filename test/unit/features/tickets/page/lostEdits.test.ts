import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import { fakeConnection } from '../../../../support/fakeConnection.ts';
import { fakeTrackers } from '../../../../support/fakeForge.ts';
import { quietProblems } from '../../../../support/fakeTicketsParts.ts';
import { makeComment, makeEvent, makeTicket, makeTracker } from '../../../../support/makeTicket.ts';

const { editComment } = await import('../../../../../src/features/tickets/page/commentEditing.ts');

const ref = { tracker: { owner: '~alice', name: 'alpha' }, id: 12 };

/** Outcome of an edit with a lost response when the forge has this text. */
async function toldWhenThereIs(text: string): Promise<string> {
	const { world, api } = fakeTrackers();
	world.trackers.push(makeTracker());
	world.tickets.set('~alice/alpha', [makeTicket()]);
	const comment = makeComment('Before');
	const event = makeEvent({ id: 3, kinds: ['comment'], comment });
	world.events.set('~alice/alpha#12', [{ ...event, comment: { ...comment, text } }]);
	const lost = new ForgeError({ kind: 'unreachable', reason: 'reset', host: 'todo.forge.test' });
	const connection = fakeConnection({ ...api, editComment: () => Promise.reject(lost) });
	const change = { ref, event, comment, text: 'After' };
	return (await editComment(connection, quietProblems, change, new AbortController().signal)).kind;
}

suite('edited comment with a lost response', () => {
	test('is done when the forge has the new text, and has failed otherwise', async () => {
		assert.deepEqual([await toldWhenThereIs('After'), await toldWhenThereIs('Before')], ['done', 'failed']);
	});
});
