import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { Emitter } from '@forge-desk/base/event.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import type { TicketRef } from 'sourcehut/port/ticket.ts';
import type { TicketRequest } from 'sourcehut/port/ticketRequest.ts';
import { outboxInMemory, type MemoryFiles } from '../../../../../src/store/outbox/outboxInMemory.ts';
import type { OutboxFile } from '../../../../../src/store/outbox/sharedQueue.ts';
import type { QueueResult } from '../../../../../src/store/outbox/sending/outboxSender.ts';
import type { DraftDocuments } from '../../../../../src/features/tickets/drafts/draftDocuments.ts';
import type { CommandId } from '../../../../../src/commands/table.ts';
import type { DraftSubject } from '../../../../../src/store/drafts/drafts.ts';
import type { TicketsContext } from '../../../../../src/features/tickets/context/ticketsContext.ts';
import { fake } from '../../../../support/fake.ts';
import { fakeConnection, fakeConnections, type ForgeConnection } from '../../../../support/fakeConnection.ts';
import { fakeTrackers, type FakeTrackers } from '../../../../support/fakeForge.ts';
import { fakeDrafts, ticketsParts } from '../../../../support/fakeTicketsParts.ts';
import { makeTicket, makeTracker } from '../../../../support/makeTicket.ts';
import type { PageHost } from '../../../../../src/editor/pages/pageHost.ts';
import { resetStub, stubbed } from '../../../../support/vscodeValues.ts';

const { outboxFeature } = await import('../../../../../src/features/tickets/outbox/outboxFeature.ts');

const never = new AbortController().signal;
const tracker = { owner: '~alice', name: 'alpha' };
const ref: TicketRef = { tracker, id: 1 };

function isDecorating(value: unknown): value is { readonly provideFileDecoration: (uri: object) => unknown } {
	return typeof value === 'object' && value !== null && 'provideFileDecoration' in value;
}

suite('outbox commands', () => {
	let forge: FakeTrackers;
	let connection: ForgeConnection;
	let drafts: TicketsContext['drafts'];
	let opened: [DraftSubject, string | undefined][];
	let ended: Emitter<QueueResult>;
	let feature: ReturnType<typeof outboxFeature>;
	let files: MemoryFiles;
	let left: OutboxFile[];

	setup(async () => {
		resetStub();
		forge = fakeTrackers();
		forge.world.trackers.push(makeTracker());
		forge.world.tickets.set('~alice/alpha', [makeTicket({ id: 1 })]);
		ended = new Emitter<QueueResult>();
		files = new Map();
		const place = outboxInMemory(files);
		const bare = fakeConnection(forge.api, '~alice', undefined, undefined, undefined, place);
		connection = Object.defineProperty(bare, 'outboxSender', {
			value: {
				sendNow: async () => void stubbed.executed.push('sendNow'),
				onDidEnd: ended.event,
				dispose: () => undefined,
			},
		});
		await connection.tickets.renewTicket(ref, never);
		drafts = fakeDrafts();
		opened = [];
		const documents = fake<DraftDocuments>({
			async open(about: DraftSubject, text?: string) {
				opened.push([about, text]);
				return fake({});
			},
		});
		const context = { ...ticketsParts(fakeConnections(connection), fake<PageHost>({})), drafts };
		const mails = {
			rows: () => [],
			target: () => undefined,
			open: async () => undefined,
			send: async () => undefined,
			sendNow: async () => undefined,
		};
		left = [];
		feature = outboxFeature(context, documents, mails, () => left);
		forge.world.before = () => {
			throw new ForgeError({ kind: 'unreachable', reason: 'offline', host: 'todo.forge.test' }, { isUnsent: true });
		};
	});
	teardown(() => feature.dispose());

	async function queue(wish: TicketRequest): Promise<object> {
		assert.equal((await connection.writes.write(ref, wish, never)).kind, 'queued');
		const id = connection.outbox.items().at(-1)?.id;
		return { kind: 'queued', connectionKey: connection.key, id };
	}

	const run = async (command: CommandId, subject: unknown, selected: readonly unknown[] = []): Promise<unknown> =>
		feature.commands[command]?.(subject, never, selected);
	const labels = async (): Promise<readonly string[]> =>
		(await feature.tree.roots(never)).map(
			({ item }) => `${JSON.stringify(item.label)} | ${JSON.stringify(item.description)}`,
		);

	test('a row names the change, its ticket and the reason of its wait', async () => {
		await queue({ comment: 'Works for me\nmore', move: { kind: 'resolve', resolution: 'fixed' } });
		await queue({ labels: { add: ['bug', '$(trash)\u202e'], remove: ['old'] } });
		const [first = '', second = ''] = await labels();
		assert.match(first, /^"Comment: Works for me · Resolve: fixed" \| "~alice\/alpha#1 · waiting for the forge · /);
		assert.doesNotMatch(second, /\$\(trash\)|\u202e/);
	});

	test('the row of a ticket has a mark while a change waits', async () => {
		const provider = stubbed.decorations.at(-1);
		assert.ok(isDecorating(provider));
		const row = { scheme: 'forge-ticket', authority: connection.key, path: '/~alice/alpha#1' };
		assert.equal(provider.provideFileDecoration(row), undefined);
		await queue({ comment: 'Works for me' });
		assert.ok(provider.provideFileDecoration(row));
		assert.equal(provider.provideFileDecoration({ ...row, path: '/~alice/alpha#2' }), undefined);
		assert.equal(provider.provideFileDecoration({ ...row, scheme: 'file' }), undefined);
	});

	test('the view appears with the first change and disappears after the last', async () => {
		const active = (): unknown => stubbed.contexts.get('forge.outbox.active');
		assert.equal(active(), false);
		const subject = await queue({ comment: 'Works for me' });
		assert.equal(active(), true);
		stubbed.answers.push('Withdraw');
		await run('forge.outbox.withdraw', subject);
		assert.equal(active(), false);
	});

	test('editing takes a comment back into a draft and opens its ticket', async () => {
		const subject = await queue({ comment: 'Works for me' });
		await run('forge.outbox.edit', subject);
		const about = { kind: 'comment', connectionKey: connection.key, ref } as const;
		assert.equal(drafts.draft(about)?.text, 'Works for me');
		assert.deepEqual(connection.outbox.items(), []);
		assert.equal(stubbed.executed.at(-1), 'forge.tickets.comment');
		assert.deepEqual(stubbed.passed.at(-1), { kind: 'ticket', connectionKey: connection.key, ref });
	});

	test('a disk that refuses the draft leaves the change in the outbox, unsent', async () => {
		const subject = await queue({ comment: 'Works for me' });
		Object.assign(drafts, { keepBeside: () => Promise.reject(new Error('no space left')) });
		await assert.rejects(async () => run('forge.outbox.edit', subject), /no space left/);
		assert.deepEqual(
			connection.outbox.items().map(({ progress }) => progress.kind),
			['edited'],
		);
	});

	test('a new ticket comes back as a document', async () => {
		const draft = { name: 'd1', text: 'Title\n\nText' };
		const submission = { tracker, ticket: { title: 'Title', description: 'Text' }, draft, looking: never };
		assert.equal((await connection.writes.submit(submission, never)).kind, 'queued');
		const id = connection.outbox.items().at(-1)?.id;
		await run('forge.outbox.edit', { kind: 'queued', connectionKey: connection.key, id });
		assert.deepEqual(opened, [
			[{ kind: 'newTicket', connectionKey: connection.key, tracker, name: 'd1' }, 'Title\n\nText'],
		]);
		assert.deepEqual(connection.outbox.items(), []);
	});

	test('a damaged file has a row beside the whole items, which can be revealed and removed', async () => {
		await queue({ comment: 'Works for me' });
		files.set('torn', { order: 9, text: '{"write":{"kind":"ticket"', holder: undefined });
		await queue({ comment: 'Next' });
		const rows = await feature.tree.roots(never);
		assert.equal(rows.length, 3);
		const [damaged] = rows.filter(({ item }) => item.contextValue === 'forge.outboxFile');
		assert.deepEqual([damaged?.item.label, damaged?.item.description], ['torn', 'damaged, or of a newer version']);
		assert.equal(stubbed.contexts.get('forge.outbox.active'), true);
		await run('forge.outbox.reveal', damaged?.subject);
		assert.equal(stubbed.executed.at(-1), 'revealFileInOS');
		await assert.rejects(run('forge.outbox.remove', { kind: 'outboxFile', path: '/etc/passwd' }));
		stubbed.answers.push('Remove');
		await run('forge.outbox.remove', damaged?.subject);
		assert.deepEqual(stubbed.deleted, ['torn']);
	});

	test('items of accounts that are not signed in have rows with their titles', async () => {
		const subject = await queue({ comment: 'Works for me' });
		const [text = ''] = Array.from(files.values(), (file) => file.text);
		assert.ok(subject);
		const mails = {
			of: { kind: 'series', id: 's' },
			list: tracker,
			kind: 'patches',
			plan: [],
			confirmed: '',
			queuedMs: 1,
		};
		const mail = {
			messageId: 'a@b',
			subject: '[PATCH] x\u202e',
			source: '',
			encoding: '7bit',
			from: 'a@b',
			to: [],
			cc: [],
		};
		const queuedMails = JSON.stringify({ ...mails, mails: [mail], progress: { kind: 'waiting' } });
		left.push(
			{ id: 'a', order: 1, text, path: '/o/x/000001.a.json', isHeld: false },
			{ id: 'm', order: 1, text: queuedMails, path: '/o/x/mails/000001.m.json', isHeld: false },
			{ id: 'f', order: 0, text: undefined, path: '/o/x/000002.f.json', isHeld: false },
		);
		const shown = (await labels()).slice(1);
		const waiting = 'not sent: its account is not signed in';
		assert.deepEqual(shown, [
			`"Comment: Works for me" | "${waiting}"`,
			`"[PATCH] x⟨U+202E⟩" | "${waiting}"`,
			'"000002.f.json" | "damaged, or of a newer version"',
		]);
	});

	test('withdrawing asks first, once for a selection', async () => {
		const subjects = [await queue({ comment: 'One' }), await queue({ comment: 'Two' })];
		await assert.rejects(async () => run('forge.outbox.withdraw', subjects[0], subjects));
		assert.equal(connection.outbox.items().length, 2);
		stubbed.answers.push('Withdraw');
		await run('forge.outbox.withdraw', subjects[0], subjects);
		assert.deepEqual(connection.outbox.items(), []);
	});

	test('a conflict asks, and Send Anyway takes the new status as seen', async () => {
		const subject = await queue({ move: { kind: 'resolve', resolution: 'fixed' } });
		const item = connection.outbox.items()[0];
		assert.ok(item);
		const now = { status: 'resolved', resolution: 'by_design' } as const;
		const held = connection.outbox.hold(item.id);
		await held?.change({ progress: { kind: 'conflict', now } });
		held?.release();
		const [stopped] = connection.outbox.items();
		assert.ok(stopped);
		ended.fire({ kind: 'stopped', item: stopped });
		assert.match(
			String(stubbed.shown.at(-1)),
			/was not sent, because someone else set the status to "Resolved: by design"/,
		);
		await run('forge.outbox.sendAnyway', subject);
		const [waiting] = connection.outbox.items();
		assert.deepEqual([waiting?.progress.kind, waiting?.basis], ['waiting', now]);
		assert.equal(stubbed.executed.at(-1), 'sendNow');
	});

	test('a change without a response asks before it is edited, and is looked up before it is sent anyway', async () => {
		const subject = await queue({ comment: 'Works for me' });
		const held = connection.outbox.hold(connection.outbox.items()[0]?.id ?? '');
		await held?.change({ progress: { kind: 'sent', sentMs: 1 } });
		held?.release();
		await assert.rejects(async () => run('forge.outbox.edit', subject));
		assert.match(stubbed.details.at(-1) ?? '', /may have arrived already/);
		await run('forge.outbox.sendAnyway', subject);
		assert.deepEqual(
			connection.outbox.items().map(({ progress }) => progress.kind),
			['sent'],
		);
	});

	test('a change that is being sent cannot be edited', async () => {
		const subject = await queue({ comment: 'Works for me' });
		connection.outbox.hold(connection.outbox.items()[0]?.id ?? '');
		await assert.rejects(async () => run('forge.outbox.edit', subject));
		assert.equal(connection.outbox.items().length, 1);
	});
});
