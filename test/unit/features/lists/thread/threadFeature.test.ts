import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import type { Problems } from '../../../../../src/editor/ask/problems.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import { answer, type FromHost } from '../../../../../src/pages/protocol/pageProtocol.ts';
import type { Connection } from '../../../../../src/store/connection.ts';
import { keptMails, type KeptMails } from '../../../../../src/store/lists/keptMails.ts';
import { connectedPages, type ConnectedHere } from '../../../../support/connectedPages.ts';
import { fakeConnections } from '../../../../support/fakeConnection.ts';
import { listConnection } from '../../../../support/fakeLists.ts';
import { listsParts } from '../../../../support/fakeListsParts.ts';
import { pausing } from '../../../../support/pageInBrowser.ts';
import { eventually } from '../../../../support/eventually.ts';
import type { Clock } from '@forge-desk/base/clock.ts';
import { fake } from '../../../../support/fake.ts';
import { fakeClock } from '../../../../support/fakeClock.ts';
import { quietProblems } from '../../../../support/fakeTicketsParts.ts';
import { makeMail } from '../../../../support/makeMail.ts';
import { textsInMemory } from '../../../../support/textsInMemory.ts';
import { threadWorld } from '../../../../support/threadWorld.ts';
import { resetStub, stubbed } from '../../../../support/vscodeValues.ts';

const editor = await import('vscode');
const { threadPages } = await import('../../../../../src/features/lists/thread/threadFeature.ts');

const never = new AbortController().signal;
const list = { owner: '~alice', name: 'devel' };

function desk(disk?: KeptMails): {
	readonly pages: ConnectedHere[];
	readonly run: (command: string, on: unknown) => Promise<void>;
	readonly area: ReturnType<typeof threadPages>;
	readonly window: { isPageVisible: boolean; isFocused: boolean };
	readonly world: ReturnType<typeof threadWorld>['world'];
	/** Reported errors. */
	readonly failures: readonly unknown[];
	/** The newest seen message of the thread. */
	readonly lastSeen: () => number | undefined;
	readonly connection: Connection;
} {
	const { world, api } = threadWorld();
	world.series.set(
		5,
		world.mails.filter(({ id }) => id === 2),
	);
	const pages = connectedPages();
	const connection = listConnection(api, undefined, undefined, undefined, disk);
	const connections = fakeConnections(connection);
	const failures: unknown[] = [];
	const problems: Problems = {
		...quietProblems,
		show: async (error) => void failures.push(error),
	};
	const area = threadPages({ ...listsParts(connections), pages, problems, clock: pausing(fakeClock()) });
	return {
		pages: pages.pages,
		window: pages.window,
		world,
		failures,
		connection,
		lastSeen: () => connection.threadReadMarks.lastSeenEventId({ list, id: 1 }),
		area,
		run: async (command, on) => {
			const known: Readonly<Record<string, unknown>> = area.commands;
			assert.ok(command in known);
			await Object.entries(area.commands).find(([name]) => name === command)?.[1](on, never, []);
		},
	};
}

function mail(id: number): object {
	return { kind: 'mail', connectionKey: 'sample-alice', list, id, messageId: `<m${id}@forge.test>` };
}

async function asked(page: ConnectedHere | undefined, name: string, value: unknown): Promise<FromHost | undefined> {
	return await answer(page?.handlers ?? {}, { kind: 'ask', id: 1, name, value }, String);
}

async function targetOf(page: ConnectedHere | undefined): Promise<unknown> {
	const reply = await asked(page, 'load', 0);
	return reply?.kind === 'answer' ? Reflect.get(Object(reply.value), 'entry') : reply;
}

suite('thread pages', () => {
	setup(() => resetStub());

	test('open at the given message', async () => {
		const { pages, run } = desk();
		await run('forge.lists.openThread', mail(3));
		assert.equal(Reflect.get(Object(pages[0]?.content.subject), 'id'), 1);
		assert.equal(await targetOf(pages[0]), 3);
		assert.equal(await targetOf(pages[0]), undefined);
	});

	test('exist once per thread, and reveal another message on the next call', async () => {
		const { pages, run, window } = desk();
		await run('forge.lists.openThread', mail(3));
		await targetOf(pages[0]);
		await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
		await run('forge.lists.openThread', mail(4));
		assert.equal(pages.length, 1);
		assert.deepEqual(
			pages[0]?.told.filter(([name]) => name === 'goTo'),
			[['goTo', 4]],
		);
		assert.equal(await targetOf(pages[0]), undefined, 'the page was there already');
		// A hidden page receives nothing, and reloads when shown.
		window.isPageVisible = false;
		await run('forge.lists.openThread', mail(5));
		assert.equal(await targetOf(pages[0]), 5);
	});

	test('reveal a message once, even without window focus', async () => {
		const { pages, run, window } = desk();
		await run('forge.lists.openThread', mail(3));
		await targetOf(pages[0]);
		await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
		window.isFocused = false;
		await run('forge.lists.openThread', mail(4));
		assert.deepEqual(
			pages[0]?.told.filter(([name]) => name === 'goTo'),
			[['goTo', 4]],
		);
		assert.equal(await targetOf(pages[0]), undefined, 'the page went there already');
	});

	test('reveal a message chosen between the start and the first update', async () => {
		const { pages, run } = desk();
		await run('forge.lists.openThread', mail(3));
		await targetOf(pages[0]);
		await run('forge.lists.openThread', mail(4));
		await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
		assert.deepEqual(
			pages[0]?.told.filter(([name]) => name === 'goTo'),
			[['goTo', 4]],
		);
		assert.equal(await targetOf(pages[0]), undefined, 'the page does not go there twice');
	});

	test('mark their thread and its patchsets as read', async () => {
		const { pages, run, connection } = desk();
		connection.threadReadMarks.see(list, () => []);
		connection.patchsetReadMarks.see(list, () => []);
		await run('forge.lists.openThread', mail(1));
		await targetOf(pages[0]);
		for (let turn = 0; turn < 20; turn += 1) {
			await new Promise((resolve) => setImmediate(resolve));
		}
		const marks = [connection.threadReadMarks, connection.patchsetReadMarks].map((looks, at) =>
			looks.mark({ list, id: [1, 5][at] ?? 0, updatedMs: 0, isOwn: false }),
		);
		assert.deepEqual(marks, [undefined, undefined]);
	});

	test('mark messages as seen only after a visible page received them', async () => {
		for (const [isNow, seen] of [
			[false, undefined],
			[true, 6],
		] as const) {
			const { pages, run, window, lastSeen } = desk();
			window.isPageVisible = isNow;
			await run('forge.lists.openThread', mail(1));
			await targetOf(pages[0]);
			await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
			assert.equal(lastSeen(), seen);
		}
	});

	test('open again after they were closed', async () => {
		const { pages, run } = desk();
		await run('forge.lists.openThread', mail(3));
		pages[0]?.close();
		await run('forge.lists.openThread', mail(4));
		assert.equal(pages.length, 2);
		assert.equal(await targetOf(pages[1]), 4);
	});

	test('open for the thread of a patchset', async () => {
		const { pages, run } = desk();
		await run('forge.patchsets.openThread', { kind: 'patchset', connectionKey: 'sample-alice', ref: { list, id: 5 } });
		assert.equal(Reflect.get(Object(pages[0]?.content.subject), 'id'), 1);
	});

	test('show a stored thread with its age until the forge responds', async () => {
		const disk = keptMails(textsInMemory(), fake<Clock>({ nowMs: () => fakeClock().nowMs() - 3 * 86_400_000 }));
		const before = desk(disk);
		await before.run('forge.lists.openThread', mail(1));
		await targetOf(before.pages[0]);
		const { pages, run, world } = desk(disk);
		const answers = Promise.withResolvers<void>();
		world.before = (call) => (call.startsWith('thread') ? answers.promise : undefined);
		await run('forge.lists.openThread', mail(1));
		const start = JSON.stringify(await asked(pages[0], 'load', 0));
		assert.match(start, /Refreshing – showing data from 3 days ago/);
		world.mails.push(makeMail({ id: 99, parentId: 1, threadId: 1, text: 'What came since' }));
		answers.resolve();
		const told = (): string => JSON.stringify(pages[0]?.told);
		await eventually(async () => told().includes('What came since'), true);
		assert.match(told(), /"readBefore":""/);
	});

	test('receive Next and Previous when active', async () => {
		const { pages, run } = desk();
		await run('forge.lists.openThread', mail(1));
		await run('forge.lists.nextMail', undefined);
		await run('forge.lists.previousMail', undefined);
		assert.deepEqual(
			pages[0]?.told.filter(([name]) => name === 'step').map(([, way]) => way),
			['next', 'previous'],
		);
	});

	test('load after a restore, and close without a valid subject', async () => {
		const { pages, area } = desk();
		const panel = (): vscode.WebviewPanel =>
			editor.window.createWebviewPanel('forge.thread', '', editor.ViewColumn.Active);
		const useless = panel();
		await area.restorePage(useless, { subject: { kind: 'mail', id: 'x' } });
		const useful = panel();
		await area.restorePage(useful, { subject: mail(1) });
		assert.deepEqual(
			stubbed.panels.map(({ isDisposed }) => isDisposed),
			[true, false],
		);
		assert.equal(pages.length, 1);
	});

	test('may only request messages of their own thread, with validated input', async () => {
		const { pages, run } = desk();
		await run('forge.lists.openThread', mail(1));
		await asked(pages[0], 'load', 0);
		for (const [name, value] of [
			['openDocument', 77],
			['openDiff', { mail: 77 }],
			['copy', { mail: 77, what: 'link' }],
			['openOnWeb', -1],
			['openDiff', { mail: 2, part: -1 }],
			['copy', { mail: 2, what: 'password' }],
			['openPerson', ''],
			['saveAttachment', { mail: 2, part: 9 }],
			['openAttachment', { mail: 5, part: 1 }],
			['keepLook', { areLinesWrapped: 1 }],
			['follow', 7],
		] as const) {
			assert.equal((await asked(pages[0], name, value))?.kind, 'refusal', name);
		}
		assert.deepEqual([stubbed.executed, stubbed.opened, stubbed.copied], [[], [], []]);
	});

	test('report why the forge could not resolve a link', async () => {
		const { pages, run, world, failures } = desk();
		await run('forge.lists.openThread', mail(1));
		await asked(pages[0], 'load', 0);
		world.before = () => {
			throw new ForgeError({ kind: 'notAllowed' });
		};
		await asked(pages[0], 'follow', 'https://lists.forge.test/~alice/devel/%3Cm99@forge.test%3E');
		assert.equal(failures.length, 1);
		await asked(pages[0], 'follow', 'javascript:alert(1)');
		assert.equal(failures.length, 1);
	});

	test('copy a Message-ID without hidden characters', async () => {
		const { pages, run, world } = desk();
		world.mails.push(
			makeMail({ id: 77, threadId: 1, parentId: 1, messageId: '<m77@forge.test>\nrm -rf ~\r\u202E\u0007' }),
		);
		await run('forge.lists.openThread', mail(1));
		await asked(pages[0], 'load', 0);
		await asked(pages[0], 'copy', { mail: 77, what: 'messageId' });
		assert.deepEqual(stubbed.copied, ['<m77@forge.test>rm-rf~']);
	});

	test('open no link that the policy forbids', async () => {
		const { pages, run } = desk();
		await run('forge.lists.openThread', mail(1));
		await asked(pages[0], 'load', 0);
		for (const href of ['command:forge.lists.delete', 'javascript:alert(1)', 'file:///etc/passwd', 'vscode://x/y']) {
			await asked(pages[0], 'follow', href);
		}
		assert.deepEqual([stubbed.executed, stubbed.opened], [[], []]);
	});
});
