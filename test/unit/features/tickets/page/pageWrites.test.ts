import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { ForgeError } from '../../../../../src/forge/forgeError.ts';
import { partlyDone, type WriteOutcome } from '../../../../../src/state/tickets/writing/writeOutcome.ts';
import { makeTicket } from '../../../../support/makeTicket.ts';
import { richTicket } from '../../../../support/richTicket.ts';

const { PageWrites } = await import('../../../../../src/features/tickets/page/pageWrites.ts');

const error = new ForgeError({ kind: 'unreachable', reason: 'reset', host: 'forge.test' });

function writesOf(...outcomes: readonly WriteOutcome[]): InstanceType<typeof PageWrites> {
	const { connections, subject } = richTicket();
	const [connection] = connections.all();
	assert.ok(connection);
	const left = [...outcomes];
	const write = (): Promise<WriteOutcome> => Promise.resolve(left.shift() ?? assert.fail('One write too many'));
	Object.defineProperty(connection, 'writes', { value: { ...connection.writes, write } });
	const { signal } = new AbortController();
	return new PageWrites({ connection: () => connection, ref: subject.ref, signal });
}

suite('the writes of a ticket page', () => {
	test('changing labels does not make a comment forgotten of which nobody knows', async () => {
		const done = { kind: 'done', ticket: makeTicket(), before: undefined, deviations: [] } as const;
		const writes = writesOf({ kind: 'unclear', error, newestBefore: 0 }, done);
		assert.equal((await writes.send({ comment: 'Not on the forge' })).kind, 'unclear');
		await writes.send({ labels: { add: ['bug'], remove: [] } });
		assert.notEqual((await writes.lookAgain()).kind, 'done');
	});

	test('what was changed by a write that was refused in part is told, so that it can be undone', async () => {
		const { connections, subject } = richTicket();
		const [connection] = connections.all();
		assert.ok(connection);
		const done = { labels: { add: ['bug'], remove: [] } };
		const refused = partlyDone(new ForgeError({ kind: 'notAllowed' }), {
			done,
			before: makeTicket(),
			now: makeTicket(),
		});
		const write = (): Promise<WriteOutcome> => Promise.reject(refused);
		Object.defineProperty(connection, 'writes', { value: { ...connection.writes, write } });
		const told: unknown[] = [];
		const writes = new PageWrites({
			connection: () => connection,
			ref: subject.ref,
			signal: new AbortController().signal,
			wrote: (wish, outcome) => told.push([wish, outcome]),
		});
		const wish = { comment: 'Well.', ...done };
		await assert.rejects(writes.send(wish), refused);
		assert.deepEqual(told, [[wish, { kind: 'refused', error: refused }]]);
	});
});
