import assert from 'node:assert/strict';
import type { Forge, ListApi } from 'sourcehut/port/forge.ts';
import type { Email, Patchset, ShortEmail } from 'sourcehut/port/list.ts';
import { Emitter } from '@forge-desk/base/event.ts';
import { formedPatchsetId } from 'patchmail/series/listedPatchset.ts';
import type { DraftPlace } from 'patchmail/review/reviewDraft.ts';
import type { Connection } from '../../../src/store/connection.ts';
import { followNumbers } from '../../../src/store/followNumbers.ts';
import { openInbox } from '../../../src/store/inbox/inbox.ts';
import { watchedName } from '../../../src/store/inbox/watched.ts';
import { keepComment, reviewDraft, reviewSubject } from '../../../src/store/drafts/reviewDrafts.ts';
import type { Drafts } from '../../../src/store/drafts/drafts.ts';
import { ListStore } from '../../../src/store/lists/listStore.ts';
import { snoozes } from '../../../src/store/lists/patchsets/snoozes.ts';
import { mailOutbox } from '../../../src/store/outbox/mailOutbox.ts';
import { outboxInMemory } from '../../../src/store/outbox/outboxInMemory.ts';
import { viewedMarks } from '../../../src/store/readMarks/viewedMarks.ts';
import { textInMemory, type KeptText } from '../../../src/store/shared/keptText.ts';
import { wanted } from '../../support/contractForge.ts';
import { eventually } from '../../support/eventually.ts';
import { eagerClock } from '../../support/eagerClock.ts';
import { keptNames } from '../../support/fakeConnection.ts';
import { fakeDrafts } from '../../support/fakeTicketsParts.ts';
import { journalInMemory } from '../../support/journalInMemory.ts';
import { listsInProcess } from '../../support/listsInProcess.ts';
import { mailStores } from '../../support/mailStores.ts';
import { standFor } from '../../support/standFor.ts';

/*
 * A patchset of which a part arrived gets another number when the rest arrives. All that the user has of it must follow.
 */

const startMs = Date.UTC(2026, 2, 2, 10);
const ref = { owner: '~alice', name: 'devel' } as const;
const account = 'sample-alice';

const diff = (name: string): string =>
	`Why.\n---\n ${name} | 2 +-\n\ndiff --git a/${name} b/${name}\n--- a/${name}\n+++ b/${name}\n@@ -1 +1 @@\n-one\n+two\n-- \n2.43.0\n`;

/** Mail `at` of the list, in reply to mail `to`. */
function raw(at: number, subject: string, to?: number, from = 'Ann Author <ann@a.example>'): Uint8Array {
	const text = /\b0\/\d/.test(subject) ? 'All of it.\n' : diff(`f${at}.c`);
	const above = to === undefined ? '' : `In-Reply-To: <m${to}@made.example>\nReferences: <m${to}@made.example>\n`;
	const date = new Date(startMs + at * 60_000).toUTCString();
	const head = `From: ${from}\nTo: devel@lists.example\nSubject: ${subject}\nDate: ${date}\nMessage-ID: <m${at}@made.example>\n${above}`;
	return Buffer.from(`${head}\n${text}`);
}

/** A list service, and windows of one account over it. `doesState`: it states the patchset of a mail, as GraphQL does. */
function service(doesState: boolean) {
	const { store, alice, lists: api } = listsInProcess(startMs + 3_600_000);
	const list = store.addList(alice, 'devel', null, startMs);
	const bare = <T extends Email | ShortEmail>(mail: T): T => (doesState ? mail : { ...mail, patchsetId: undefined });
	const named = (patchset: Patchset): Patchset => {
		const last = list.patchsets.find(({ id }) => id === patchset.id)?.patches.at(-1);
		return doesState ? patchset : { ...patchset, messageId: last?.messageId };
	};
	const served: ListApi = {
		...api,
		patchset: async (of, signal) => named(await api.patchset(of, signal)),
		async *patchsets(of, signal) {
			for await (const page of api.patchsets(of, signal)) {
				yield { ...page, items: page.items.map(named) };
			}
		},
		thread: async (id, signal) => (await api.thread(id, signal)).map(bare),
		email: async (id, signal) => bare(await api.email(id, signal)),
	};
	const [drafts, kept] = [fakeDrafts(), new Map<string, KeptText>()];
	const textOf = (name: string): KeptText => {
		const text = kept.get(name) ?? textInMemory();
		kept.set(name, text);
		return text;
	};
	const queued = new Map();
	return {
		drafts,
		receive: (at: number, subject: string, to?: number, from?: string): number =>
			store.receive(list, raw(at, subject, to, from), startMs + at * 60_000)?.email.id ?? 0,
		window(files: Drafts = drafts) {
			const clock = eagerClock();
			const lists = new ListStore({ journal: journalInMemory(), api: served, me: '~alice', followed: keptNames() });
			const { reviews } = mailStores({ lists, forge: standFor<Forge>({ lists: served }), links: textOf('links') });
			const connection = {
				key: account,
				lists,
				reviews,
				snoozes: snoozes(textOf('snoozes'), clock),
				viewed: viewedMarks(textOf('viewed')),
				inbox: openInbox(textOf('inbox'), new Emitter<void>().event, clock),
				mailOutbox: mailOutbox(outboxInMemory(queued)),
			};
			const following = followNumbers(standFor<Connection>(connection), files, clock, (error) =>
				assert.fail(String(error)),
			);
			return {
				...connection,
				/** Reads the list and the thread that starts with a mail, as after a poll. */
				async read(first: number): Promise<readonly number[]> {
					lists.forget(ref);
					await lists.posts(ref).first(wanted());
					await lists.thread(ref, first, wanted());
					await lists.patchsets(ref).first(wanted());
					return lists.knownPatchsets(ref).map(({ id }) => id);
				},
				dispose() {
					[
						following,
						lists,
						connection.snoozes,
						connection.viewed,
						connection.inbox,
						connection.mailOutbox,
						reviews,
					].forEach((each) => each.dispose());
				},
			};
		},
	};
}

type Window = ReturnType<ReturnType<typeof service>['window']>;

const place: DraftPlace = {
	kind: 'lines',
	messageId: '<m1@made.example>',
	file: 0,
	side: 'new',
	firstLine: 1,
	line: 1,
};

/** What the user has of a patchset. */
async function begin({ snoozes, viewed, inbox, mailOutbox, reviews }: Window, drafts: Drafts, id: number, beside = 0) {
	const of = { connectionKey: account, ref: { list: ref, id } };
	await keepComment(drafts, of, { id: 'c1', place, text: 'Why two?' }, 5);
	await drafts.keep(reviewSubject(of, { kind: 'trailer', messageId: place.messageId }), { text: 'Acked-by', atMs: 6 });
	await drafts.keep(reviewSubject(of, { kind: 'mail', messageId: place.messageId }), {
		text: 'To: x\n\nEdited.',
		atMs: 7,
	});
	await viewed.mark(of.ref, ['file one'], true);
	await snoozes.put([{ ref: of.ref, snooze: { version: 1, untilMs: startMs * 2 } }]);
	inbox.choose(watchedName({ kind: 'patchset', ref: of.ref }), 'nothing');
	await reviews.linkVersions(of.ref, { list: ref, id: beside });
	await mailOutbox.add('q1', {
		of: { kind: 'review', ref: of.ref },
		list: ref,
		kind: 'prose',
		mails: [],
		plan: [],
		confirmed: 'as now',
		queuedMs: startMs,
		progress: { kind: 'waiting' },
	});
}

async function heldBy({ snoozes, viewed, inbox, mailOutbox, reviews }: Window, drafts: Drafts, id: number, beside = 0) {
	const of = { connectionKey: account, ref: { list: ref, id } };
	const { comments, trailers, edits } = reviewDraft(drafts, of);
	await reviews.read({ list: ref, id }, wanted());
	return {
		comments: comments.map(({ text }) => text),
		trailers: [...trailers.values()],
		edits: Array.from(edits.values(), ({ text }) => text),
		viewed: [viewed.isBegun(of.ref), viewed.has('file one')],
		snoozed: snoozes.of(of.ref, 1)?.version,
		watching: inbox.choice(watchedName({ kind: 'patchset', ref: of.ref }).toLowerCase()),
		queued: mailOutbox.of({ kind: 'review', ref: of.ref })?.confirmed,
		linked: reviews.known(of.ref)?.versions.some(({ patchset }) => patchset.id === beside),
	};
}

const all: Awaited<ReturnType<typeof heldBy>> = {
	comments: ['Why two?'],
	trailers: ['Acked-by'],
	edits: ['To: x\n\nEdited.'],
	viewed: [true, true],
	snoozed: 1,
	watching: 'nothing',
	queued: 'as now',
	linked: true,
};

for (const doesState of [true, false]) {
	suite(`a patchset of which a part arrived, ${doesState ? 'with' : 'without'} patchsets of mails`, () => {
		test('keeps all of the user when the server numbers it', async () => {
			const forge = service(doesState);
			const other = forge.receive(50, '[PATCH] another one', undefined, 'Bob <bob@b.example>');
			const first = forge.receive(1, '[PATCH 1/3] a');
			forge.receive(3, '[PATCH 3/3] c', 1);
			const window = forge.window();
			await window.read(other);
			const [formed = 0, beside = 0] = (await window.read(first)).toSorted((a, b) => b - a);
			assert.equal(formed, formedPatchsetId(first));
			await begin(window, forge.drafts, formed, beside);
			forge.receive(2, '[PATCH 2/3] b', 1);
			const now = await window.read(first);
			const number = now.find((id) => id !== beside) ?? 0;
			assert.ok(number < formed, 'the server numbers it');
			assert.equal(now.length, 2);
			assert.equal((await window.lists.patchset({ list: ref, id: formed }, wanted())).id, number);
			assert.equal((await window.reviews.read({ list: ref, id: formed }, wanted())).ref.id, number);
			await eventually(() => heldBy(window, forge.drafts, number, beside), all);
			assert.deepEqual(
				forge.drafts.all().filter(({ about }) => about.kind === 'review' && about.ref.id === formed),
				[],
			);
			window.dispose();
		});

		test('keeps it in a new window, which never saw the former number', async () => {
			const forge = service(doesState);
			const other = forge.receive(50, '[PATCH] another one', undefined, 'Bob <bob@b.example>');
			const first = forge.receive(1, '[PATCH 1/2] a');
			const before = forge.window();
			await before.read(other);
			const [formed = 0, beside = 0] = (await before.read(first)).toSorted((a, b) => b - a);
			await begin(before, forge.drafts, formed, beside);
			before.dispose();
			forge.receive(2, '[PATCH 2/2] b', 1);
			const after = forge.window();
			// As from the list of drafts.
			const { id: number } = await after.lists.patchset({ list: ref, id: formed }, wanted());
			assert.ok(number < formed);
			await eventually(() => heldBy(after, forge.drafts, number, beside), all);
			after.dispose();
		});

		test('stays a row until the server has numbered it', async () => {
			const forge = service(doesState);
			const first = forge.receive(1, '[PATCH 1/2] a');
			const window = forge.window();
			await window.read(first);
			const formed = formedPatchsetId(first);
			forge.receive(2, '[PATCH 2/2] b', 1);
			window.lists.forgetThread(ref, first);
			await window.lists.thread(ref, first, wanted());
			if (!doesState) {
				assert.deepEqual(
					window.lists.knownPatchsets(ref).map(({ id, formed: facts }) => [id, facts?.isComplete]),
					[[formed, true]],
				);
			}
			assert.notEqual((await window.read(first))[0], formed);
			window.dispose();
		});
	});
}

suite('a formed patchset', () => {
	test('keeps all of the user when an earlier patch comes again', async () => {
		const forge = service(true);
		const other = forge.receive(50, '[PATCH] another one', undefined, 'Bob <bob@b.example>');
		const first = forge.receive(1, '[PATCH 1/3] a');
		const third = forge.receive(3, '[PATCH 3/3] c', 1);
		const window = forge.window();
		await window.read(other);
		const [formed = 0, beside = 0] = (await window.read(first)).toSorted((a, b) => b - a);
		await begin(window, forge.drafts, formed, beside);
		forge.receive(5, '[PATCH 1/3] a', 1);
		const number = formedPatchsetId(third);
		assert.ok((await window.read(first)).includes(number));
		await eventually(() => heldBy(window, forge.drafts, number, beside), all);
		window.dispose();
	});

	test('can be read when all of it came again', async () => {
		const forge = service(true);
		const first = forge.receive(1, '[PATCH v2 1/3] a');
		const window = forge.window();
		const [formed = 0] = await window.read(first);
		assert.equal(formed, formedPatchsetId(first));
		const again = forge.receive(5, '[PATCH v2 1/3] a', 1);
		forge.receive(6, '[PATCH v2 2/3] b', 5);
		forge.receive(7, '[PATCH v2 3/3] c', 5);
		await window.read(first);
		const { series } = await window.reviews.read({ list: ref, id: formed }, wanted());
		assert.ok([first, again].includes(series.patches[0]?.mail.id ?? 0));
		window.dispose();
	});

	test('keeps the newer one of two texts, and the older beside it', async () => {
		const forge = service(true);
		const first = forge.receive(1, '[PATCH 1/2] a');
		const window = forge.window();
		const [formed = 0] = await window.read(first);
		const at = (id: number) =>
			reviewSubject({ connectionKey: account, ref: { list: ref, id } }, { kind: 'comment', id: 'c', place });
		await forge.drafts.keep(at(formed), { text: 'Older', atMs: 5 });
		forge.receive(2, '[PATCH 2/2] b', 1);
		await forge.drafts.keep(at(1), { text: 'Newer', atMs: 9 });
		assert.deepEqual(await window.read(first), [1]);
		const texts = async () =>
			forge.drafts.all().map(({ about, draft }) => [about.kind === 'review' && about.ref.id, draft.text]);
		await eventually(texts, [
			[1, 'Newer'],
			[1, 'Older'],
		]);
		window.dispose();
	});
});
