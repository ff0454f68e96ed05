import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { ForgeError, type Problem } from 'sourcehut/port/forgeError.ts';
import type { TicketRequest } from 'sourcehut/port/ticketRequest.ts';
import type { Refusals } from '../../../../../src/features/tickets/subjects/permissions.ts';
import { richTicket } from '../../../../support/richTicket.ts';

const { pageWrites } = await import('../../../../../src/features/tickets/page/pageWrites.ts');

/** Refusals of a page after the forge rejects this request. */
async function learntFrom(wish: TicketRequest, problem: Problem): Promise<Refusals> {
	const { connections, subject } = richTicket();
	const [connection] = connections.all();
	assert.ok(connection);
	const write = (): Promise<never> => Promise.reject(new ForgeError(problem));
	Object.defineProperty(connection, 'writes', { value: { ...connection.writes, write } });
	const { signal } = new AbortController();
	const writes = pageWrites({ connection: () => connection, known: () => connection }, subject.ref, undefined, signal);
	await assert.rejects(writes.send(wish), ForgeError);
	return writes.refusals;
}

const move = { kind: 'reopen' } as const;
const notAllowed = { kind: 'notAllowed' } as const;

suite('refusals that a page learns', () => {
	test('cover only the kind of the rejected write', async () => {
		assert.deepEqual(await learntFrom({ comment: 'Seen' }, notAllowed), { comment: true, triage: false });
		assert.deepEqual(await learntFrom({ move }, notAllowed), { comment: false, triage: true });
		assert.deepEqual(await learntFrom({ labels: { add: ['bug'], remove: [] } }, notAllowed), {
			comment: false,
			triage: true,
		});
	});

	test('are none when the write had two kinds, or for another reason', async () => {
		const none = { comment: false, triage: false };
		assert.deepEqual(await learntFrom({ comment: 'Seen', move }, notAllowed), none);
		assert.deepEqual(await learntFrom({ comment: 'Seen' }, { kind: 'serverError', status: 502 }), none);
		const suspended = { kind: 'notAllowed', reason: 'Your account is suspended.' } as const;
		assert.deepEqual(await learntFrom({ comment: 'Seen' }, suspended), none);
	});
});
