import { outboxInMemory } from '../../../src/store/outbox/outboxInMemory.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { accountStores } from '../../../src/app/accounts/accountStores.ts';
import { systemClock } from '../../../src/app/accounts/systemClock.ts';
import type { Clock } from '@forge-desk/base/clock.ts';
import { ticketAccounts } from '../../../src/app/accounts/ticketAccounts.ts';
import { Emitter } from '@forge-desk/base/event.ts';
import { Disposables } from '@forge-desk/base/lifecycle.ts';
import type { Feature } from '../../../src/editor/commands/feature.ts';
import { runner } from '../../../src/editor/commands/runner.ts';
import type { ViewId } from '../../../src/commands/viewIds.ts';
import { rowsInFocus } from '../../../src/editor/trees/rowsInFocus.ts';
import type { TreeNode } from '../../../src/editor/trees/treeNode.ts';
import type { TreeSource } from '../../../src/editor/trees/treeSource.ts';
import { drawingMs } from '../../../src/editor/trees/knownRows.ts';
import { ForgeTree } from '../../../src/editor/trees/treeView.ts';
import { mailingLists } from '../../../src/app/mailingLists.ts';
import type { ListsContext } from '../../../src/features/lists/context/listsContext.ts';
import { repositoryFiles } from '../../../src/features/repositories/files/repositoryFiles.ts';
import { ticketsFeature } from '../../../src/features/tickets/ticketsFeature.ts';
import { mailReader } from 'patchmail/mail/mailReader.ts';
import { openNet } from 'sourcehut/net.ts';
import type { Connection } from '../../../src/store/connection.ts';
import { objectFolders } from '../../../src/machine/storage/objectFolders.ts';
import { fileTexts } from '../../../src/machine/storage/fileTexts.ts';
import { mailLimits, repositoryLimits, textFolders } from '../../../src/machine/storage/textFolders.ts';
import { directTransport, instanceOf } from '../../support/contractForge.ts';
import { heldLease } from '../../support/heldLease.ts';
import { fakeMailDrafts } from '../../support/fakeMailDrafts.ts';
import { keptInMemory } from '../../support/keptInMemory.ts';
import { fakeMailer } from '../../support/fakeMailer.ts';
import { fakeConnections } from '../../support/fakeConnection.ts';
import { threadLookInMemory } from '../../support/fakeListsParts.ts';
import { quietProblems, ticketsParts } from '../../support/fakeTicketsParts.ts';
import { readerHere } from '../../support/mailStores.ts';
import { noGit } from '../../support/noGit.ts';
import { quietLog } from '../../support/quietLog.ts';
import { startSampleForge, type SampleForge } from '../../support/sampleForge.ts';
import { standFor } from '../../support/standFor.ts';
import { noPages } from '../../support/ticketTreeWorld.ts';
import { stubbed } from '../../support/vscodeValues.ts';
import type { Tracer } from './tracer.ts';
import { fake } from '../../support/fake.ts';
import type { RepositoriesContext } from '../../../src/features/repositories/parts/repositoriesContext.ts';

export interface WalkedView {
	readonly tree: ForgeTree;
	readonly select: (row: TreeNode) => void;
	/** Unfolds a row, or the top, and draws its rows. */
	readonly unfold: (row?: TreeNode) => Promise<readonly TreeNode[]>;
}

/** The real program from the commands and views down to a real sample forge. */
export interface WalkedDesk {
	readonly forge: SampleForge;
	readonly connection: Connection;
	readonly tickets: WalkedView;
	readonly lists: WalkedView;
	readonly patches: ReturnType<typeof mailingLists>['patches'];
	readonly files: ReturnType<typeof repositoryFiles>;
	readonly runner: ReturnType<typeof runner>;
	readonly isWaiting: () => boolean;
	close(): Promise<void>;
}

async function unexpected(thrown: unknown): Promise<void> {
	await Promise.resolve();
	throw thrown;
}

/** The forge's port with a moment for every call. `waiting` gets the pending answers. */
function markedApi<Api extends object>(api: Api, mark: Tracer['mark'], waiting: Set<unknown>): Api {
	return new Proxy(api, {
		get(target, name) {
			const member: unknown = Reflect.get(target, name);
			if (typeof member !== 'function') {
				return member;
			}
			return (...args: readonly unknown[]): unknown => {
				mark('port', String(name));
				const result: unknown = Reflect.apply(member, target, args);
				if (result instanceof Promise) {
					const landed = (): void => void waiting.delete(result);
					waiting.add(result);
					result.then(landed, landed);
				}
				return result;
			};
		},
	});
}

/** Shorter delays belong to the walked action. */
const periodMs = 5000;

export async function openDesk(mark: Tracer['mark']): Promise<WalkedDesk> {
	// No background reads during a walk.
	stubbed.settings.set('forge.index.requestsPerHour', 0);
	const forge = await startSampleForge({ dialect: 'field' });
	const folder = mkdtempSync(join(tmpdir(), 'walks-'));
	const owned = new Disposables();
	const clock: Clock = {
		...systemClock,
		// Periodic looks at storage would be part of a walk on a slow machine only.
		after: (delayMs, work) => (delayMs < periodMs ? systemClock.after(delayMs, work) : { dispose: () => undefined }),
	};
	const log = quietLog();
	const net = openNet({ transport: directTransport, clock, random: Math.random });
	const instance = instanceOf(forge);
	const me = '~alice';
	const port = net.connectForge({ instance, me, tokenFor: () => forge.tokens.alice });
	const waiting = new Set<unknown>();
	const marked = {
		...port,
		trackers: markedApi(port.trackers, mark, waiting),
		lists: markedApi(port.lists, mark, waiting),
		repositories: markedApi(port.repositories, mark, waiting),
	};
	const storage = new Map<string, unknown>();
	const names = {
		get: (key: string) => storage.get(key),
		update: async (key: string, value: unknown) => void storage.set(key, value),
	};
	const connection = owned.add(
		accountStores(
			{ key: 'alice.sample', instance, me, forge: marked },
			{
				storage: names,
				followedLists: { all: () => [], keep: () => Promise.resolve() },
				windowStorage: names,
				objects: objectFolders(join(folder, 'objects'), clock),
				mails: textFolders(join(folder, 'mails'), clock, mailLimits),
				repositoryTexts: textFolders(join(folder, 'repositories'), clock, repositoryLimits),
				texts: fileTexts(join(folder, 'texts'), () => true, clock),
				windowName: 'walk',
				outboxOf: () => ({ ...outboxInMemory(), dispose: () => undefined }),
				explain: String,
				ticketsOf: owned.add(ticketAccounts(folder, vscode, () => 0.5, clock, log)),
				net: { open: async () => net },
				mailReader: mailReader(readerHere),
				historyAt: () => undefined,
				clones: { contents: async () => new Map() },
				lease: heldLease,
				random: () => 0.5,
				computer: 'this',
				randomBytes: (size) => new Uint8Array(size),
				clock,
			},
		),
	);
	connection.tickets.onDidChange(({ kind }) => mark('store', kind));
	connection.lists.onDidChange(({ kind }) => mark('store', kind));
	connection.repositories.onDidChange(({ kind }) => mark('store', kind));
	const connections = fakeConnections(connection);
	const ticketView = editorView();
	const listView = editorView();
	const parts = { ...ticketsParts(connections, noPages), clock };
	const tickets = owned.add(ticketsFeature({ ...parts, view: ticketView.view }));
	const lists = owned.add(
		mailingLists({
			...parts,
			ready: () => Promise.resolve(),
			mailReader: mailReader(readerHere),
			threadLook: threadLookInMemory(),
			editDescription: () => Promise.resolve(),
			view: standFor<ListsContext['view']>(listView.view),
			mailer: fakeMailer(),
			seriesOf: () => keptInMemory(),
			folderOf: async () => undefined,
			mailDrafts: fakeMailDrafts(parts.drafts),
			newName: () => 'new',
			cloneClues: async () => [],
			...noGit(),
		}),
	);
	const files = owned.add(
		repositoryFiles(
			fake<RepositoriesContext>({
				connections,
				ready: () => Promise.resolve(),
				problems: parts.problems,
				tooLarge: () => undefined,
			}),
		),
	);
	const focus = rowsInFocus(ticketView.view);
	return {
		forge,
		connection,
		tickets: walkedView('forge.tickets', tickets.tree, ticketView),
		lists: walkedView('forge.lists', lists.tree, listView),
		patches: lists.patches,
		files,
		isWaiting: () => waiting.size > 0,
		runner: owned.add(
			runner(
				[tickets, lists].map(({ commands }: Feature) => commands),
				{ ...quietProblems, show: unexpected },
				() => focus(),
				() => undefined,
				() => true,
			),
		),
		async close() {
			owned.dispose();
			await net.close();
			await forge.stop();
			rmSync(folder, { recursive: true });
		},
	};

	function walkedView(id: ViewId, source: TreeSource, { view, select, unfolded }: EditorView): WalkedView {
		let drawnMs = 0;
		const drawingClock: Clock = { ...clock, nowMs: () => clock.nowMs() + drawnMs };
		const isSignedIn = (): Promise<boolean> => Promise.resolve(true);
		const tree = owned.add(
			new ForgeTree({ id, view, source, problems: quietProblems, clock: drawingClock, isSignedIn }),
		);
		tree.onDidChangeTreeData((row) => {
			mark('told', row?.id ?? id);
			if (row) {
				tree.getTreeItem(row);
			}
		});
		return {
			tree,
			select,
			async unfold(row) {
				if (row) {
					unfolded(row);
				}
				const rows = await tree.getChildren(row);
				rows.forEach((each) => tree.getTreeItem(each));
				// Otherwise the view would wait for a slow editor to draw.
				drawnMs += drawingMs;
				return rows;
			},
		};
	}
}

interface EditorView {
	readonly view: vscode.TreeView<TreeNode>;
	readonly select: (row: TreeNode) => void;
	readonly unfolded: (row: TreeNode) => void;
}

function editorView(): EditorView {
	const selected = new Emitter<{ readonly selection: readonly TreeNode[] }>();
	const expanded = new Emitter<{ readonly element: TreeNode }>();
	const none: readonly TreeNode[] = [];
	const view = {
		description: '',
		selection: none,
		visible: true,
		reveal: () => Promise.resolve(),
		onDidChangeSelection: selected.event,
		onDidCollapseElement: new Emitter<never>().event,
		onDidChangeCheckboxState: new Emitter<never>().event,
		onDidExpandElement: expanded.event,
		onDidChangeVisibility: new Emitter<never>().event,
	};
	return {
		view: standFor<vscode.TreeView<TreeNode>>(view),
		select(row) {
			view.selection = [row];
			selected.fire({ selection: [row] });
		},
		unfolded: (element) => expanded.fire({ element }),
	};
}
