import assert from 'node:assert/strict';
import type { ReviewDraft } from 'patchmail/review/reviewDraft.ts';
import {
	afterInterruption,
	afterLook,
	again,
	plannedSending,
	sending,
	sendWaiting,
	sentOf,
	stillUnsure,
	unsentId,
	withOlder,
	type Sending,
	type SendingMail,
	type SendOutcome,
} from 'patchmail/review/sending.ts';
import type { OutgoingMail } from 'patchmail/mail/outgoingMail.ts';
import type { ReviewReply } from 'patchmail/review/reviewReplies.ts';
import { createRandom } from '../../../../support/random.ts';
import { keptIn } from '../../../../../src/store/shared/keptText.ts';
import { counts, seed } from '../../../../support/counts.ts';
import { fake } from '../../../../support/fake.ts';
import { makeSeriesMail } from '../../../../support/makeSeries.ts';

const never = new AbortController().signal;

function readSending(text: string): Sending | undefined {
	return keptIn(text, sending, undefined);
}

function makeMail(number: number): SendingMail {
	return {
		messageId: `<reply-${number}@forge.test>`,
		answers: `<patch-${number}@forge.test>`,
		comments: [{ id: `c${number}`, text: 'Why?' }],
		progress: { kind: 'waiting' },
	};
}

const three: Sending = [makeMail(1), makeMail(2), makeMail(3)];
const kinds = (sending: Sending): readonly string[] => sending.map(({ progress }) => progress.kind);
const sent: SendOutcome = { kind: 'sent' };

/** Sends with these outcomes in turn and records the stored states. */
function bench(...outcomes: readonly (SendOutcome | Error)[]) {
	const tried: string[] = [];
	const kept: string[] = [];
	const parts = {
		send: async (messageId: string): Promise<SendOutcome> => {
			const outcome = outcomes[tried.length];
			tried.push(messageId);
			assert.ok(outcome);
			if (outcome instanceof Error) {
				throw outcome;
			}
			return outcome;
		},
		keep: async (sending: Sending): Promise<void> => void kept.push(kinds(sending).join(' ')),
	};
	return { parts, tried, kept };
}

suite('sending the mails of a review', function () {
	this.timeout(600_000);
	test('sends one mail after another and stores each step before it happens', async () => {
		const { parts, tried, kept } = bench(sent, sent, sent);
		assert.deepEqual(kinds(await sendWaiting(three, parts, never)), ['sent', 'sent', 'sent']);
		assert.deepEqual(
			tried,
			three.map(({ messageId }) => messageId),
		);
		assert.deepEqual(kept, [
			'underWay waiting waiting',
			'sent waiting waiting',
			'sent underWay waiting',
			'sent sent waiting',
			'sent sent underWay',
			'sent sent sent',
		]);
	});

	test('stops at the first failure and sends only the rest the next time', async () => {
		const first = bench(sent, { kind: 'notSent', complaint: 'No such list' });
		const half = await sendWaiting(three, first.parts, never);
		assert.deepEqual(
			half.map(({ progress }) => progress),
			[{ kind: 'sent' }, { kind: 'notSent', complaint: 'No such list' }, { kind: 'waiting' }],
		);
		const second = bench(sent, sent);
		assert.deepEqual(kinds(await sendWaiting(again(half), second.parts, never)), ['sent', 'sent', 'sent']);
		assert.deepEqual(second.tried, ['<reply-2@forge.test>', '<reply-3@forge.test>']);
	});

	test('resends a mail of unsure outcome only if the list does not have it', async () => {
		const first = bench({ kind: 'unsure', complaint: '' });
		const half = again(await sendWaiting(three, first.parts, never));
		assert.deepEqual(kinds(half), ['unsure', 'waiting', 'waiting']);
		assert.deepEqual(kinds(afterLook(half, '<reply-1@forge.test>', true)), ['sent', 'waiting', 'waiting']);
		assert.deepEqual(kinds(afterLook(half, '<reply-1@forge.test>', false)), ['waiting', 'waiting', 'waiting']);
		assert.deepEqual(kinds(afterLook(half, '<reply-2@forge.test>', true)), ['unsure', 'waiting', 'waiting']);
	});

	test('reuses the id of a reply that was not sent', async () => {
		const { parts } = bench(sent, { kind: 'notSent', complaint: '' });
		const half = await sendWaiting(three, parts, never);
		assert.deepEqual(
			[1, 2, 3, 4].map((number) => unsentId(half, { ...makeMail(number), messageId: '<new@forge.test>' })),
			[undefined, '<reply-2@forge.test>', '<reply-3@forge.test>', undefined],
		);
	});

	test('uses another id for a changed reply, because lists drop a second mail with the same id', () => {
		const [kept] = three;
		assert.ok(kept);
		const [comment] = kept.comments;
		assert.ok(comment);
		const others: readonly SendingMail[] = [
			{ ...kept, comments: [{ ...comment, text: 'Why not?' }] },
			{ ...kept, comments: [{ ...comment, suggestion: { firstLine: 1, rows: ['-a'] } }] },
			{ ...kept, comments: [...kept.comments, comment] },
			{ ...kept, trailer: 'Acked-by' },
			{ ...kept, status: 'approved' },
		];
		assert.deepEqual(
			[kept, ...others].map((mail) => unsentId(three, mail)),
			[kept.messageId, ...others.map(() => undefined)],
		);
	});

	test('stays unsure after a failed retry, and keeps the older mail beside a changed one', () => {
		const unsure: Sending = three.map((mail) => ({ ...mail, progress: { kind: 'unsure', complaint: 'lost' } }));
		const tried: Sending = [
			{ ...makeMail(1), progress: { kind: 'sent' } },
			{ ...makeMail(2), progress: { kind: 'notSent', complaint: 'refused' } },
			makeMail(3),
		];
		assert.deepEqual(
			stillUnsure(tried, unsure).map(({ progress }) => progress),
			[{ kind: 'sent' }, { kind: 'unsure', complaint: 'refused' }, { kind: 'unsure', complaint: '' }],
		);
		assert.deepEqual(stillUnsure(tried, three), tried);
		const other = tried.map((mail) => ({ ...mail, messageId: mail.messageId.replace('reply', 'other') }));
		assert.deepEqual(withOlder(other, unsure).slice(3), unsure.slice(1));
		assert.deepEqual(withOlder(tried, unsure), tried);
	});

	test('forgets the suggestion of a comment whose text is gone, and no other suggestion', () => {
		const place = { kind: 'mail', messageId: '<patch-1@forge.test>' } as const;
		const suggestion = { firstLine: 1, rows: ['-a', '+b'] };
		const mail = { ...makeMail(1), comments: [{ id: 'a', text: 'Better so:', suggestion }] };
		const draftOf = (text: string, change = suggestion): ReviewDraft => ({
			comments: [{ id: 'a', place, text, suggestion: change }],
			trailers: new Map(),
			status: undefined,
			edits: new Map(),
		});
		assert.equal(sentOf(draftOf(''), mail).comments.length, 1);
		assert.equal(sentOf(draftOf('Better so:'), mail).comments.length, 1);
		assert.equal(sentOf(draftOf('Or so:'), mail).comments.length, 0);
		assert.equal(sentOf(draftOf('Better so:', { ...suggestion, firstLine: 2 }), mail).comments.length, 0);
	});

	test('sends nothing if it cannot store the state', async () => {
		const { parts, tried } = bench();
		const told: string[] = [];
		const keep = async (sending: Sending): Promise<void> => {
			told.push(kinds(sending).join(' '));
			throw new Error('The disk is full');
		};
		await assert.rejects(sendWaiting(three, { ...parts, keep }, never), /disk is full/);
		assert.deepEqual([tried, told.at(-1)], [[], 'waiting waiting waiting']);
	});

	test('returns to waiting if sending cannot start, and stops on abort', async () => {
		const { parts, kept } = bench(new Error('not trusted'));
		await assert.rejects(sendWaiting(three, parts, never), /not trusted/);
		assert.equal(kept.at(-1), 'waiting waiting waiting');
		const given = bench();
		assert.deepEqual(kinds(await sendWaiting(three, given.parts, AbortSignal.abort())), kinds(three));
		assert.deepEqual(given.kept, []);
	});

	test('forgets the sent parts and keeps later changes', () => {
		const place = { kind: 'mail', messageId: '<patch-1@forge.test>' } as const;
		const made = (id: string, text: string) => ({ id, text, place, suggestion: undefined });
		const review: ReviewDraft = {
			comments: [made('a', 'Why?'), made('b', 'Fine')],
			trailers: new Map([['<m1@forge.test>', 'Acked-by']]),
			status: 'approved',
			edits: new Map(),
		};
		const answered = makeSeriesMail();
		const mail = {
			from: { name: '', address: 'a@b' },
			to: [],
			cc: [],
			subject: '',
			messageId: '<r@x>',
			inReplyTo: undefined,
			references: [],
			patchsetStatus: undefined,
			body: '',
		};
		const [planned] = plannedSending([
			{
				mail,
				answered,
				comments: review.comments,
				trailer: 'Acked-by',
				madeFrom: { text: '', comments: [], trailer: undefined },
				edit: undefined,
				astray: [],
				leftOut: [],
			},
		]);
		assert.ok(planned);
		const typed = { ...review, comments: [made('a', 'Why?'), made('b', 'Fine, but'), made('c', 'New')] };
		assert.deepEqual(sentOf(typed, planned), {
			comments: [made('a', 'Why?')],
			trailers: new Map([['<m1@forge.test>', 'Acked-by']]),
			status: undefined,
			edits: new Map(),
		});
	});

	test('reaches everyone exactly once despite failures, interruptions and killed processes', async () => {
		const random = createRandom(seed());
		for (let round = 0; round < counts({ small: 300, full: 20_000 }); round++) {
			const arrived: string[] = [];
			let text = JSON.stringify(Array.from({ length: 1 + random.below(5) }, (_, at) => makeMail(at)));
			const parts = {
				send: async (messageId: string): Promise<SendOutcome> => {
					const how = random.pick(['sent', 'sent', 'notSent', 'unsure', 'killed', 'untried'] as const);
					if (how === 'sent' || ((how === 'unsure' || how === 'killed') && random.chance(50))) {
						arrived.push(messageId);
					}
					if (how === 'killed' || how === 'untried') {
						throw new Error(how);
					}
					return how === 'sent' ? sent : { kind: how, complaint: 'x' };
				},
				keep: async (sending: Sending): Promise<void> => {
					text = JSON.stringify(sending);
				},
			};
			for (let tries = 0; ; tries++) {
				assert.ok(tries < 1000, 'it does not end');
				const kept = readSending(text);
				assert.ok(kept);
				let now = again(afterInterruption(kept));
				for (const { messageId, progress } of now) {
					now = progress.kind === 'unsure' ? afterLook(now, messageId, arrived.includes(messageId)) : now;
				}
				if (now.every(({ progress }) => progress.kind === 'sent')) {
					assert.deepEqual(arrived.toSorted(), now.map(({ messageId }) => messageId).toSorted());
					break;
				}
				await interrupted(now, parts);
			}
		}
	});

	test('ignores damaged stored states', () => {
		assert.deepEqual(readSending(JSON.stringify(three)), three);
		const text = JSON.stringify(three);
		for (const damaged of [
			'',
			'{}',
			'[{}]',
			text.replace('waiting', 'flying'),
			text.replace('"id"', '"no"'),
			text.slice(1),
		]) {
			assert.equal(readSending(damaged), undefined, damaged);
		}
	});

	test('plans comments, trailer, status and edited text of each mail', () => {
		const reply = (messageId: string, change: Partial<ReviewReply>): ReviewReply =>
			fake<ReviewReply>({
				mail: fake<OutgoingMail>({ messageId, patchsetStatus: undefined }),
				answered: makeSeriesMail({ id: 1 }),
				comments: [{ id: 'c', text: 'Why?', place: { kind: 'mail', messageId: '<m1@forge.test>' } }],
				trailer: undefined,
				edit: undefined,
				...change,
			});
		const planned = plannedSending([
			reply('<a@forge.test>', { edit: { kind: 'taken', text: 'Mine' }, trailer: 'Acked-by' }),
			reply('<b@forge.test>', {
				mail: fake<OutgoingMail>({ messageId: '<b@forge.test>', patchsetStatus: 'approved' }),
			}),
		]);
		const comments = [{ id: 'c', text: 'Why?', suggestion: undefined }];
		const common = { answers: '<m1@forge.test>', comments, progress: { kind: 'waiting' } };
		assert.deepEqual(planned, [
			{ ...common, messageId: '<a@forge.test>', trailer: 'Acked-by', status: undefined, edited: 'Mine' },
			{ ...common, messageId: '<b@forge.test>', trailer: undefined, status: 'approved', edited: undefined },
		]);
	});

	test('ends the sent edit, but no later one', () => {
		const mail = { ...makeMail(1), edited: 'text' };
		const draft = (text: string): ReviewDraft => ({
			comments: [],
			trailers: new Map(),
			status: undefined,
			edits: new Map([[mail.answers, { text, madeFrom: undefined }]]),
		});
		assert.deepEqual([...sentOf(draft('text'), mail).edits.keys()], [mail.answers]);
		assert.deepEqual([...sentOf(draft('more'), mail).edits.keys()], []);
	});
});

/** A killed process stores nothing any more. */
async function interrupted(
	now: Sending,
	parts: {
		readonly send: (messageId: string) => Promise<SendOutcome>;
		readonly keep: (sending: Sending) => Promise<void>;
	},
): Promise<void> {
	let isKilled = false;
	await sendWaiting(
		now,
		{
			send: (messageId) =>
				parts.send(messageId).catch((error: unknown) => {
					isKilled = error instanceof Error && error.message === 'killed';
					throw error;
				}),
			keep: async (sending) => {
				if (!isKilled) {
					await parts.keep(sending);
				}
			},
		},
		never,
	).catch(() => undefined);
}
