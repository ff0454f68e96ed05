import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { Emitter } from '@forge-desk/base/event.ts';
import type { MailSent } from 'hardened-git/sendMail.ts';
import type { CommentThreads } from '../../../../../src/features/review/comments/commentThreads.ts';
import type { TypedComments } from '../../../../../src/features/review/reply/commentBoxes.ts';
import type { Mailer } from '../../../../../src/features/lists/context/listsContext.ts';
import type { Connection } from '../../../../../src/store/connection.ts';
import type { MailDraftSubject } from '../../../../../src/store/drafts/drafts.ts';
import { mailOutbox } from '../../../../../src/store/outbox/mailOutbox.ts';
import { outboxInMemory, type MemoryFiles } from '../../../../../src/store/outbox/outboxInMemory.ts';
import { drain } from '../../../../../src/store/outbox/sending/drain.ts';
import { counts, seed } from '../../../../support/counts.ts';
import { fake } from '../../../../support/fake.ts';
import { fakeClock } from '../../../../support/fakeClock.ts';
import { fakeConnections } from '../../../../support/fakeConnection.ts';
import { fakeDrafts } from '../../../../support/fakeTicketsParts.ts';
import { listConnection } from '../../../../support/fakeLists.ts';
import { listsParts } from '../../../../support/fakeListsParts.ts';
import { fakeMailDrafts } from '../../../../support/fakeMailDrafts.ts';
import { fakeMailer } from '../../../../support/fakeMailer.ts';
import { idleBackground } from '../../../../support/idleBackground.ts';
import { patchsetWorld, replyMail } from '../../../../support/patchsetWorld.ts';
import { resetStub, stubbed } from '../../../../support/vscodeValues.ts';
import { randomInts } from '../../../../support/writeRig.ts';

const { outboxMails } = await import('../../../../../src/features/lists/send/outboxMails.ts');
const { draftOfQueued } = await import('../../../../../src/features/lists/send/writeMail.ts');
const { replyFeature } = await import('../../../../../src/features/review/reply/replyFeature.ts');
const { reviewSubject } = await import('../../../../../src/store/drafts/reviewDrafts.ts');
const { draftUri } = await import('../../../../../src/features/tickets/drafts/draftUri.ts');

const never = new AbortController().signal;
const list = { owner: '~alice', name: 'devel' };
const answeredIds = [31, 32, 33, 34];
const away: MailSent = { kind: 'notSent', trouble: 'unreachable', complaint: '' };

/** A forge, a mail server, and the windows of one person on one computer. */
function situation() {
	const { api, world } = patchsetWorld();
	for (const id of answeredIds) {
		const reply = replyMail(id, 21, `Question ${id}?\n`);
		world.mails.push({ ...reply, envelope: `List-Post: <mailto:~alice/devel@lists.forge.test>\r\n${reply.envelope}` });
	}
	const clock = fakeClock();
	const files: MemoryFiles = new Map();
	const drafts = fakeDrafts();
	const documents = fakeMailDrafts(drafts);
	const delivered: string[] = [];
	let names = 0;
	let outcome: (deliver: () => void, signal: AbortSignal) => Promise<MailSent> = async () => away;

	function openWindow() {
		const me = {};
		const accountsChanged = new Emitter<void>();
		let isKilled = false;
		const bare = listConnection(api);
		const queue = mailOutbox(outboxInMemory(files, me));
		const connection: Connection = {
			...bare,
			mailOutbox: queue,
			drainMails: (...by) => drain({ queue, background: idleBackground(), area: 'lists', clock }, ...by),
		};
		const mailer: Mailer = {
			...fakeMailer(),
			async send({ source }, _ask, signal) {
				if (isKilled) {
					return new Promise<never>(() => undefined);
				}
				return outcome(() => {
					delivered.push(source);
					const messageId = /^Message-ID: (.*)$/m.exec(source)?.[1] ?? '';
					world.mails.push({ ...replyMail(40 + delivered.length, 31, 'Yes.\n'), messageId });
				}, signal);
			},
		};
		const parts = {
			...listsParts({ ...fakeConnections(connection), onDidChange: accountsChanged.event }, clock),
			drafts,
			mailer,
			mailDrafts: documents,
			newName: () => `id${(names += 1)}`,
		};
		const replies = replyFeature(
			parts,
			fake<CommentThreads>({}),
			fake<TypedComments>({ added: () => undefined, editEnded: () => undefined }),
		);
		const mails = outboxMails(parts, (own, of) => {
			switch (of.kind) {
				case 'draft':
					return draftOfQueued(parts, own, of);
				case 'review':
					return replies.originOf(own, { connectionKey: own.key, ref: of.ref });
				case 'series':
					return undefined;
			}
		});
		const about = (id: number): MailDraftSubject => ({
			kind: 'mail',
			connectionKey: connection.key,
			ref: list,
			answers: id,
			name: 'Reply to Dora Reviewer',
		});
		return {
			connection,
			mails,
			about,
			queue,
			async send(id: number, ...answers: readonly string[]): Promise<void> {
				stubbed.answers.splice(0, Infinity, ...(answers.length === 0 ? ['Send'] : answers));
				await replies.commands['forge.lists.sendMail']?.(draftUri(about(id)), never, []);
			},
			async sendReview(): Promise<void> {
				stubbed.answers.splice(0, Infinity, 'Send');
				const patchset = { kind: 'patchset', connectionKey: connection.key, ref: { list, id: 2 } };
				await replies.commands['forge.review.send']?.(patchset, never, []);
			},
			drain: () => mails.sendNow(connection, never),
			/** Another account signs in or out. */
			otherAccount: () => accountsChanged.fire(),
			/** Its works never go on, and its items are free. */
			kill(): void {
				isKilled = true;
				for (const [id, file] of files) {
					files.set(id, file.holder === me ? { ...file, holder: undefined } : file);
				}
			},
		};
	}

	return {
		clock,
		drafts,
		world,
		delivered,
		/** Bodies that were delivered. */
		bodies: () => delivered.map((source) => source.slice(source.indexOf('\n\n') + 2).trim()),
		openWindow,
		setOutcome: (next: typeof outcome) => (outcome = next),
		write: (about: MailDraftSubject, text: string) =>
			drafts.keep(about, {
				text: `To: ~alice/devel@lists.forge.test\nCc: \nSubject: Re: it\n\n${text}\n`,
				atMs: clock.nowMs(),
			}),
		textOf: (about: MailDraftSubject) => drafts.draft(about)?.text.split('\n\n')[1]?.trim(),
	};
}

type Window = ReturnType<ReturnType<typeof situation>['openWindow']>;

const works = async (deliver: () => void): Promise<MailSent> => {
	deliver();
	return { kind: 'sent' };
};

suite('mails in the outbox', () => {
	setup(resetStub);

	test('a message waits while the mail server is away, and goes out once', async () => {
		const { openWindow, write, setOutcome, delivered, bodies, textOf } = situation();
		const window = openWindow();
		const about = window.about(31);
		await write(about, 'Yes.');
		await window.send(31);
		assert.equal(
			stubbed.shown.at(-1),
			"The email server can't be reached. The outbox sends 1 message once it can be reached.",
		);
		const [row] = window.mails.rows(window.connection, undefined);
		assert.deepEqual(
			[row?.item.label, row?.item.description],
			['Re: it', '~alice/devel · waiting for the email server · 0m'],
		);
		await window.drain();
		assert.deepEqual([delivered.length, window.queue.items().length, textOf(about)], [0, 1, 'Yes.']);
		setOutcome(works);
		await window.drain();
		await window.drain();
		assert.deepEqual([bodies(), window.queue.items(), textOf(about)], [['Yes.'], [], undefined]);
	});

	test('a review waits as a whole, and loses its drafts only when it is sent', async () => {
		const { openWindow, setOutcome, delivered, drafts } = situation();
		const window = openWindow();
		const of = { connectionKey: window.connection.key, ref: { list, id: 2 } };
		for (const [id, mail] of [
			['a', '<m21@forge.test>'],
			['b', '<m22@forge.test>'],
		] as const) {
			const comment = { kind: 'comment', id, place: { kind: 'mail', messageId: mail } } as const;
			await drafts.keep(reviewSubject(of, comment), { text: `Comment ${id}`, atMs: 1 });
		}
		let sent = 0;
		setOutcome(async (deliver) => {
			sent += 1;
			return sent === 1 ? works(deliver) : away;
		});
		await window.sendReview();
		assert.deepEqual([delivered.length, window.queue.items().length], [1, 1]);
		assert.match(stubbed.shown.at(-1) ?? '', /The outbox sends 1 message once/);
		setOutcome(works);
		await window.drain();
		assert.deepEqual([delivered.length, window.queue.items()], [2, []]);
		const left = drafts.all().filter(({ about }) => about.kind === 'review');
		assert.deepEqual(left, []);
	});

	test('changed text is asked about, not sent', async () => {
		const { openWindow, write, setOutcome, delivered, textOf } = situation();
		const window = openWindow();
		const about = window.about(31);
		await write(about, 'Yes.');
		await window.send(31);
		await write(about, 'No.');
		setOutcome(works);
		await window.drain();
		assert.deepEqual([delivered, textOf(about)], [[], 'No.']);
		assert.equal(
			stubbed.shown.at(-1),
			'Re: it stays in the outbox. Its draft has changed since you sent it. Check it, then send it again.',
		);
		await window.send(31);
		assert.deepEqual([delivered.length, window.queue.items(), textOf(about)], [1, [], undefined]);
	});

	test('a message in doubt is looked for, and never sent again unasked', async () => {
		const { openWindow, write, setOutcome, delivered, clock, world } = situation();
		const window = openWindow();
		await write(window.about(31), 'Yes.');
		await window.send(31);
		setOutcome(async (deliver) => {
			deliver();
			world.mails.pop();
			return { kind: 'unsure', complaint: 'Connection closed' };
		});
		await window.drain();
		setOutcome(works);
		await window.drain();
		const [early] = window.queue.items();
		assert.deepEqual([delivered.length, early?.progress.kind], [1, 'underWay']);
		clock.advance(6 * 60_000);
		await window.drain();
		await window.drain();
		const [late] = window.queue.items();
		assert.deepEqual([delivered.length, late?.progress.kind], [1, 'unsure']);
	});

	test('a refusal and a question of git stop the message, with the reason', async () => {
		const { openWindow, write, setOutcome, delivered, textOf } = situation();
		const window = openWindow();
		await write(window.about(31), 'Yes.');
		await window.send(31);
		setOutcome(async () => ({ kind: 'notSent', trouble: 'refused', complaint: '5.7.1 No.' }));
		await window.drain();
		const [item] = window.queue.items();
		assert.deepEqual(item?.progress, { kind: 'refused', reason: 'The email server rejected the message: 5.7.1 No.' });
		setOutcome(works);
		await window.drain();
		assert.deepEqual([delivered, textOf(window.about(31))], [[], 'Yes.']);
	});

	test('a doubt of another window counts, and a message in doubt is not queued', async () => {
		const { openWindow, write, setOutcome, delivered, drafts } = situation();
		const window = openWindow();
		const about = window.about(31);
		await write(about, 'Yes.');
		await window.send(31);
		const [item] = window.queue.items();
		const unsure = { ...item?.plan[0], progress: { kind: 'unsure', complaint: '' } };
		await drafts.keep({ ...about, kind: 'mailSending' }, { text: JSON.stringify(unsure), atMs: 1 });
		setOutcome(works);
		await window.drain();
		assert.deepEqual([delivered, window.queue.items()[0]?.progress.kind], [[], 'unsure']);
		setOutcome(async () => away);
		await window.send(31, 'Send Again', 'Send');
		assert.deepEqual(window.queue.items(), []);
		assert.match(stubbed.shown.at(-1) ?? '', /can't be reached.*Your draft is kept\.$/);
	});

	test('a message on its way is not stopped by the sign-in of another account', async () => {
		const { openWindow, write, setOutcome, bodies } = situation();
		const window = openWindow();
		await write(window.about(31), 'Yes.');
		await window.send(31);
		setOutcome(async (deliver, signal) => {
			window.otherAccount();
			signal.throwIfAborted();
			return works(deliver);
		});
		await window.drain();
		assert.deepEqual([bodies(), window.queue.items()], [['Yes.'], []]);
	});

	test('no message is lost, doubled, reordered or sent unasked, in any order of work', async function () {
		this.timeout(0);
		const rounds = counts({ small: 60, full: 300, least: 10 });
		for (let round = 0; round < rounds; round += 1) {
			await randomDay(randomInts(seed() + round), `round ${round} of seed ${seed()}`);
		}
	});
});

/** Writes, sends, edits and withdraws messages in two windows, while the mail server comes and goes and windows die. */
async function randomDay(below: (limit: number) => number, place: string): Promise<void> {
	resetStub();
	const { openWindow, write, setOutcome, bodies, textOf, clock } = situation();
	let windows = [openWindow(), openWindow()] as const;
	const latest = new Map<number, string>();
	const confirmed = new Set<string>();
	const trace: string[] = [];
	let texts = 0;
	let isAway = true;
	let killIn = 0;

	setOutcome(async (deliver) => {
		if (isAway) {
			return away;
		}
		killIn -= 1;
		const isKilled = killIn === 0;
		if (isKilled && below(2) === 0) {
			return new Promise<never>(() => undefined);
		}
		deliver();
		return isKilled
			? new Promise<never>(() => undefined)
			: below(6) === 0
				? { kind: 'unsure', complaint: '' }
				: { kind: 'sent' };
	});

	/** Works of a killed window never end. */
	async function settled(work: Promise<unknown>): Promise<void> {
		const end = { isOver: false };
		void work.catch(() => undefined).finally(() => (end.isOver = true));
		for (let turn = 0; turn < 60 && !end.isOver; turn += 1) {
			await new Promise((resolve) => void setImmediate(resolve));
		}
		if (!end.isOver) {
			trace.push('killed');
			windows.forEach((window) => window.kill());
			windows = [openWindow(), openWindow()];
		}
	}

	async function writeMore(id: number): Promise<void> {
		const about = windows[0].about(id);
		texts += 1;
		const text = `${textOf(about) === undefined ? '' : `${latest.get(id)} `}t${texts}.`;
		await write(about, text);
		latest.set(id, text);
	}

	async function send(id: number, window: Window): Promise<void> {
		const text = textOf(window.about(id));
		if (text !== undefined) {
			confirmed.add(text);
			await settled(window.send(id));
		}
	}

	const acts: readonly ((id: number, window: Window) => unknown)[] = [
		writeMore,
		send,
		send,
		() => (isAway = !isAway),
		(_, window) => settled(window.drain()),
		(_, { queue }) => queue.hold(queue.items()[0]?.id ?? '')?.remove(),
		() => (killIn = 1 + below(2)),
	];
	for (let step = 0; step < 25; step += 1) {
		const window = windows[below(2)] ?? windows[0];
		const id = answeredIds[below(answeredIds.length)] ?? 31;
		const act = below(acts.length);
		trace.push(`${act} ${id}`);
		await acts[act]?.(id, window);
	}
	isAway = false;
	killIn = 0;
	const [last] = windows;
	const waiting = last.queue.items().filter(({ progress }) => progress.kind === 'waiting');
	const expected = waiting.filter(({ of }) => of.kind === 'draft').map(({ mails }) => bodyOf(mails[0]?.source ?? ''));
	const before = bodies().length;
	for (let turn = 0; turn < 3; turn += 1) {
		clock.advance(6 * 60_000);
		await settled(last.drain());
	}
	const all = bodies();
	const said = `${place}: ${trace.join(', ')}`;
	assert.equal(new Set(all).size, all.length, `${said}: doubled ${all.join(' | ')}`);
	for (const text of all) {
		assert.ok(confirmed.has(text), `${said}: sent unasked: ${text}`);
	}
	for (const [id, text] of latest) {
		assert.ok(all.includes(text) || textOf(last.about(id)) === text, `${said}: lost ${text}`);
	}
	const inOrder = all.slice(before).filter((text) => expected.includes(text));
	assert.deepEqual(
		inOrder,
		expected.filter((text) => inOrder.includes(text)),
		`${said}: reordered`,
	);
}

function bodyOf(source: string): string {
	return source.slice(source.indexOf('\n\n') + 2).trim();
}
