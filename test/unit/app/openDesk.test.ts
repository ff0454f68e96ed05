import '../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import { Emitter } from '@forge-desk/base/event.ts';
import type { CommandId } from '../../../src/commands/table.ts';
import { commandIds } from '../../support/commandIds.ts';
import { panelTypes, type Desk, type Views } from '../../../src/editor/desk.ts';
import type { TreeNode } from '../../../src/editor/trees/treeNode.ts';
import { viewIds } from '../../../src/commands/viewIds.ts';
import { SessionStore } from '../../../src/editor/accounts/sessionStore.ts';
import { accountKey } from '../../../src/editor/accounts/session.ts';
import { eventually } from '../../support/eventually.ts';
import { fakeSecrets, type FakeSecrets } from '../../support/fakeSecrets.ts';
import { startLocalServer, type LocalServer } from '../../support/localServer.ts';
import { makeSession } from '../../support/makeSession.ts';
import { quietLog } from '../../support/quietLog.ts';
import { standFor } from '../../support/standFor.ts';
import {
	comments,
	provided,
	resetStub,
	stubbed,
	StubbedPanel,
	TreeItem,
	Uri,
	type StubbedBox,
} from '../../support/vscodeValues.ts';

const { openDesk } = await import('../../../src/app/openDesk.ts');
// The first connected account loads it; the tests must not wait for that.
await import('sourcehut/net.ts');

const root = join(import.meta.dirname, '..', '..', '..');

/** Commands without a subject until something is open; the palette hides them until then. */
const quiet = new Set<CommandId>([
	'forge.view.cancel',
	'forge.view.enter',
	'forge.refresh',
	'forge.view.refresh',
	'forge.view.tryAgain',
	'forge.view.showMore',
	'forge.inbox.showDone',
	'forge.inbox.hideDone',
	'forge.submitForm',
	'forge.tickets.submit',
	'forge.tickets.discard',
	'forge.archives.keep',
	'forge.archives.stopKeeping',
	'forge.filters.clear',
	'forge.trackers.saveDescription',
	'forge.lists.clearFilter',
	'forge.lists.nextMail',
	'forge.lists.previousMail',
	'forge.lists.discardMail',
	'forge.review.editComment',
	'forge.review.saveComment',
	'forge.review.cancelEdit',
	'forge.review.discardComment',
	'forge.search.cancel',
	'forge.search.clear',
	'forge.search.openAsText',
	'forge.history.openChange',
	'forge.history.cancel',
	'forge.history.clear',
	'forge.outbox.sendNow',
	'forge.outbox.reveal',
	'forge.outbox.remove',
]);

suite('desk of a window', () => {
	let folder = '';
	let secrets: FakeSecrets;
	let server: LocalServer;
	let desk: Desk | undefined;

	setup(async () => {
		resetStub();
		folder = await mkdtemp(join(tmpdir(), 'forge-desk-desk-'));
		secrets = fakeSecrets();
		server = await startLocalServer((_, response) => void response.writeHead(404).end());
		const { origin } = server;
		const areas = { meta: origin, todo: origin, git: origin, lists: origin };
		stubbed.settings.set('forge.forges', [{ name: 'Example', areas, protocols: 'rest' }]);
		stubbed.settings.set('forge.index.requestsPerHour', 0);
	});

	teardown(async () => {
		desk?.dispose();
		desk = undefined;
		await server.stop();
		// Pending writes complete after the desk closes.
		await rm(folder, { recursive: true, force: true, maxRetries: 10 });
	});

	/** `kept` is the editor's storage for the window's folder alone. */
	async function open(kept = memento(), shown = views()): Promise<Desk> {
		const packageJSON: unknown = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
		desk = await openDesk(
			standFor<vscode.ExtensionContext>({
				extensionUri: Uri.file(root),
				globalStorageUri: Uri.file(folder),
				globalState: memento(),
				workspaceState: kept,
				secrets,
				extension: { id: 'forge-desk.forge-desk', extensionUri: Uri.file(root), packageJSON },
			}),
			shown,
		);
		return desk;
	}

	async function signedIn(): Promise<void> {
		const { origin } = server;
		const instanceId = new URL(origin).host.replace(':', '-');
		const sessions = new SessionStore(secrets, quietLog());
		const areas = { meta: origin, todo: origin, git: origin, lists: origin };
		await sessions.put(
			makeSession({ id: accountKey(instanceId, '~alice'), instanceId, scopes: 'all', origins: areas }),
		);
		sessions.dispose();
	}

	/** Runs a command like from the palette, and closes any box that it opens. */
	async function run(opened: Desk, command: CommandId): Promise<void> {
		let hasEnded = false;
		const running = opened.run(command, undefined, undefined).finally(() => (hasEnded = true));
		const boxes = (): readonly StubbedBox[] => [...stubbed.boxes, ...stubbed.lines];
		// Most have ended by then.
		await new Promise((resolve) => setImmediate(resolve));
		await eventually(async () => hasEnded || boxes().some(({ isShown }) => isShown), true);
		boxes().forEach((box) => box.hide());
		await running;
	}

	test('the editor has the comment controller before it opens a patch, and not without one', async () => {
		using owned = new DisposableStack();
		const { createCommentController } = comments;
		owned.defer(() => Object.assign(comments, { createCommentController }));
		let made = 0;
		Object.assign(comments, {
			createCommentController: () => {
				made += 1;
				return createCommentController();
			},
		});
		await signedIn();
		const opened = await open();
		assert.equal(made, 0);
		const uri = Uri.parse('forge-patch://nobody/lamp.c?%7B%7D');
		await assert.rejects(async () => opened.patches.stat(standFor<vscode.Uri>(uri)));
		assert.equal(made, 1);
	});

	test('opening without an account shows nothing, sends nothing and stores nothing', async () => {
		const opened = await open();
		await eventually(async () => stubbed.contexts.get('forge.signedOut'), true);
		for (const id of viewIds) {
			assert.deepEqual(await opened.trees[id].getChildren(), [], id);
		}
		assert.deepEqual(await opened.sessions.getSessions(undefined, {}), []);
		assert.deepEqual(
			[stubbed.asked, stubbed.shown, stubbed.lines, stubbed.boxes, stubbed.logged],
			[[], [], [], [], []],
		);
		assert.deepEqual([server.seen, await readdir(folder)], [[], []]);
	});

	test('without an account, every command shows a box or a message, and none fails internally', async () => {
		const opened = await open();
		const silent: CommandId[] = [];
		// Trying the sample forge starts a process, and Check Connection asks the real SourceHut.
		const away: readonly CommandId[] = ['forge.sample.start', 'forge.checkConnection'];
		for (const command of commandIds.filter((id) => !away.includes(id))) {
			const before = traces();
			await run(opened, command);
			if (traces() === before) {
				silent.push(command);
			}
		}
		assert.deepEqual(new Set(silent), quiet);
		assert.deepEqual(stubbed.logged, []);
		assert.ok(!stubbed.shown.some((text) => text.includes('internal error occurred in')));
		// Signing in first detects the forge's protocol, without a token.
		const others = server.seen.filter((request) => request !== 'GET /query/api-meta.json');
		assert.deepEqual([others, await readdir(folder)], [[], []]);
	});

	test('an account from an earlier sign-in connects without a request, until it signs out', async () => {
		await signedIn();
		const opened = await open();
		await eventually(async () => stubbed.contexts.get('forge.signedOut'), false);
		const [session] = (await opened.sessions.getSessions(undefined, {})) ?? [];
		assert.equal(session?.account.label, '~alice (Example)');
		assert.deepEqual(server.seen, []);
		stubbed.answers.push('~alice');
		await run(opened, 'forge.accounts.signOut');
		await eventually(async () => stubbed.contexts.get('forge.signedOut'), true);
		assert.deepEqual([[...secrets.values.keys()], server.seen, stubbed.logged], [[], [], []]);
	});

	test('stores unfolded rows for the folder’s next window, until the account signs out', async () => {
		await signedIn();
		const kept = memento();
		const unfolded = new Emitter<{ readonly element: TreeNode }>();
		const key = accountKey(new URL(server.origin).host.replace(':', '-'), '~alice');
		const row: TreeNode = {
			id: `${key}/~alice/lantern`,
			item: standFor<vscode.TreeItem>(new TreeItem('lantern', 1)),
			parent: undefined,
			children: async () => [],
			subject: undefined,
		};
		const withoutRows = ['forge.search', 'forge.history', 'forge.outbox'];
		const treeIds = viewIds.filter((id) => !withoutRows.includes(id));
		const states = async (opened: Desk): Promise<readonly unknown[]> =>
			Promise.all(treeIds.map(async (id) => (await opened.trees[id].getTreeItem(row)).collapsibleState));

		const first = await open(kept, views({ onDidExpandElement: unfolded.event }));
		await eventually(async () => stubbed.contexts.get('forge.signedOut'), false);
		unfolded.fire({ element: row });
		// Data not yet written is lost when a window closes, as with all editor storage.
		const rowsKept = (): number => kept.keys().filter((name) => name.includes(':rows-')).length;
		await eventually(async () => rowsKept(), treeIds.length);
		first.dispose();
		stubbed.contexts.clear();

		const second = await open(kept);
		await eventually(async () => stubbed.contexts.get('forge.signedOut'), false);
		assert.deepEqual(await states(second), [2, 2, 2, 2]);
		assert.deepEqual(server.seen, []);
		stubbed.answers.push('~alice');
		await run(second, 'forge.accounts.signOut');
		assert.deepEqual(kept.keys(), []);
	});

	test('closes a restored panel with unknown state', async () => {
		const opened = await open();
		for (const type of panelTypes) {
			for (const state of [undefined, {}, { kind: 'nonsense', connectionKey: 7 }]) {
				const panel = new StubbedPanel(type, '');
				await opened.restorePanel(type, standFor(panel), state);
				assert.ok(panel.isDisposed, type);
			}
		}
		assert.deepEqual(stubbed.logged, []);
	});

	test('the last row of a partly loaded view reads on', async () => {
		const opened = await open();
		let reads = 0;
		const more = { kind: 'showMore', run: async () => void (reads += 1) };
		await opened.run('forge.view.showMore', more, undefined);
		await opened.run('forge.view.showMore', { kind: 'other', run: more.run }, undefined);
		assert.deepEqual([reads, stubbed.logged], [1, []]);
	});

	test('disposing unregisters everything', async () => {
		const opened = await open();
		await eventually(async () => stubbed.contexts.get('forge.signedOut'), true);
		assert.ok(provided.size > 0);
		opened.dispose();
		assert.deepEqual([...provided.keys()], []);
	});
});

/** The number of visible or recorded effects. */
function traces(): number {
	const { asked, shown, executed, boxes, lines, opened, documents } = stubbed;
	return [asked, shown, executed, boxes, lines, opened, documents].reduce((sum, list) => sum + list.length, 0);
}

function memento() {
	const values = new Map<string, unknown>();
	return {
		keys: () => [...values.keys()],
		get: (key: string) => values.get(key),
		async update(key: string, value: unknown): Promise<void> {
			if (value === undefined) {
				values.delete(key);
			} else {
				values.set(key, value);
			}
		},
	};
}

function views(own: Partial<vscode.TreeView<TreeNode>> = {}): Views {
	const silent = (): { dispose(): void } => ({ dispose() {} });
	const view = {
		selection: [],
		visible: false,
		onDidChangeSelection: silent,
		onDidChangeCheckboxState: silent,
		onDidCollapseElement: silent,
		onDidExpandElement: silent,
		onDidChangeVisibility: silent,
		...own,
	};
	return standFor<Views>(Object.fromEntries(viewIds.map((id) => [id, { ...view }])));
}
