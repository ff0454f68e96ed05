import * as vscode from 'vscode';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { Disposables } from '@forge-desk/base/lifecycle.ts';
import type { Problems } from '../editor/ask/problems.ts';
import { helpCommands, keyCommands } from '../editor/commands/help.ts';
import { runner } from '../editor/commands/runner.ts';
import type { Desk, PanelType, Views } from '../editor/desk.ts';
import { cloneClues } from '../editor/git/cloneClues.ts';
import { findGit as findEditorGit } from '../editor/git/gitApi.ts';
import { upstreamMoves } from '../editor/git/upstreamMoves.ts';
import { withPlaces } from '../editor/git/withPlaces.ts';
import { editorLinks } from '../editor/links/editorLinks.ts';
import { linkCommands } from '../editor/links/linkCommands.ts';
import type { ToolContext } from '../editor/models/languageTool.ts';
import type { ToolName } from '../editor/models/toolNames.ts';
import { keepPageCommand, pageHost } from '../editor/pages/pageHost.ts';
import type { RenderChunk } from '../editor/pages/pageRenderer.ts';
import { focusedView } from '../editor/trees/focusedView.ts';
import { connectionCheckFeature } from '../features/connectionCheck/connectionCheckFeature.ts';
import { archivesFeature } from '../features/archives/archivesFeature.ts';
import { mailboxCommands } from '../features/archives/mailboxCommands.ts';
import { goToFeature } from '../features/goTo/goTo.ts';
import { mailingLists } from './mailingLists.ts';
import { listTools } from '../features/lists/models/listTools.ts';
import { listKind } from '../features/lists/subjects/listKind.ts';
import { peopleFeature } from '../features/people/peopleFeature.ts';
import { clonesFeature } from '../features/repositories/clones/clonesFeature.ts';
import { tellingOfGit } from '../features/repositories/clones/failureText.ts';
import { remoteFolderOf } from '../features/repositories/files/remoteFolder.ts';
import { permalinkCommands } from '../features/repositories/links/permalinkCommands.ts';
import { repositoryTools } from '../features/repositories/models/repositoryTools.ts';
import { fileInFront } from '../features/repositories/places/openPlaces.ts';
import { repositoriesFeature } from '../features/repositories/repositoriesFeature.ts';
import { repositoryKind } from '../features/repositories/subjects/repositoryKind.ts';
import { shownTickets, treeChoices } from '../features/tickets/choices/treeChoices.ts';
import { ticketTools } from '../features/tickets/models/ticketTools.ts';
import { outboxFeature } from '../features/tickets/outbox/outboxFeature.ts';
import { referencesFeature } from '../features/tickets/referencesFeature.ts';
import type { TicketsContext } from '../features/tickets/context/ticketsContext.ts';
import { ticketsFeature } from '../features/tickets/ticketsFeature.ts';
import { readFolders } from '../editor/git/readFolders.ts';
import { writingFeature } from '../features/tickets/writingFeature.ts';
import type { Drafts } from '../store/drafts/drafts.ts';
import { draftFiles } from '../machine/storage/draftFiles.ts';
import { takeOverEarlierDrafts } from '../machine/storage/earlierDrafts.ts';
import { keptDrafts } from '../machine/storage/keptDrafts.ts';
import {
	type EditorStorage,
	type NameStorage,
	keptNames,
	keptText,
	steadyStorage,
	storageWhile,
} from '../machine/storage/editorStorage.ts';
import { partFiles, partRecords } from '../machine/storage/partFiles.ts';
import { searchWorker } from '../machine/threads/searchWorker.ts';
import { checkParts } from './accounts/checkParts.ts';
import { deskAccounts } from './accounts/deskAccounts.ts';
import { tellOfAccounts } from './accounts/tellOfAccounts.ts';
import { gitMailer } from './machine/mailer.ts';
import { samplePushes } from './machine/samplePushes.ts';
import { keptPageOrder, keptThreadLook } from './pageOptions.ts';
import { settledWrites } from './settledWrites.ts';
import { filledViews, rowsOfViews } from './views.ts';
import { windowWebhooks } from './webhooks/windowWebhooks.ts';
import { windowInbox } from './windowInbox.ts';
import { filterSetting, ticketFilters } from '../features/tickets/choices/ticketFilters.ts';
import { watchConnections, type Connections } from '../store/connection.ts';
import { followNumbers } from '../store/followNumbers.ts';
import { withArea } from './accounts/withArea.ts';

/** Composition root. Runs once per window: on the first use of any part, or when the window is idle. */
export function openDesk(context: vscode.ExtensionContext, views: Views): Promise<Desk> {
	const owned = new Disposables();
	const storage = steadyStorage(context.globalState);
	const desk = deskAccounts(context, storage, owned);
	const { clock, log, shown, accounts, live, forges, mails, machine, texts, started, allThere } = desk;

	const pages = owned.add(
		pageHost({
			extensionUri: context.extensionUri,
			problems: shown,
			nonce: () => randomBytes(16).toString('hex'),
			read: async (file) => Buffer.from(await vscode.workspace.fs.readFile(file)).toString(),
			hasPreviews: () => vscode.workspace.getConfiguration('workbench.editor').get('enablePreview', true),
			clock,
		}),
	);
	const { findGit } = owned.add(upstreamMoves(withPlaces(findEditorGit, machine.remotePlaces), live));
	const render = (): Promise<RenderChunk> => import('../render.ts');
	const trust = { isTrusted: machine.isTrusted, onDidGrant: vscode.workspace.onDidGrantWorkspaceTrust };
	const drafts = windowDrafts(context, storage, shown);
	owned.add(
		watchConnections(
			live,
			(connection) => [followNumbers(connection, drafts, clock, shown.log)],
			() => undefined,
		),
	);
	const filters = owned.add(keptFilters(storage, live));
	const storageOf = (key: string): NameStorage => storageWhile(() => live.byKey(key) !== undefined, storage);
	const folders = readFolders(
		live,
		findGit,
		(uri) => vscode.workspace.getWorkspaceFolder(uri)?.uri,
		remoteFolderOf,
		clock,
	);
	const newName = (): string => randomBytes(8).toString('hex');
	const ticketsContext: TicketsContext = {
		connections: withArea(live, 'todo'),
		ready: allThere,
		render,
		pages,
		problems: shown,
		drafts,
		newName,
		pageOrder: keptPageOrder(storage),
		filters,
		treeChoices: owned.add(treeChoices((key) => keptText(storageOf(key), 'shown', key))),
		shown: shownTickets(vscode.workspace),
		view: views['forge.tickets'],
		folders,
		findGit,
		clock,
	};
	const tickets = owned.add(ticketsFeature(ticketsContext));
	const writing = owned.add(
		writingFeature(
			{ ...ticketsContext, connections: live },
			{ listDescription: listKind, repositoryDescription: repositoryKind },
		),
	);
	owned.add(
		settledWrites({ ...ticketsContext, connections: live }, writing.documents, (connection, left): Promise<void> =>
			left.every(({ entry }) => entry.write.kind === 'patchsetStatus')
				? lists.resumeStatuses(connection, left)
				: tickets.resumeAct(connection, left),
		),
	);
	const references = owned.add(referencesFeature(ticketsContext, machine.git, context.workspaceState));
	const inbox = owned.add(windowInbox(desk, views['forge.inbox'], pages));
	const webhooks = owned.add(windowWebhooks(desk));
	const tools = modelTools({ connections: live, clock, problems: shown });
	const accountsTold = owned.add(tellOfAccounts(live, storage));
	const lists = owned.add(
		mailingLists({
			connections: withArea(live, 'lists'),
			ready: allThere,
			render,
			mailReader: mails,
			threadLook: keptThreadLook(storage),
			editDescription: ({ connectionKey, ref }) =>
				writing.editDescription({ kind: 'listDescription', connectionKey, ref }),
			view: views['forge.lists'],
			drafts,
			mailer: gitMailer(machine, () => desk.sample()?.smtp),
			mailDrafts: writing.mailDrafts,
			newName,
			pages,
			problems: shown,
			cloneClues: cloneClues(findGit, folders.of),
			findGit,
			git: machine.git,
			signatures: machine.signatures,
			tempFolder: tmpdir(),
			...samplePushes(desk.sample, machine.withAskPass),
			folderKey: machine.folderKey,
			trust,
			tellingOfGit: (handler) => tellingOfGit(shown, handler),
			folderOf: folders.of,
			seriesOf: (key) => texts.of('series', key),
			appliedOf: (key) => texts.of('applied', key),
			cloneRepository: (key, ref, signal) => clones.make(key, ref, signal),
			appliedCommitsOf: (key) => texts.of('applied-commits', key),
			flags: context.workspaceState,
			clock,
		}),
	);
	const queue = owned.add(
		outboxFeature({ ...ticketsContext, connections: live }, writing.documents, lists.outbox, desk.leftOutboxes),
	);
	const people = owned.add(
		peopleFeature({
			connections: live,
			ready: allThere,
			problems: shown,
			clock,
		}),
	);
	const searcher = owned.add(
		searchWorker(
			{ programPath: vscode.Uri.joinPath(context.extensionUri, 'dist', 'mailParser.js').fsPath, clock, log },
			2000,
		),
	);
	const clones = owned.add(
		clonesFeature({
			connections: withArea(live, 'git'),
			pages,
			findGit,
			folderOf: folders.of,
			git: machine.git,
			isTrusted: machine.isTrusted,
			storage,
			problems: shown,
			clock,
		}),
	);
	const downloads = partFiles(partRecords(vscode.Uri.joinPath(context.globalStorageUri, 'downloads').fsPath));
	void downloads.clearLeftovers();
	const repositories = owned.add(
		repositoriesFeature({
			connections: withArea(live, 'git'),
			ready: allThere,
			render,
			pages,
			problems: shown,
			clock,
			downloads,
			laterFilesOf: (key) => keptText(storageOf(key), 'later-files', key),
			recentFilesOf: (key) => keptText(storageOf(key), 'recent-files', key),
			followedIdsOf: (key) => keptNames(storageOf(key), 'repository-ids', key),
			searcher,
			cloneOf: clones.toSearch,
			clones: clones.clones,
			trust,
			editDescription: ({ connectionKey, ref }) =>
				writing.editDescription({ kind: 'repositoryDescription', connectionKey, ref }),
			verifySignature: (_, commit, signal) => machine.verify(commit, signal),
		}),
	);
	const filled = owned.add(
		filledViews({
			views,
			clock,
			sources: {
				'forge.inbox': inbox.tree,
				'forge.outbox': queue.tree,
				'forge.tickets': tickets.tree,
				'forge.lists': lists.tree,
				'forge.repositories': repositories.tree,
				'forge.search': repositories.searchTree,
				'forge.history': repositories.historyTree,
			},
			connections: live,
			kept: (view, key) => keptNames(desk.windowStorageOf(key), `rows-${view}`, key),
			problems: shown,
			ready: started,
		}),
	);
	const archives = archivesFeature({ directory: desk.archiveLists, open: () => desk.archives.open(), live });
	const goTo = goToFeature({
		connections: live,
		openArchive: (url, signal) => archives.openPage(url, signal),
		known: [tickets.known, lists.known, repositories.known, people.known],
		front: () => pages.inFront() ?? fileInFront(),
		recent: () => pages.recent(),
		clock,
		problems: shown,
	});
	const mailboxes = mailboxCommands({ archives: desk.archives, live });
	const connectionCheck = owned.add(
		connectionCheckFeature({
			...checkParts(context, desk),
			connections: live,
			ready: allThere,
			findGit,
			listening: webhooks.listening,
			post: webhooks.post,
			pages,
		}),
	);
	const links = linkCommands([tickets.links, lists.links, repositories.links, people.links], () => pages.inFront(), {
		scheme: vscode.env.uriScheme,
		extensionId: context.extension.id,
	});
	const linksFromOutside = owned.add(editorLinks(live, () => forges.all(), allThere, shown));
	const inFocus = rowsOfViews(views);
	const viewInFocus = owned.add(focusedView(views, pages.onDidFocus));
	const commands = owned.add(
		runner(
			[
				{
					'forge.tickets.undo': inbox.undoOr(tickets.commands['forge.tickets.undo']),
					'forge.patchsets.undo': inbox.undoOr(lists.commands['forge.patchsets.undo']),
					'forge.patchsets.snooze': inbox.snoozeOr(lists.commands['forge.patchsets.snooze']),
				},
				accounts.commands,
				inbox.commands,
				webhooks.commands,
				writing.commands,
				queue.commands,
				references.commands,
				tickets.commands,
				lists.commands,
				repositories.commands,
				permalinkCommands(withArea(live, 'git'), allThere, clones.clones),
				clones.commands,
				people.commands,
				goTo.commands,
				archives.commands,
				{ ...mailboxes, 'forge.archives.keep': tellingOfGit(shown, mailboxes['forge.archives.keep']) },
				links,
				keyCommands(context.extension.id),
				helpCommands(context.extension),
				keepPageCommand(pages),
				filled.commands,
				connectionCheck.commands,
			],
			shown,
			(view) => inFocus[view](),
			() => viewInFocus.now(),
			machine.isTrusted,
		),
	);

	const restorers: Readonly<Record<PanelType, (panel: vscode.WebviewPanel, state: unknown) => Promise<void>>> = {
		'forge.ticket': (panel, state) => tickets.restorePage(panel, state),
		'forge.thread': (panel, state) => lists.restorePage('forge.thread', panel, state),
		'forge.patchset': (panel, state) => lists.restorePage('forge.patchset', panel, state),
		'forge.repository': (panel, state) => repositories.restorePage('forge.repository', panel, state),
		'forge.commit': (panel, state) => repositories.restorePage('forge.commit', panel, state),
		'forge.connection': (panel, state) => connectionCheck.restorePage(panel, state),
	};

	return Promise.resolve({
		run: (command, subject, selected) => commands.run(command, subject, selected),
		trees: filled.trees,
		sessions: accounts.provider,
		files: repositories.files,
		drafts: writing.files,
		mails: lists.mails,
		patches: lists.patches,
		versions: lists.versions,
		previews: lists.previews,
		series: lists.series,
		references: () => allThere().then(() => references.references),
		tool: (name) => allThere().then(() => tools(name)),
		openEditorLink: (link) => linksFromOutside.open(link),
		onDidChangeAccounts: accountsTold.onDidChange,
		async restorePanel(type, panel, state) {
			await allThere();
			await restorers[type](panel, state);
		},
		dispose: () => owned.dispose(),
	});
}

/** Language model tools of all features, by name. */
function modelTools(context: ToolContext): (name: ToolName) => vscode.LanguageModelTool<unknown> {
	const all = { ...ticketTools, ...listTools, ...repositoryTools };
	const opened = new Map<ToolName, vscode.LanguageModelTool<unknown>>();
	return (name) => {
		const before = opened.get(name);
		if (before) {
			return before;
		}
		const area =
			name in ticketTools ? 'todo' : name in listTools ? 'lists' : name in repositoryTools ? 'git' : undefined;
		const connections = area === undefined ? context.connections : withArea(context.connections, area);
		const tool = all[name]({ ...context, connections });
		opened.set(name, tool);
		return tool;
	};
}

/** This window's drafts, including migrated ones of the first version. */
function windowDrafts(
	{ globalStorageUri }: Pick<vscode.ExtensionContext, 'globalStorageUri'>,
	storage: EditorStorage,
	shown: Problems,
): Drafts {
	const files = draftFiles(vscode.Uri.joinPath(globalStorageUri, 'drafts').fsPath);
	takeOverEarlierDrafts(storage, files).catch((error: unknown) => shown.log(error));
	return keptDrafts(files, randomBytes(8).toString('hex'));
}

/** Saved and active filters, stored across restarts. Sets the context key for menus. */
export function keptFilters(storage: NameStorage, connections: Connections) {
	return ticketFilters(
		filterSetting(vscode.workspace),
		connections,
		(owner) =>
			keptNames(
				// The filter over all trackers has no account.
				storageWhile(() => owner === 'all' || connections.byKey(owner) !== undefined, storage),
				'filters',
				owner,
			),
		(isFiltered) => void vscode.commands.executeCommand('setContext', 'forge.tickets.filtered', isFiltered),
	);
}
