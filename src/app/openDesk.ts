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
import { runner } from '../editor/runner.ts';
import { SessionStore } from '../editor/sessionStore.ts';
import { accountsFeature, type AccountsFeature } from '../features/accounts/accountsFeature.ts';
import { listsFeature } from '../features/lists/listsFeature.ts';
import { repositoriesFeature } from '../features/repositories/repositoriesFeature.ts';
import { ticketsFeature } from '../features/tickets/ticketsFeature.ts';
import { ListStore } from '../state/listStore.ts';
import { RepositoryStore } from '../state/repositoryStore.ts';
import { TicketStore } from '../state/ticketStore.ts';
import { accountNet } from './accountNet.ts';
import { closeDocuments } from './closeDocuments.ts';
import { connections, type LiveConnections } from './connections.ts';
import { keptDrafts } from './keptDrafts.ts';
import { forgetNames, keptNames } from './keptNames.ts';
import { mailWorker } from './mailWorker.ts';
import { network } from './network.ts';
import { sampleForge } from './sampleForge.ts';
import { systemClock } from './systemClock.ts';
import { filledViews } from './views.ts';

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
				await forgetNames(context.globalState, key);
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
				const stores = new Disposables();
				const tickets = stores.add(
					new TicketStore({
						api: bare.forge.trackers,
						me: bare.me,
						followed: keptNames(context.globalState, 'trackers', bare.key),
					}),
				);
				const lists = stores.add(
					new ListStore({
						api: bare.forge.lists,
						me: bare.me,
						followed: keptNames(context.globalState, 'lists', bare.key),
					}),
				);
				const repositories = stores.add(
					new RepositoryStore({
						api: bare.forge.repositories,
						me: bare.me,
						followed: keptNames(context.globalState, 'repositories', bare.key),
						beginWalk: async () => (await net.open()).beginWalk(bare.instance, 'git'),
					}),
				);
				return { ...bare, tickets, lists, repositories, dispose: () => stores.dispose() };
			},
			clock,
			log,
		}),
	);
	const pages = owned.add(
		pageHost({ extensionUri: context.extensionUri, problems: shown, nonce: () => randomBytes(16).toString('hex') }),
	);
	const tickets = owned.add(
		ticketsFeature({
			connections: live,
			render: () => import('../render.ts'),
			pages,
			problems: shown,
			drafts: keptDrafts(context.globalState),
			clock,
			log,
		}),
	);
	const started = signedInAtStart(sample.account, accounts, live, shown);
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
			ready: () => started.then(() => live.ready),
			mailReader: mails,
			problems: shown,
			clock,
		}),
	);
	const repositories = owned.add(
		repositoriesFeature({
			connections: live,
			ready: () => started.then(() => live.ready),
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
		runner([accounts.commands, tickets.commands, lists.commands, repositories.commands, links, filled.commands], shown),
	);

	return Promise.resolve({
		run: (command, subject) => commands.run(command, subject),
		trees: filled.trees,
		sessions: accounts.provider,
		files: repositories.files,
		mails: lists.mails,
		async restorePanel(_, panel, state) {
			await started;
			await live.ready;
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
