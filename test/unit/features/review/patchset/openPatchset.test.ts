import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import type * as vscode from 'vscode';
import { Emitter } from '@forge-desk/base/event.ts';
import { Disposables } from '@forge-desk/base/lifecycle.ts';
import type { PageContent, PageHost, PageLink } from '../../../../../src/editor/pages/pageHost.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import { fileIdentity } from 'patchmail/patch/fileIdentity.ts';
import { answer, type Protocol } from '../../../../../src/pages/protocol/pageProtocol.ts';
import type { PatchsetProtocol } from '../../../../../src/pages/protocol/patchsetProtocol.ts';
import type { ReviewPart } from 'patchmail/review/reviewDraft.ts';
import type { Connection } from '../../../../../src/store/connection.ts';
import type { Drafts } from '../../../../../src/store/drafts/drafts.ts';
import { keptMails } from '../../../../../src/store/lists/keptMails.ts';
import { eagerClock } from '../../../../support/eagerClock.ts';
import { fakeConnections, type FakeConnections } from '../../../../support/fakeConnection.ts';
import { listConnection } from '../../../../support/fakeLists.ts';
import { listsParts } from '../../../../support/fakeListsParts.ts';
import { quietProblems } from '../../../../support/fakeTicketsParts.ts';
import { makeUser } from '../../../../support/makeTicket.ts';
import { patchsetWorld, replyMail, type PatchsetWorld } from '../../../../support/patchsetWorld.ts';
import { standFor } from '../../../../support/standFor.ts';
import { textsInMemory } from '../../../../support/textsInMemory.ts';
import { resetStub, stubbed } from '../../../../support/vscodeValues.ts';

const editor = await import('vscode');
const { patchsetPage, patchsetPages } = await import('../../../../../src/features/review/patchset/patchsetFeature.ts');

interface Opened {
	readonly fake: PatchsetWorld;
	readonly connections: FakeConnections;
	readonly connection: Connection;
	readonly drafts: Drafts;
	/** Serialized messages to the page. */
	readonly told: string[];
	/** Errors shown as notifications. */
	readonly shown: unknown[];
	readonly isClosed: () => boolean;
	/** Closes the page as the user does. */
	readonly close: () => void;
	readonly ask: (name: string, value?: unknown) => Promise<unknown>;
	/** Waits for all pending work. */
	readonly rest: () => Promise<void>;
}

async function opened(
	change: (connection: Connection) => Connection = (connection) => connection,
	fake = patchsetWorld(),
	clock = eagerClock(),
): Promise<Opened> {
	const connection = change(listConnection(fake.api));
	const connections = fakeConnections(connection);
	const told: string[] = [];
	const shown: unknown[] = [];
	const problems = { ...quietProblems, show: async (error: unknown) => void shown.push(error) };
	let isClosed = false;
	const closing = new AbortController();
	const link: PageLink<PatchsetProtocol> = {
		tell: (name, value) => void told.push(JSON.stringify([name, value])),
		setTitle: () => undefined,
		mark: () => undefined,
		become: () => undefined,
		close: () => {
			isClosed = true;
		},
		signal: closing.signal,
		owned: new Disposables(),
		isWatched: () => true,
		isVisible: () => true,
		entry: undefined,
		onDidWant: new Emitter<number>().event,
		onDidChangeWatched: new Emitter<void>().event,
		onDidShow: new Emitter<void>().event,
	};
	const parts = { ...listsParts(connections), problems, clock };
	const subject = { kind: 'patchset', connectionKey: connection.key, ref: fake.ref } as const;
	const { handlers } = patchsetPage(parts, subject, new AbortController().signal).connect(link);
	const rest = async (): Promise<void> => {
		for (let at = 0; at < 200; at += 1) {
			await turn();
		}
	};
	const ask = (name: string, value?: unknown): Promise<unknown> =>
		answer(handlers, { kind: 'ask', id: 1, name, value }, String);
	await ask('load');
	await rest();
	return {
		fake,
		connections,
		connection,
		drafts: parts.drafts,
		told,
		shown,
		isClosed: () => isClosed,
		close: () => closing.abort(),
		ask,
		rest,
	};
}

suite('a restored patchset page', () => {
	setup(resetStub);

	test('loads its patchset, or closes without a valid subject', async () => {
		const { ref, api } = patchsetWorld();
		const connections = fakeConnections(listConnection(api));
		const restored: unknown[] = [];
		const area = patchsetPages({
			...listsParts(connections),
			pages: standFor<PageHost>({
				restore: (kept: unknown, { subject: of }: PageContent<Protocol>) => restored.push([kept, of]),
			}),
		});
		const panel = (): vscode.WebviewPanel =>
			editor.window.createWebviewPanel('forge.patchset', '', editor.ViewColumn.Active);
		const subject = { kind: 'patchset', connectionKey: 'sample-alice', ref } as const;
		const [useless, useful] = [panel(), panel()];
		await area.restorePage(useless, { subject: { ...subject, ref: { list: ref.list } } });
		await area.restorePage(useful, { subject });
		assert.deepEqual(
			stubbed.panels.map(({ isDisposed }) => isDisposed),
			[true, false],
		);
		assert.deepEqual(restored, [[useful, subject]]);
		area.dispose();
	});
});

suite('an open patchset page', () => {
	test('updates the summary of its unsent review, and ignores other reviews', async () => {
		const { fake, connection, drafts, told, rest } = await opened();
		const keep = async (part: ReviewPart, text: string, id = fake.ref.id): Promise<string | undefined> => {
			const before = told.length;
			const about = { kind: 'review', connectionKey: connection.key, ref: { ...fake.ref, id }, part } as const;
			await drafts.keep(about, { text, atMs: 1 });
			await rest();
			return told.slice(before).join('\n');
		};
		const place = { kind: 'mail', messageId: '<m2@forge.test>' } as const;
		assert.equal(await keep({ kind: 'comment', id: 'a', place }, 'One.', 9_999), '');
		assert.equal(
			await keep({ kind: 'comment', id: 'a', place }, 'One.'),
			'["changed",{"review":"Your review is not sent: 1 draft comment."}]',
		);
		assert.equal(await keep({ kind: 'comment', id: 'a', place }, 'One, and more.'), '');
		await keep({ kind: 'trailer', messageId: '<m2@forge.test>' }, 'Reviewed-by');
		assert.match(
			(await keep({ kind: 'status' }, 'needs_revision')) ?? '',
			/not sent: 1 draft comment, 1 draft trailer, draft status: Needs revision\./,
		);
		await keep({ kind: 'comment', id: 'a', place }, '');
		await keep({ kind: 'trailer', messageId: '<m2@forge.test>' }, '');
		assert.equal(await keep({ kind: 'status' }, ''), '["changed",{"review":""}]');
	});

	test('marks its patchset, its thread and the messages of the conversation as read', async () => {
		const fake = patchsetWorld();
		const { list, id } = fake.ref;
		const { connection, rest } = await opened((made) => {
			made.patchsetReadMarks.see(list, () => []);
			made.threadReadMarks.see(list, () => []);
			return made;
		}, fake);
		const threadId = connection.reviews.known(fake.ref)?.threadId;
		assert.ok(threadId !== undefined);
		const things = [connection.patchsetReadMarks, connection.threadReadMarks].map((looks, at) =>
			[at === 0 ? id : threadId, 9_999].map((each) => looks.mark({ list, id: each, updatedMs: 0, isOwn: false })),
		);
		assert.deepEqual(things, [
			[undefined, 'new'],
			[undefined, 'new'],
		]);
		assert.equal(connection.threadReadMarks.lastSeenEventId({ list, id: threadId }), 30);
		const again = { list, id, updatedMs: 0, isOwn: false };
		connection.patchsetReadMarks.markUnread(again);
		await rest();
		assert.equal(connection.patchsetReadMarks.mark(again), 'changed', 'what was marked by hand stays marked');
	});

	test('marks the earlier version that the user replied to, and passes it to the comparison', async () => {
		const { world, ...others } = patchsetWorld();
		const answer = { ...replyMail(41, 10, '> +\treturn found;\n\nMay be NULL.\n'), threadId: 10 };
		world.mails.push({ ...answer, sender: makeUser('alice') });
		const { told, ask } = await opened(undefined, { world, ...others });
		const last = told.findLast((each) => each.includes('"isReviewed":true')) ?? '';
		assert.deepEqual(
			Array.from(last.matchAll(/"id":(\d),"version":"v\d"[^}]*"isReviewed":(\w+)/g), ([, id, is]) => [id, is]),
			[
				['1', 'true'],
				['2', 'false'],
				['3', 'false'],
			],
		);
		await ask('compareVersion', 1);
		await ask('openVersionChanges', 1);
		assert.deepEqual(stubbed.executed.slice(-2), [
			'forge.patchsets.compareVersions',
			'forge.patchsets.openVersionChanges',
		]);
		assert.deepEqual(
			stubbed.passed.slice(-2).map((each) => JSON.stringify(each)?.includes('"otherVersion":1')),
			[true, true],
		);
	});

	test('updates the viewed counts of the series and of each patch', async () => {
		const { told, connection, fake, rest, ask } = await opened();
		const { patches } = connection.reviews.known(fake.ref)?.series ?? assert.fail();
		const { patch } = patches[1] ?? assert.fail();
		const [file] = patch.diff.files;
		assert.ok(file);
		told.length = 0;
		await connection.viewed.mark(fake.ref, [fileIdentity(patch.diffText, file)], true);
		await rest();
		assert.match(told.join('\n'), /"viewed":"1 of 7 viewed"/);
		assert.deepEqual(told.join('\n').match(/"viewed":\{[^}]*\}/g), ['"viewed":{"isAll":false,"text":"1 of 5 viewed"}']);
		await ask('toggleViewed', { mail: 22 });
		assert.equal(stubbed.executed.at(-1), 'forge.patchsets.toggleViewed');
	});

	test('shows the error of a rejected status', async () => {
		const { fake, shown, ask } = await opened();
		const refusal = new ForgeError({ kind: 'tokenRejected', area: 'lists' });
		fake.world.before = (call) => {
			if (/status/i.test(call)) {
				throw refusal;
			}
		};
		await ask('setStatus', 'approved');
		assert.deepEqual(shown, [refusal]);
	});

	test('shows trailers of earlier versions, and adds one when its reply arrives', async () => {
		const { world, ...others } = patchsetWorld();
		const answers = [41, 42].map((id) => {
			const name = `Frank ${id}`;
			const mail = replyMail(id, 10, `Acked-by: ${name} <f${id}@forge.test>\n`, `${name} <f${id}@forge.test>`);
			return { ...mail, threadId: 10 };
		});
		world.mails.push(answers[0]!);
		const { told, connection, rest } = await opened(undefined, { world, ...others });
		const peopleNow = (): readonly (string | undefined)[] =>
			Array.from(
				(told.findLast((each) => each.includes('"trailers"')) ?? '').matchAll(
					/"name":"(Frank \d+)"[^}]*},"given":\[{"key":"Acked-by","patches":"patch 1","standing":"given on v1, patch unchanged"/g,
				),
				([, name]) => name,
			);
		assert.deepEqual(peopleNow(), ['Frank 41']);
		world.mails.push(answers[1]!);
		connection.lists.apply({ kind: 'mailArrived', list: others.ref.list, mail: answers[1]! });
		await rest();
		assert.deepEqual(peopleNow(), ['Frank 41', 'Frank 42']);
	});

	test('shows stored data while the forge is unreachable, and its age once', async () => {
		const texts = textsInMemory();
		const disk = keptMails(texts, { ...eagerClock(), nowMs: () => eagerClock().nowMs() - 3 * 86_400_000 });
		const fake = patchsetWorld();
		const onDisk = (): Connection => listConnection(fake.api, undefined, undefined, undefined, disk);
		const before = onDisk();
		await before.lists.renewPatchset(fake.ref, new AbortController().signal);
		await before.reviews.read(fake.ref, new AbortController().signal);
		fake.world.before = () =>
			Promise.reject(new ForgeError({ kind: 'unreachable', reason: 'offline', host: 'lists.forge.test' }));
		const page = await opened(onDisk, fake);
		const told = page.told.join('\n');
		assert.ok(told.includes('"link":"same subject, prefix and sender"') && told.includes('"failures":[]'), told);
		assert.match(told, /"head":\{"value":\{.*"failure":"Offline – showing data from 3 days ago"/);
		assert.ok(told.includes('"patches":{'), told);
		texts.texts.delete('patchsets ~alice/devel');
		const withoutRows = (await opened(onDisk, fake)).told.join('\n');
		assert.ok(withoutRows.includes('"failures":["Other versions could not be searched for.'), withoutRows);
	});

	test('shows the stored head with its age until the forge responds', async () => {
		const disk = keptMails(textsInMemory(), { ...eagerClock(), nowMs: () => eagerClock().nowMs() - 3 * 86_400_000 });
		const fake = patchsetWorld();
		const onDisk = (): Connection => listConnection(fake.api, undefined, undefined, undefined, disk);
		await onDisk().lists.renewPatchset(fake.ref, new AbortController().signal);
		const answer = Promise.withResolvers<void>();
		fake.world.before = () => answer.promise;
		const { told, rest } = await opened(onDisk, fake);
		assert.match(told.join('\n'), /"head":\{"value":\{.*"failure":"Refreshing – showing data from 3 days ago"/);
		told.length = 0;
		answer.resolve();
		await rest();
		assert.match(told.join('\n'), /"head":\{"value":\{/);
		assert.ok(!told.join('\n').includes('showing data'), told.join('\n'));
	});

	test('finishes a status change after the page closes, and shows its error', async () => {
		const { fake, shown, told, close, ask, rest } = await opened();
		const refusal = new ForgeError({ kind: 'tokenRejected', area: 'lists' });
		const { promise, resolve } = Promise.withResolvers<void>();
		let isGivenUp = false;
		Object.assign(fake.api, {
			async setPatchsetStatus(...[, , signal]: Parameters<typeof fake.api.setPatchsetStatus>) {
				await promise;
				isGivenUp = signal.aborted;
				throw refusal;
			},
		});
		const asked = ask('setStatus', 'approved');
		told.length = 0;
		close();
		resolve();
		await asked;
		await rest();
		assert.deepEqual([isGivenUp, shown, told], [false, [refusal], []]);
	});

	test('sends nothing after it closes, even with pending updates', async () => {
		const { told, close, ask, rest } = await opened();
		told.length = 0;
		await ask('load');
		close();
		await rest();
		assert.equal(told.length, 0);
	});

	test('shows the error of a link that failed to open, and ignores forbidden links', async () => {
		const { fake, shown, ask } = await opened();
		const failure = new ForgeError({ kind: 'tokenRejected', area: 'lists' });
		fake.world.before = () => {
			throw failure;
		};
		await ask('follow', 'javascript:alert(1)');
		assert.deepEqual(shown, []);
		await ask('follow', 'https://lists.forge.test/~alice/devel/%3Cnothere%40forge.test%3E');
		assert.deepEqual(shown, [failure]);
	});

	test('closes and sends nothing after its account signs out', async () => {
		const { connections, told, isClosed, rest } = await opened();
		told.length = 0;
		connections.replace();
		await rest();
		assert.equal(isClosed(), true);
		assert.deepEqual(told, []);
	});

	test('follows the current connection of its account only', async () => {
		const { fake, connections, connection, told, rest } = await opened();
		assert.ok(told.some((each) => each.includes('fold: find in a tree')));
		connections.replace(listConnection(fake.api));
		told.length = 0;
		await rest();
		assert.ok(told.some((each) => each.includes('fold: find in a tree')));
		told.length = 0;
		fake.world.calls.length = 0;
		await connection.lists.renewPatchset(fake.ref, new AbortController().signal);
		connection.lists.forget(fake.ref.list);
		await rest();
		assert.deepEqual([told, fake.world.calls.length], [[], 1]);
	});

	test('keeps its content after a cache eviction, and reloads it when shown again', async () => {
		let isForgotten = false;
		const { connection, told, ask, rest } = await opened((real) => {
			const kept = real.reviews;
			const reviews: Connection['reviews'] = {
				...kept,
				known: (ref) => (isForgotten ? undefined : kept.known(ref)),
				read: (ref, signal) => {
					isForgotten = false;
					return kept.read(ref, signal);
				},
			};
			return Object.defineProperty(real, 'reviews', { value: reviews });
		});
		told.length = 0;
		isForgotten = true;
		await connection.lists.renewPatchset(
			{ list: { owner: '~alice', name: 'devel' }, id: 2 },
			new AbortController().signal,
		);
		await rest();
		assert.deepEqual(
			told.filter((each) => each.includes('"standing"')),
			[],
		);
		isForgotten = true;
		await ask('load');
		await rest();
		assert.equal(isForgotten, false);
		assert.ok(told.some((each) => each.includes('Reviewed-by')));
	});
});

suite('a patchset page that sends its patches in slices', () => {
	setup(resetStub);

	/** Each clock read ends a slice. */
	async function inPass(): Promise<Opened & { readonly sent: () => readonly number[] }> {
		const clock = eagerClock();
		let looks = 0;
		const made = await opened(undefined, undefined, { ...clock, nowMs: () => clock.nowMs() + 100 * (looks += 1) });
		const sent = (): readonly number[] =>
			Array.from(made.told.join('').matchAll(/"at":(\d+)/g), ([, at]) => Number(at));
		made.told.length = 0;
		await made.ask('load');
		while (sent().length === 0) {
			await turn();
		}
		made.told.length = 0;
		return { ...made, sent };
	}

	test('sends all patches again to a page that reloads in between', async () => {
		const { ask, rest, sent } = await inPass();
		await ask('load');
		await rest();
		assert.deepEqual(
			[...sent()].toSorted((one, other) => one - other),
			[0, 1, 2],
		);
	});

	test('sends a patch again after the user marks it as viewed in between', async () => {
		const { connection, fake, rest, sent } = await inPass();
		const { patch } = connection.reviews.known(fake.ref)?.series.patches[0] ?? assert.fail();
		const [file] = patch.diff.files;
		assert.ok(file);
		await connection.viewed.mark(fake.ref, [fileIdentity(patch.diffText, file)], true);
		await rest();
		assert.ok(sent().includes(0));
	});
});
