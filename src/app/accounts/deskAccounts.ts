import * as vscode from 'vscode';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Emitter } from '@forge-desk/base/event.ts';
import { Disposables } from '@forge-desk/base/lifecycle.ts';
import { logWithoutSecrets } from '../../base/log.ts';
import { clientSecrets } from '../../editor/accounts/clientSecrets.ts';
import { archiveDirectory } from '../../editor/accounts/archiveDirectory.ts';
import { forgeDirectory, forgeSettings, userSettingOf } from '../../editor/accounts/forgeDirectory.ts';
import { SessionStore } from '../../editor/accounts/sessionStore.ts';
import { problems, type Problems } from '../../editor/ask/problems.ts';
import { findGit } from '../../editor/git/gitApi.ts';
import { closeTabs } from '../../editor/links/tabAddresses.ts';
import { noAccount } from '../../editor/trees/expansionState.ts';
import { accountsFeature, type AccountsFeature } from '../../features/accounts/accountsFeature.ts';
import { removeBeforeTokenGoes } from '../../features/webhooks/removeWebhooks.ts';
import { factsInMemory } from 'sourcehut/port/learntFacts.ts';
import type { Connection } from '../../store/connection.ts';
import { foundProtocols } from '../../store/shared/foundProtocols.ts';
import { ownIdentity } from 'hardened-git/sendMail.ts';
import { keptFacts } from '../../store/shared/keptNames.ts';
import { windowLease, type WindowLease } from '../../store/watch/windowLease.ts';
import type { CacheLimits } from '../../machine/storage/cacheFolders.ts';
import { fileLines } from '../../machine/storage/fileLines.ts';
import { fileTexts, nameOf } from '../../machine/storage/fileTexts.ts';
import { leftOutboxes, outboxFiles } from '../../machine/storage/outboxFiles.ts';
import {
	type EditorStorage,
	type NameStorage,
	forgetNames,
	keepOnlyNames,
	keptForAll,
	keptNames,
	steadyStorage,
	storageWhile,
} from '../../machine/storage/editorStorage.ts';
import { objectFolders } from '../../machine/storage/objectFolders.ts';
import { mailLimits, repositoryLimits, textFolders, type TextFolders } from '../../machine/storage/textFolders.ts';
import { indexThread } from '../../machine/threads/indexThread.ts';
import { jsonWorker } from '../../machine/threads/jsonWorker.ts';
import { mailWorker } from '../../machine/threads/mailWorker.ts';
import { cloneContents } from '../machine/cloneContents.ts';
import { gitHistories } from '../machine/gitHistories.ts';
import { gitReads } from '../machine/gitReads.ts';
import { localMachine } from '../machine/localMachine.ts';
import { sampleForge } from '../sample/sampleForge.ts';
import { isOfSample } from '../../editor/accounts/sampleSource.ts';
import { programArchives } from './archives.ts';
import { accountNet } from './accountNet.ts';
import { accountStores } from './accountStores.ts';
import { connections, type LiveConnections } from './connections.ts';
import { forgetElsewhere } from './forgetElsewhere.ts';
import { network, userAgentOf } from './network.ts';
import { systemClock } from './systemClock.ts';
import { ticketAccounts } from './ticketAccounts.ts';

/** Each delivery takes two lines: nonce and id. */
const mostSeenLines = 20_000;

export type DeskAccounts = ReturnType<typeof deskAccounts>;

/** Accounts, their stores and the services that all features share; adds them to `owned`. */
export function deskAccounts(context: vscode.ExtensionContext, storage: EditorStorage, owned: Disposables) {
	const clock = systemClock;
	const channel = owned.add(vscode.window.createOutputChannel('Forge Desk', { log: true }));
	const log = logWithoutSecrets(channel, () => sessions.secrets());
	const shown = problems(log, () => channel.show(), clock);

	const mailParser = vscode.Uri.joinPath(context.extensionUri, 'dist', 'mailParser.js').fsPath;
	const workerJson = owned.add(jsonWorker({ programPath: mailParser, clock, log }, 10_000));
	const machine = localMachine(findGit, () => vscode.workspace.isTrusted);
	const git = gitReads(machine.git, tmpdir());
	const net = owned.add(network(clock, userAgentOf(context.extension.packageJSON), workerJson, git));
	const sample = owned.add(
		sampleForge(
			{
				programPath: vscode.Uri.joinPath(context.extensionUri, 'dist', 'sampleForge.js').fsPath,
				stateFolder: vscode.Uri.joinPath(context.globalStorageUri, 'sample').fsPath,
			},
			process.env,
			machine.gitProgram,
			context.secrets,
			log,
		),
	);
	const settings = owned.add(forgeSettings(userSettingOf(vscode.workspace, 'forges')));
	const protocols = owned.add(
		foundProtocols(
			async (instance, area, signal) => (await net.open()).findProtocol(instance, area, signal),
			keptForAll(storage, 'forge.protocols'),
			clock,
		),
	);
	const forges = owned.add(forgeDirectory(settings, sample, protocols));
	const sessions = owned.add(new SessionStore(context.secrets, log));
	const archiveLists = owned.add(
		archiveDirectory(
			userSettingOf(vscode.workspace, 'archives.lists'),
			userSettingOf(vscode.workspace, 'archives.mirrors'),
			keptForAll(steadyStorage(context.workspaceState), 'forge.visitedArchives'),
		),
	);
	const indexOfMails = owned.add(indexThread({ programPath: mailParser, clock, log }, 60_000));
	const archives = programArchives(
		archiveLists,
		() => net.open(),
		async (signal) => (await ownIdentity(machine.git, tmpdir(), undefined, process.env['EMAIL'], signal))?.address,
		clock,
		{
			folder: vscode.Uri.joinPath(context.globalStorageUri, 'archives', 'lists').fsPath,
			git: machine.git,
			hasGit: machine.isTrusted,
			ask: indexOfMails.ask,
		},
	);
	const knownArchives = keptForAll(storage, 'forge.archiveKeys');
	/**
	 * All that any window has had. Marks and snoozes of an archive stay without its lists, and mailboxes may not be read
	 * yet.
	 */
	const archiveKeys = (): readonly string[] => {
		const text = knownArchives.read();
		const known = typeof text === 'string' ? text.split('\n') : [];
		return [...new Set([...known, ...archives.all().map(([key]) => key), archives.mailboxKey])];
	};
	function rememberArchives(): void {
		if (archives.all().length > 0) {
			void knownArchives.write(archiveKeys().join('\n')).catch((error: unknown) => shown.log(error));
		}
	}
	rememberArchives();
	owned.add(archives.onDidChange(rememberArchives));
	/** Empty without a session, because an unreadable secret storage looks the same: nothing may be deleted then. */
	const allKeys = async (): Promise<readonly string[]> => {
		const ids = await sessions.allIds();
		return ids.length === 0 ? [] : [...ids, ...archiveKeys()];
	};
	const isThere = (key: string): boolean => sessions.byId(key) !== undefined || archiveKeys().includes(key);
	const indexes = vscode.Uri.joinPath(context.globalStorageUri, 'index').fsPath;
	const ticketsOf = owned.add(ticketAccounts(indexes, vscode, Math.random, clock, log));
	const objects = objectFolders(vscode.Uri.joinPath(context.globalStorageUri, 'objects').fsPath, clock);
	const historiesFolder = vscode.Uri.joinPath(context.globalStorageUri, 'histories').fsPath;
	const histories = gitHistories({ git: machine.git, tempFolder: tmpdir() }, historiesFolder, clock);
	const textsIn = (name: string, limits: CacheLimits): TextFolders =>
		textFolders(vscode.Uri.joinPath(context.globalStorageUri, name).fsPath, clock, limits);
	const mailsOf = textsIn('mails', mailLimits);
	const repositoriesOf = textsIn('repositories', repositoryLimits);
	const outboxes = vscode.Uri.joinPath(context.globalStorageUri, 'outbox').fsPath;
	const texts = fileTexts(vscode.Uri.joinPath(context.globalStorageUri, 'texts').fsPath, isThere, clock, outboxes);
	const windowFolder = vscode.Uri.joinPath(context.globalStorageUri, 'windows').fsPath;
	const windowTexts = fileTexts(windowFolder, () => true, clock);
	const seenDeliveries = fileLines(join(windowFolder, 'seen.txt'), mostSeenLines);
	const windowName = randomBytes(8).toString('hex');
	const lease = owned.add(
		firstAccountLease(() =>
			windowLease(windowTexts.of('lease', 'watcher'), windowName, () => vscode.window.state.focused, clock),
		),
	);
	const windowStorage = steadyStorage(context.workspaceState);
	const forgetKept = async (key: string): Promise<void> => {
		const isLast = sessions.current().length === 0;
		await allOf([
			forgetNames(storage, key),
			forgetNames(windowStorage, key),
			...(isLast ? [forgetNames(windowStorage, noAccount)] : []),
			texts.forget(key),
			objects.forget(key),
			histories.forget(key),
			mailsOf.forget(key),
			repositoriesOf.forget(key),
			ticketsOf.forget(key),
		]);
	};
	owned.add(forgetElsewhere(sessions, forgetKept, (error) => shown.log(error)));
	/** Accounts whose webhooks went before a planned revocation of their token. */
	const withoutWebhooks = new Set<string>();
	const accounts = owned.add(
		accountsFeature({
			sessions,
			settings,
			forges,
			sample,
			clientSecrets: clientSecrets(context.secrets, sample),
			net: accountNet(() => net.open(), protocols),
			clock,
			random: (size) => randomBytes(size),
			explain: (error) => shown.explain(error).message,
			endings: keptForAll(storage, 'forge.endings'),
			lease: lease.now,
			noteFailure: (error) => shown.log(error),
			queued(key): number {
				const { outbox, mailOutbox } = live.byKey(key) ?? {};
				return [outbox, mailOutbox].reduce((sum, queue) => sum + (queue?.items().length ?? 0), 0);
			},
			async beforeTokenGoes(key, signal) {
				const connection = live.byKey(key);
				withoutWebhooks.delete(key);
				if (connection) {
					const removing = (): void => void withoutWebhooks.add(key);
					await removeBeforeTokenGoes(connection, clock, shown, removing, signal);
				}
			},
			async tokenStays(key) {
				// Webhooks that the user removed earlier stay removed.
				if (!withoutWebhooks.delete(key)) {
					return;
				}
				try {
					await live.byKey(key)?.webhooks.makeAgain();
				} catch (error) {
					shown.log(error);
				}
			},
			async forget(key) {
				await forgetKept(key);
				await closeDocuments(key);
			},
		}),
	);
	const mails = owned.add(mailWorker({ programPath: mailParser, clock, log }, 2000, 20_000));
	const whileThere = (key: string, kept: EditorStorage = storage): NameStorage =>
		storageWhile(() => isThere(key), kept);
	const live = owned.add(
		connections({
			sessions,
			forges,
			archives,
			net: () => net.open(),
			ensureScope: accounts.ensureScope,
			protocols,
			learnt: ({ key, instance }) =>
				instance.isSample ? factsInMemory() : keptFacts(keptNames(whileThere(key), 'limits', key)),
			tokenRejected(session) {
				// The failed command may have shown this already.
				if (!shown.hasJustToldOfToken()) {
					accounts.tokenRejected(session);
				}
			},
			tokenReplaced({ webhooks, inboxReadings }: Connection) {
				inboxReadings.tokenReplaced();
				// The next listing repairs a failure.
				webhooks.tokenReplaced().catch((error: unknown) => shown.log(error));
			},
			open(bare) {
				return accountStores(bare, {
					storage: whileThere(bare.key),
					followedLists:
						bare.instance.archiveUrl === undefined
							? keptNames(whileThere(bare.key), 'lists', bare.key)
							: archives.followed(bare.instance.archiveUrl),
					windowStorage: whileThere(bare.key, windowStorage),
					objects,
					mails: mailsOf,
					repositoryTexts: repositoriesOf,
					texts,
					windowName,
					outboxOf: (kind, key) => outboxFiles(join(outboxes, nameOf(key), ...(kind === 'mails' ? [kind] : [])), clock),
					explain: (error) => shown.explain(error).message,
					ticketsOf,
					net,
					mailReader: mails,
					historyAt: histories.of,
					clones: cloneContents(findGit, machine.git, machine.isTrusted),
					lease: lease.begin(),
					random: () => Math.random(),
					computer: vscode.env.machineId,
					randomBytes: (size) => randomBytes(size),
					clock,
				});
			},
			clock,
			log,
		}),
	);
	const lookAtMailboxes = (): void => void archives.look().catch((error: unknown) => shown.log(error));
	lookAtMailboxes();
	// Another window may have opened a mailbox.
	owned.add(vscode.window.onDidChangeWindowState(({ focused }) => focused && lookAtMailboxes()));
	const started = signedInAtStart(sample.user(), accounts, live, shown);
	void started
		.then(async () => {
			const keys = [...sessions.current().map(({ id }) => id), ...archiveKeys()];
			await allOf([
				...[ticketsOf, objects, histories, mailsOf, repositoriesOf].map((each) => each.keepOnly(keys)),
				// Caches can be reloaded, these texts can't: also keep them for accounts whose secret is unreadable.
				texts.keepOnly(allKeys),
				...[storage, windowStorage].map((each) =>
					keepOnlyNames(
						each,
						// Sample sessions live in memory, so secret storage has no entry for them.
						async () => (await allKeys()).filter((id) => !isOfSample(id)),
						// Sample data stays: another window may use it, and the sample forge's next start finds it again.
						(owner) => owner === noAccount || isOfSample(owner),
					),
				),
			]);
		})
		.catch((error: unknown) => shown.log(error));
	const allThere = (): Promise<void> => started.then(() => live.ready);
	const windowStorageOf = (owner: string): NameStorage =>
		storageWhile(() => (owner === noAccount ? live.all().length > 0 : live.byKey(owner) !== undefined), windowStorage);
	return {
		clock,
		log,
		shown,
		accounts,
		live,
		/** Every configured forge, signed in or not. */
		forges,
		archives,
		archiveLists,
		sessions,
		mails,
		machine,
		/** Account texts shared by all windows. They survive a killed process. */
		texts,
		/** Texts shared by all windows, without an account. */
		windowTexts,
		/** Deliveries seen by webhook listeners, shared by all windows. */
		seenDeliveries,
		/** Held by one window, for all accounts: it polls, listens and maintains webhooks. */
		lease: lease.now,
		net,
		sample: () => sample.running(),
		/** Items of accounts that are not signed in. */
		leftOutboxes: () => leftOutboxes(outboxes, new Set(live.all().map(({ key }) => nameOf(key))), clock),
		onDidChangeSessions: sessions.onDidChange,
		/**
		 * Per-window storage of an account, read-only after sign-out. With `noAccount`: read-only after the last
		 * sign-out.
		 */
		windowStorageOf,
		/** Resolves after all accounts of the start are connected. Never rejects. */
		started,
		/** Resolves after all current accounts are connected. Never rejects. */
		allThere,
	};
}

/** Resolves after all accounts of the start are connected. Never rejects. */
async function signedInAtStart(
	sampleUser: Promise<string | undefined>,
	accounts: AccountsFeature,
	live: LiveConnections,
	shown: Problems,
): Promise<void> {
	await live.ready;
	try {
		const user = await sampleUser;
		if (user !== undefined) {
			await accounts.signInToSample(user, new AbortController().signal);
		}
	} catch (error) {
		void shown.show(error);
	}
}

/** Waits for all removals, then throws the first failure. */
async function allOf(removals: readonly Promise<void>[]): Promise<void> {
	const ended = await Promise.allSettled(removals);
	const failed = ended.find((each) => each.status === 'rejected');
	if (failed) {
		throw failed.reason;
	}
}

/** Schemes whose URIs have the account as authority. */
const ours = new Set(['forge', 'forge-mail', 'forge-patch', 'forge-review', 'forge-series', 'forge-versions']);

/** Closes all documents of a signed-out account, because its token read them. */
export async function closeDocuments(connectionKey: string): Promise<void> {
	await closeTabs(({ scheme, authority }) => ours.has(scheme) && authority === connectionKey);
}

/** A lazy window lease, requested when the first account exists. Nobody holds it before. */
function firstAccountLease(open: () => WindowLease) {
	const owned = new Disposables();
	const changed = owned.add(new Emitter<void>());
	let lease: WindowLease | undefined;
	return {
		/** Call when an account exists. */
		begin() {
			if (lease === undefined) {
				lease = owned.add(open());
				owned.add(lease.onDidChange(() => changed.fire()));
			}
			return lease;
		},
		now: { isOwner: () => lease?.isOwner() ?? false, onDidChange: changed.event },
		dispose: () => owned.dispose(),
	};
}
