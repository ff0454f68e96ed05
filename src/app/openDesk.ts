import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { Disposables } from '../base/lifecycle.ts';
import type { Log } from '../base/log.ts';
import { clientSecrets } from '../editor/clientSecrets.ts';
import type { Desk, Views } from '../editor/desk.ts';
import { forgeDirectory } from '../editor/forgeDirectory.ts';
import { forgeSettings, forgesSetting } from '../editor/forgeSettings.ts';
import { linkCommands } from '../editor/linkCommands.ts';
import { pageHost } from '../editor/pageHost.ts';
import { problems, type Problems } from '../editor/problems.ts';
import { rowsInFocus } from '../editor/rowsInFocus.ts';
import { runner } from '../editor/runner.ts';
import { keyCommands } from '../editor/showKeys.ts';
import { SessionStore } from '../editor/sessionStore.ts';
import { accountsFeature, type AccountsFeature } from '../features/accounts/accountsFeature.ts';
import { listsFeature } from '../features/lists/listsFeature.ts';
import { repositoriesFeature } from '../features/repositories/repositoriesFeature.ts';
import { writingFeature } from '../features/tickets/drafts/writingFeature.ts';
import { readFolderSetting } from '../features/tickets/references/folderSetting.ts';
import { findGit } from '../features/tickets/references/gitApi.ts';
import { readFolders } from '../features/tickets/references/readFolders.ts';
import { ticketTools } from '../features/tickets/models/ticketTools.ts';
import { referencesFeature } from '../features/tickets/references/referencesFeature.ts';
import { ticketsFeature } from '../features/tickets/ticketsFeature.ts';
import { treeChoices } from '../features/tickets/tree/treeChoices.ts';
import { accountNet } from './accountNet.ts';
import { accountStores } from './accountStores.ts';
import { ticketAccounts } from './ticketAccounts.ts';
import { closeDocuments } from './closeDocuments.ts';
import { connections, type LiveConnections } from './connections.ts';
import { forgetElsewhere } from './forgetElsewhere.ts';
import { forgetNames } from './keptNames.ts';
import { keptFilters } from './keptFilters.ts';
import { keptText } from './keptText.ts';
import { keptPageOrder } from './keptPageOrder.ts';
import { mailWorker } from './mailWorker.ts';
import { storageWhile, type NameStorage } from './nameStorage.ts';
import { network } from './network.ts';
import { sampleForge } from './sampleForge.ts';
import { systemClock } from './systemClock.ts';
import { tellOfAccounts } from './tellOfAccounts.ts';
import { filledViews } from './views.ts';
import { windowDrafts } from './windowDrafts.ts';

/** Builds everything from top to bottom. Called once per window, on the first use of any part. */
export function openDesk(context: vscode.ExtensionContext, views: Views): Promise<Desk> {
	const owned = new Disposables();
	const clock = systemClock;
	const channel = owned.add(vscode.window.createOutputChannel('Forge Desk', { log: true }));
	const log: Log = channel;
	const shown = problems(log, () => channel.show(), clock);

	const net = owned.add(network(clock, versionOf(context)));
	const sample = owned.add(
		sampleForge({
			programPath: vscode.Uri.joinPath(context.extensionUri, 'dist', 'sampleForge.cjs').fsPath,
			cacheDir: vscode.Uri.joinPath(context.globalStorageUri, 'sample').fsPath,
			environment: process.env,
			log,
		}),
	);
	const settings = owned.add(forgeSettings(forgesSetting(vscode.workspace)));
	const forges = owned.add(forgeDirectory(settings, sample));
	const sessions = owned.add(new SessionStore(context.secrets, log));
	const indexes = vscode.Uri.joinPath(context.globalStorageUri, 'index').fsPath;
	const ticketsOf = owned.add(ticketAccounts({ folder: indexes, editor: vscode, clock, log }));
	const forgetKept = async (key: string): Promise<void> => {
		await forgetNames(context.globalState, key);
		await ticketsOf.forget(key);
	};
	owned.add(forgetElsewhere(sessions, forgetKept, (error) => shown.log(error)));
	const accounts = owned.add(
		accountsFeature({
			sessions,
			settings,
			forges,
			sample,
			clientSecrets: clientSecrets(context.secrets, sample),
			net: accountNet(() => net.open()),
			clock,
			random: (size) => randomBytes(size),
			explain: (error) => shown.explain(error).message,
			async forget(key) {
				await forgetKept(key);
				await closeDocuments(key);
			},
		}),
	);
	const live = owned.add(
		connections({
			sessions,
			forges,
			net: () => net.open(),
			ensureScope: accounts.ensureScope,
			tokenRejected(session) {
				// One notice is enough: a command that failed for this reason has told it already.
				if (!shown.hasJustToldOfToken()) {
					accounts.tokenRejected(session);
				}
			},
			open(bare) {
				const isThere = (): boolean => sessions.byId(bare.key) !== undefined;
				return accountStores(bare, { storage: storageWhile(isThere, context.globalState), ticketsOf, net, clock });
			},
			clock,
			log,
		}),
	);
	const started = signedInAtStart(sample.account, accounts, live, shown);
	void started
		.then(() => ticketsOf.keepOnly(sessions.current().map(({ id }) => id)))
		.catch((error: unknown) => shown.log(error));
	const allThere = (): Promise<void> => started.then(() => live.ready);

	const pages = owned.add(
		pageHost({
			extensionUri: context.extensionUri,
			problems: shown,
			nonce: () => randomBytes(16).toString('hex'),
			read: async (file) => Buffer.from(await vscode.workspace.fs.readFile(file)).toString(),
		}),
	);
	const drafts = windowDrafts(context, shown);
	const filters = owned.add(keptFilters(context.globalState, live));
	const storageOf = (key: string): NameStorage =>
		storageWhile(() => live.byKey(key) !== undefined, context.globalState);
	const choices = owned.add(treeChoices((key) => keptText(storageOf(key), 'shown', key)));
	const tickets = owned.add(
		ticketsFeature({
			connections: live,
			render: () => import('../render.ts'),
			pages,
			pageOrder: keptPageOrder(context.globalState),
			problems: shown,
			drafts,
			filters,
			treeChoices: choices,
			view: views['forge.tickets'],
			clock,
			log,
		}),
	);
	const folders = readFolders({
		connections: live,
		findGit,
		readSetting: readFolderSetting,
		workspaceFolderOf: (uri) => vscode.workspace.getWorkspaceFolder(uri)?.uri,
		clock,
	});
	const writing = owned.add(
		writingFeature({
			connections: live,
			filters,
			drafts,
			problems: shown,
			clock,
			ready: allThere,
			folderOf: folders.of,
			git: findGit,
			newName: () => randomBytes(8).toString('hex'),
		}),
	);
	const references = owned.add(
		referencesFeature({
			connections: live,
			folders,
			findGit,
			pages,
			clock,
			workspaceStorage: context.workspaceState,
		}),
	);
	const tools = ticketTools({ connections: live, clock, problems: shown });
	const accountsTold = owned.add(tellOfAccounts(live, context.globalState));
	const mails = owned.add(
		mailWorker({
			programPath: vscode.Uri.joinPath(context.extensionUri, 'dist', 'mailParser.cjs').fsPath,
			limitMs: 2000,
			wholeLimitMs: 20_000,
			clock,
			log,
		}),
	);
	const lists = owned.add(
		listsFeature({
			connections: live,
			ready: allThere,
			mailReader: mails,
			problems: shown,
			clock,
		}),
	);
	const repositories = owned.add(
		repositoriesFeature({
			connections: live,
			ready: allThere,
			problems: shown,
			clock,
		}),
	);
	const filled = owned.add(
		filledViews({
			views,
			sources: { 'forge.tickets': tickets.tree, 'forge.lists': lists.tree, 'forge.repositories': repositories.tree },
			connections: live,
			problems: shown,
			ready: started,
		}),
	);
	const links = linkCommands([tickets.links, lists.links, repositories.links], () => pages.inFront());
	const commands = owned.add(
		runner(
			[
				accounts.commands,
				writing.commands,
				references.commands,
				tickets.commands,
				lists.commands,
				repositories.commands,
				links,
				keyCommands(context.extension, process.platform === 'darwin'),
				filled.commands,
			],
			{
				problems: shown,
				rowsInFocus: rowsInFocus(views['forge.tickets']),
			},
		),
	);

	return Promise.resolve({
		run: (command, subject, selected) => commands.run(command, subject, selected),
		trees: filled.trees,
		sessions: accounts.provider,
		files: repositories.files,
		drafts: writing.files,
		mails: lists.mails,
		references: () => allThere().then(() => references.references),
		tools: () => allThere().then(() => tools),
		onDidChangeAccounts: accountsTold.onDidChange,
		async restorePanel(_, panel, state) {
			await allThere();
			await tickets.restorePage(panel, state);
		},
		dispose: () => owned.dispose(),
	});
}

/** Settles once everybody who is signed in at start is connected. Never rejects. */
async function signedInAtStart(
	sampleAccount: string | undefined,
	accounts: AccountsFeature,
	live: LiveConnections,
	shown: Problems,
): Promise<void> {
	await live.ready;
	if (sampleAccount !== undefined) {
		await accounts
			.signInToSample(sampleAccount, new AbortController().signal)
			.catch((error: unknown) => shown.show(error));
	}
}

function versionOf({ extension }: vscode.ExtensionContext): string {
	const manifest: unknown = extension.packageJSON;
	return typeof manifest === 'object' && manifest !== null && 'version' in manifest ? String(manifest.version) : '0';
}
