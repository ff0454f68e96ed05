import type { PageDrafts } from '../../../../../src/features/tickets/page/pageDrafts.ts';
import type { PageWrites } from '../../../../../src/features/tickets/page/pageWrites.ts';
import { fake } from '../../../../support/fake.ts';
import type { TicketRequest } from 'sourcehut/port/ticketRequest.ts';
import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { LeftOnTicket } from '../../../../../src/features/tickets/page/outcomeText.ts';
import type { SendAnswer } from '../../../../../src/pages/protocol/ticketProtocol.ts';

const { pageSending } = await import('../../../../../src/features/tickets/page/pageSending.ts');

const done: SendAnswer = { kind: 'done', text: '', isCommentThere: true };
const unclear: SendAnswer = { kind: 'unclear', text: 'Nobody knows.', isCommentThere: false };
const arrived: SendAnswer = { kind: 'arrived', text: 'It is there.', isCommentThere: true };
const missing: SendAnswer = { kind: 'missing', text: 'It is not there.', isCommentThere: false };

interface Rig {
	readonly sending: ReturnType<typeof pageSending>;
	/** Texts that went to the forge. */
	readonly written: readonly (string | undefined)[];
	/** Answer to the question whether to send again. */
	wantsAgain: boolean;
	/** Unresolved write of an earlier window. */
	left: LeftOnTicket | undefined;
	draft: string | undefined;
}

/** Responses of the forge to writes, and results of lookups, in order. */
function rig(answers: readonly (SendAnswer | Promise<SendAnswer>)[], looks: readonly SendAnswer[] = []): Rig {
	const left = { answers: [...answers], looks: [...looks] };
	const written: (string | undefined)[] = [];
	let lost: TicketRequest | undefined;
	const on: Omit<Rig, 'sending'> = { written, wantsAgain: false, left: undefined, draft: undefined };
	const writes = fake<PageWrites>({
		get lost() {
			return lost;
		},
		left: () => on.left,
		async send(wish) {
			written.push(wish.comment);
			const said = (await left.answers.shift()) ?? assert.fail('One write too many');
			lost = said.kind === 'unclear' ? wish : undefined;
			return said;
		},
		async lookAgain() {
			const said = left.looks.shift() ?? assert.fail('One look too many');
			lost = said.kind === 'unclear' ? lost : undefined;
			return said;
		},
	});
	const drafts = fake<PageDrafts>({
		comment: () => (on.draft === undefined ? undefined : { text: on.draft, atMs: 1 }),
	});
	const sending = pageSending(writes, drafts, async () => on.wantsAgain);
	return Object.assign(on, { sending });
}

const say = (comment: string) => ({ comment, move: undefined });

suite('sending from a ticket page', () => {
	test('reports an earlier window’s comment as unknown or missing while its draft has the same text', () => {
		const on = rig([]);
		Object.assign(on, {
			left: { wish: { comment: 'Lost', move: { kind: 'reopen' } }, isMissing: true },
			draft: 'Lost',
		});
		const text = 'This may not have arrived. Checked: it is not on the ticket.';
		const send = { comment: 'Lost', move: 'reopen' };
		assert.deepEqual(on.sending.open(), { send, answer: { kind: 'missing', text, isCommentThere: false } });
		Object.assign(on, { left: { wish: { comment: 'Lost' }, isMissing: false } });
		assert.equal(on.sending.open()?.answer?.kind, 'unclear');
		on.draft = 'Lost, and more';
		assert.equal(on.sending.open(), undefined);
	});

	test('sends a comment in doubt again when the user wants that', async () => {
		const on = rig([unclear, done], [unclear, unclear]);
		await on.sending.send(say('Lost'));
		assert.equal((await on.sending.send(say('Lost'))).kind, 'unclear');
		on.wantsAgain = true;
		assert.deepEqual(await on.sending.send(say('Lost')), done);
		assert.deepEqual(on.written, ['Lost', 'Lost']);
	});

	test('a page that starts during a write gets its outcome', async () => {
		const answer = Promise.withResolvers<SendAnswer>();
		const { sending } = rig([answer.promise]);
		void sending.send(say('On its way'));
		assert.deepEqual(sending.open(), { send: say('On its way'), answer: undefined });
		const outcome = sending.outcome();
		answer.resolve(done);
		assert.deepEqual(await outcome, done);
		assert.equal(sending.open(), undefined);
	});

	test('a rejected write leaves nothing open', async () => {
		const { sending } = rig([Promise.reject(new Error('no'))]);
		await assert.rejects(sending.send(say('Refused')));
		assert.equal(sending.open(), undefined);
	});

	test('a page that starts after a lost response can check again until the outcome is known', async () => {
		const { sending } = rig([unclear], [unclear, arrived]);
		await sending.send(say('Lost'));
		assert.deepEqual(sending.open(), { send: say('Lost'), answer: unclear });
		await sending.lookAgain();
		assert.deepEqual(sending.open(), { send: say('Lost'), answer: unclear });
		assert.deepEqual(await sending.lookAgain(), arrived);
		assert.equal(sending.open(), undefined);
	});

	test('checks for a lost comment before a resend, and does not resend while the outcome is unknown', async () => {
		const { sending, written } = rig([unclear, done], [unclear, missing]);
		await sending.send(say('Lost'));
		assert.equal((await sending.send(say('Lost'))).kind, 'unclear');
		assert.deepEqual(written, ['Lost']);
		assert.deepEqual(await sending.send(say('Lost')), done);
		assert.deepEqual(written, ['Lost', 'Lost']);
	});

	test('does not resend a lost comment that arrived, and leaves another text in its box', async () => {
		const same = rig([unclear], [arrived]);
		await same.sending.send(say('Lost'));
		assert.deepEqual(await same.sending.send(say('Lost')), arrived);
		const other = rig([unclear], [arrived]);
		await other.sending.send(say('Lost'));
		assert.deepEqual(await other.sending.send(say('Lost, mended')), { ...arrived, isCommentThere: false });
		assert.deepEqual(other.written, ['Lost']);
	});

	test('a lost status change delays no comment', async () => {
		const { sending, written } = rig([unclear, done], [arrived]);
		await sending.send({ comment: '', move: 'reopen' });
		assert.deepEqual(await sending.send(say('A comment')), done);
		assert.deepEqual(written, [undefined, 'A comment']);
	});

	test('sends two identical simultaneous requests once, and both get the outcome', async () => {
		const answer = Promise.withResolvers<SendAnswer>();
		const { sending, written } = rig([answer.promise]);
		const both = [sending.send(say('Only once')), sending.send(say('Only once'))];
		answer.resolve(done);
		assert.deepEqual(await Promise.all(both), [done, done]);
		assert.deepEqual(written, ['Only once']);
	});

	test('rejects other writes during a write, and sends them afterwards', async () => {
		const answer = Promise.withResolvers<SendAnswer>();
		const { sending, written } = rig([answer.promise, done, done]);
		const first = sending.send(say('First'));
		for (const other of [say('Second'), { comment: 'First', move: 'reopen' }]) {
			const { kind, isCommentThere } = await sending.send(other);
			assert.deepEqual({ kind, isCommentThere }, { kind: 'missing', isCommentThere: false });
		}
		assert.deepEqual(sending.open(), { send: say('First'), answer: undefined });
		answer.resolve(done);
		assert.deepEqual([await first, await sending.outcome()], [done, done]);
		assert.deepEqual(written, ['First']);
		await sending.send(say('First'));
		await sending.send(say('Second'));
		assert.deepEqual(written, ['First', 'First', 'Second']);
	});
});
