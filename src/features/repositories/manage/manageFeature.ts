import * as vscode from 'vscode';
import { Disposables, type Disposable } from '@forge-desk/base/lifecycle.ts';
import { onceAtATime } from '../../../base/onceAtATime.ts';
import type { CommandId } from '../../../commands/table.ts';
import { askFor, cancelled, choose } from '../../../editor/ask/ask.ts';
import { notify, confirm, tellBriefly, withoutPictures } from '../../../editor/ask/notify.ts';
import type { Problems } from '../../../editor/ask/problems.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import type { Feature } from '../../../editor/commands/feature.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import { openExactly } from '../../../editor/links/openDestination.ts';
import { askAccount, ownTarget, deleteOwned } from '../../../editor/owned/askOwned.ts';
import { askVisibility } from '../../../editor/owned/askVisibility.ts';
import { type Unmade, createOwned, nameComplaint, ownNames } from '../../../editor/owned/newOwned.ts';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import type { Repository, RepositoryRef, RepositoryChanges, Reference } from 'sourcehut/port/repository.ts';
import { type Connection, watchConnections } from '../../../store/connection.ts';
import { inReadingOrder, referenceKind, shortName } from '../../../store/repositories/repositoryReferences.ts';
import type { ChangedRepository } from '../../../store/repositories/repositoryWriter.ts';
import { listingPages } from '../../../store/shared/pageRead.ts';
import { laterFiles, isOf, openFiles, openFolders } from '../places/openPlaces.ts';
import { isSingleFolderWindow, moveFiles, replaceFolders, type NewPlace } from '../places/movePlaces.ts';
import { repositoryKind } from '../subjects/repositoryKind.ts';
import type { RepositorySubject } from '../subjects/subjects.ts';

import { shownName } from '../subjects/words.ts';
import type { RepositoriesContext } from '../parts/repositoriesContext.ts';
import { orInFront } from '../questions/repositoryTarget.ts';
import { webOf } from '../../../editor/links/webOf.ts';

/** Composes the management of own repositories. */
export function manageFeature(context: RepositoriesContext): Feature {
	const { connections } = context;
	const owned = new Disposables();
	owned.add(renamedPlaces(context));
	const unmade: Unmade = new Map();
	const once = onceAtATime();

	/** From the palette the repository in front, if it is the account's own. */
	function target(subject: unknown, signal: AbortSignal): Promise<RepositorySubject> {
		const front = subject === undefined ? repositoryKind.subjectOf(orInFront(context, subject)) : undefined;
		const isOwn = front?.ref.owner === connections.byKey(front?.connectionKey ?? '')?.me;
		return ownTarget(repositoryKind, connections, isOwn ? front : subject, signal);
	}

	return {
		commands: {
			'forge.repositories.create': async (_, signal) =>
				createRepository(unmade, await askAccount(repositoryKind, connections), signal),
			'forge.repositories.edit': async (subject, signal) => {
				const own = await target(subject, signal);
				return editRepository(context, connectionOf(connections, own), own, signal);
			},
			'forge.repositories.setDefaultBranch': async (subject, signal) => {
				const own = await target(subject, signal);
				return setDefaultBranch(connectionOf(connections, own), own, signal);
			},
			'forge.repositories.delete': async (subject, signal) => {
				const own = await target(subject, signal);
				return once(`${own.connectionKey} ${refText(own.ref)}`, async () => {
					await deleteOwned(repositoryKind, connectionOf(connections, own), own.ref, signal);
				});
			},
		},
		dispose: () => owned.dispose(),
	};
}

/** Asks for the name and the settings, then creates the repository. */
export async function createRepository(unmade: Unmade, connection: Connection, signal: AbortSignal): Promise<void> {
	const ref = await createOwned(repositoryKind, unmade, connection, signal);
	// Not awaited: an open notice must not block the command.
	const open = vscode.l10n.t('Open');
	const message = vscode.l10n.t('Created {0}. It is empty until something is pushed.', shownName(refText(ref)));
	void notify('information', message, open, vscode.l10n.t('Clone…')).then((chosen) => {
		const command: CommandId = chosen === open ? 'forge.repositories.open' : 'forge.repositories.clone';
		const repository: RepositorySubject = { kind: 'repository', connectionKey: connection.key, ref };
		return chosen === undefined ? undefined : vscode.commands.executeCommand(command, repository);
	});
}

/** Asks what of a repository shall be another, and changes it. */
export async function editRepository(
	{ problems, editDescription }: RepositoriesContext,
	connection: Connection,
	subject: RepositorySubject,
	signal: AbortSignal,
): Promise<void> {
	const { ref } = subject;
	const now = await connection.repositories.metadata.read(ref, signal);
	const edit = await choose<() => Promise<void>>(vscode.l10n.t('Choose what to edit in {0}', shownName(refText(ref))), [
		{
			label: vscode.l10n.t('Name…'),
			description: shownName(now.name),
			iconPath: new vscode.ThemeIcon('edit'),
			value: () => rename(problems, connection, ref, signal),
		},
		{
			label: vscode.l10n.t('Description…'),
			description: vscode.l10n.t('as a Markdown document'),
			iconPath: new vscode.ThemeIcon('markdown'),
			value: () => editDescription(subject),
		},
		{
			label: vscode.l10n.t('Visibility…'),
			description: shownName(now.visibility),
			iconPath: new vscode.ThemeIcon('eye'),
			value: () => show(problems, connection, { ref, now }, signal),
		},
	]);
	await edit();
}

/** The box keeps a name that the forge refuses. */
async function rename(problems: Problems, connection: Connection, ref: RepositoryRef, signal: AbortSignal) {
	const others = (await ownNames(repositoryKind, connection, signal)).filter((each) => each !== ref.name);
	let value = ref.name;
	let prompt = vscode.l10n.t('New name. The URL changes with it: update the remotes of clones.');
	for (;;) {
		const name = await askFor({
			title: vscode.l10n.t('Rename {0}', shownName(refText(ref))),
			prompt,
			value,
			complaint: (typed) => nameComplaint(repositoryKind, typed.trim(), others),
		});
		if (name === ref.name) {
			throw cancelled();
		}
		try {
			const changed = await changeRepository(connection, ref, { name }, signal);
			const [before, given] = [shownName(ref.name), shownName(changed.repository.name)];
			return tellChanged(problems, changed, vscode.l10n.t('Renamed {0} to {1}', before, given), (why) =>
				vscode.l10n.t('Renamed {0} to {1}, but the repository could not be loaded again. {2}', before, given, why),
			);
		} catch (error) {
			if (!isForgeError(error) || error.problem.kind !== 'invalid') {
				throw error;
			}
			value = name;
			prompt = problems.explain(error).message;
		}
	}
}

async function show(
	problems: Problems,
	connection: Connection,
	{ ref, now }: { readonly ref: RepositoryRef; readonly now: Repository },
	signal: AbortSignal,
): Promise<void> {
	const visibility = await askVisibility(vscode.l10n.t('Who can see the repository?'), {
		value: now.visibility,
		mark: vscode.l10n.t('current'),
	});
	const name = shownName(refText(ref));
	if (visibility === now.visibility) {
		throw cancelled();
	}
	if (
		now.visibility === 'private' &&
		!(await confirm(
			vscode.l10n.t('Make {0} visible to others?', name),
			vscode.l10n.t('Others can then read its whole history and keep copies of it.'),
			vscode.l10n.t('Make Visible'),
		))
	) {
		throw cancelled();
	}
	const changed = await changeRepository(connection, ref, { visibility }, signal);
	tellChanged(problems, changed, vscode.l10n.t('Changed the visibility of {0}', name), (why) =>
		vscode.l10n.t('Changed the visibility of {0}, but the repository could not be loaded again. {1}', name, why),
	);
}

/** `unread`: message after a successful change whose reload failed, with the reason. */
function tellChanged(
	{ explain }: Problems,
	changed: ChangedRepository,
	done: string,
	unread: (why: string) => string,
): void {
	if (!changed.unread) {
		return tellBriefly(done);
	}
	void notify('warning', unread(explain(changed.unread).message));
}

/** Changes an own repository. An empty description removes it. */
export function changeRepository(
	{ repositories }: Connection,
	ref: RepositoryRef,
	changes: RepositoryChanges,
	signal: AbortSignal,
): Promise<ChangedRepository> {
	return withProgress(vscode.l10n.t('Saving…'), signal, (working) => repositories.writes.change(ref, changes, working));
}

/** Offers to reopen files and folders of a renamed repository under its new name, after a rename by anybody. */
export function renamedPlaces({ connections, problems, laterFilesOf }: RepositoriesContext): Disposable {
	const ending = new AbortController();

	async function offerMove(
		connection: Connection,
		{ from, to }: { readonly from: RepositoryRef; readonly to: RepositoryRef },
	): Promise<void> {
		if (![...openFiles(), ...openFolders()].some(({ place }) => isOf(place, connection.key, { ref: from }))) {
			return;
		}
		const move = vscode.l10n.t('Open Under the New Name');
		const told = await notify(
			'information',
			vscode.l10n.t(
				'{0} was renamed to {1}. Its open files and folders still have the old name.',
				shownName(refText(from)),
				shownName(refText(to)),
			),
			move,
		);
		if (told !== move) {
			return;
		}
		const renamed: NewPlace = (place) => ({ ...place, ref: to });
		const files = openFiles().filter(({ place }) => isOf(place, connection.key, { ref: from }));
		const folders = openFolders().filter(({ place }) => isOf(place, connection.key, { ref: from }));
		const [folder] = folders;
		if (folder && isSingleFolderWindow()) {
			await laterFiles(laterFilesOf(connection.key)).keep(
				renamed(folder.place),
				files.map(({ place }) => renamed(place)),
			);
		} else {
			await moveFiles(connection, files, renamed, ending.signal);
		}
		if ((await replaceFolders(folders, renamed)) === 'refused') {
			void notify('error', vscode.l10n.t('The editor could not change the folders of the workspace. Try again.'));
		}
	}

	const watching = watchConnections(
		connections,
		(connection) => [
			connection.repositories.onDidChange((change) => {
				if (change.kind === 'renamed') {
					offerMove(connection, change).catch((error: unknown) => problems.show(error));
				}
			}),
		],
		() => undefined,
	);
	return {
		dispose() {
			ending.abort();
			watching.dispose();
		},
	};
}

/**
 * Asks which branch of a repository is the default one, and makes it that. Where only the web can do it, its page
 * opens.
 */
export async function setDefaultBranch(connection: Connection, subject: RepositorySubject, signal: AbortSignal) {
	const { ref } = subject;
	const { repositories, instance } = connection;
	const set = repositories.writes.setDefaultBranch;
	if (!set) {
		const address = webOf(instance).address(subject);
		if (address !== undefined) {
			await openExactly(`${address}/settings/info`);
		}
		return;
	}
	const { branches, first, isPart } = await withProgress(vscode.l10n.t('Loading branches…'), signal, (working) =>
		branchesOf(connection, ref, working),
	);
	const name = shownName(refText(ref));
	if (branches.length === 0) {
		// Not awaited: the notice may stay open for hours.
		void notify('information', vscode.l10n.t('{0} has no branches until something is pushed.', name));
		throw cancelled();
	}
	const branch = await choose(
		vscode.l10n.t('Choose the default branch of {0}', name),
		inReadingOrder(branches, first).map((each) => ({
			label: withoutPictures(shownName(shortName(each))),
			iconPath: new vscode.ThemeIcon('git-branch'),
			...(shortName(each) === first ? { description: vscode.l10n.t('current') } : {}),
			value: shortName(each),
		})),
		isPart ? vscode.l10n.t('The forge lists only some branches of {0}.', name) : undefined,
	);
	if (branch === first) {
		throw cancelled();
	}
	await withProgress(vscode.l10n.t('Saving…'), signal, (working) => set(ref, branch, working));
	tellBriefly(vscode.l10n.t('The default branch of {0} is now {1}', name, shownName(branch)));
}

/** All branches and the default branch. */
async function branchesOf({ repositories }: Connection, ref: RepositoryRef, signal: AbortSignal) {
	// Somebody may have set or pushed another one since.
	repositories.forget(ref);
	const listings = listingPages(
		() => repositories.references(ref).first(signal),
		() => repositories.references(ref).more(signal),
	);
	let all: readonly Reference[] = [];
	let isPart = false;
	for await (const { items, completeness } of listings) {
		all = items;
		isPart = completeness.kind === 'more';
	}
	const branches = all.filter((each) => referenceKind(each) === 'branch');
	const first = branches.length === 0 ? undefined : await repositories.names.defaultBranch(ref, signal);
	return { branches, first: first?.isCertain === true ? first.name : undefined, isPart };
}
