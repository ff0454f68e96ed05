import * as vscode from 'vscode';
import { askConnection } from '../../../editor/ask/askConnection.ts';
import type { CommandTable } from '../../../editor/commands/feature.ts';
import { notify, tellBriefly } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { openExactly } from '../../../editor/links/openDestination.ts';
import type { Connections, Connection } from '../../../store/connection.ts';
import { repositoriesSubject, type RepositoriesSubject } from '../subjects/subjects.ts';
import { nameOf } from '../../../store/repositories/repositoryEntries.ts';
import { shownName } from '../subjects/words.ts';
import { fileInFront, type FileInFront } from './fileInFront.ts';
import { permalinkOfClone } from './permalinkOfClone.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import type { LineRange } from 'sourcehut/port/repository.ts';
import { isObjectId } from 'patchmail/git/objectId.ts';
import { headRevision } from '../../../store/repositories/repositoryReferences.ts';

import type { OpenClones } from '../parts/openClones.ts';
import { webOf } from '../../../editor/links/webOf.ts';

/** Action for a found address. */
interface Use {
	/** Label of the button that takes the address on the branch instead. */
	readonly onBranch: () => string;
	/** Warning that the file's lines differ on the forge. */
	readonly linesDiffer: () => string;
	/** `isTold`: confirm with a notice. */
	take(address: string, isTold: boolean): Promise<void>;
}

const copying: Use = {
	onBranch: () => vscode.l10n.t('Copy URL on the Branch'),
	linesDiffer: () =>
		vscode.l10n.t('Permalink copied, but the file has local changes: these lines are different in the commit.'),
	async take(address, isTold) {
		await vscode.env.clipboard.writeText(address);
		if (!isTold) {
			tellBriefly(vscode.l10n.t('Copied'));
		}
	},
};

const opening: Use = {
	onBranch: () => vscode.l10n.t('Open on the Branch'),
	linesDiffer: () =>
		vscode.l10n.t('Page opened, but the file has local changes: these lines are different in the commit.'),
	async take(address) {
		await openExactly(address);
	},
};

/** Addresses of the selected lines that lead to the same content for ever. */
export function permalinkCommands(
	connections: Connections,
	ready: () => Promise<void>,
	clones: OpenClones,
): CommandTable {
	async function permalink(subject: unknown, use: Use, signal: AbortSignal): Promise<void> {
		const file = fileInFront(subject);
		const remote = repositoriesSubject(subject) ?? repositoriesSubject(file?.uri);
		if (!file && !remote) {
			return say(vscode.l10n.t('Open a file of a repository first, and select lines.'));
		}
		await ready();
		if (connections.all().length === 0) {
			await askConnection(connections, vscode.l10n.t('You are not signed in. Sign in to create permalinks.'));
		}
		const title = vscode.l10n.t('Creating the permalink…');
		if (remote) {
			const address = await withProgress(title, signal, async (working) => {
				const connection = connectionOf(connections, remote);
				return webOf(connection.instance).address(await pinned(connection, remote, file?.lines, working));
			});
			return address === undefined ? sayNoAddress() : use.take(address, false);
		}
		if (file) {
			await permalinkInClone(connections, clones, file, use, signal);
		}
	}

	return {
		'forge.repositories.copyPermalink': (subject, signal) => permalink(subject, copying, signal),
		'forge.repositories.openPermalink': (subject, signal) => permalink(subject, opening, signal),
	};
}

async function permalinkInClone(
	connections: Connections,
	clones: OpenClones,
	file: FileInFront,
	use: Use,
	signal: AbortSignal,
): Promise<void> {
	const found = await clones.at(file.uri, signal);
	if (!found) {
		return say(
			vscode.l10n.t(
				'This file is not in a clone of a repository on a forge that you are signed in to. Open its clone as a folder.',
			),
		);
	}
	const title = vscode.l10n.t('Creating the permalink…');
	const link = await withProgress(title, signal, (working) => permalinkOfClone(connections, found, file, working));
	const shown = shownName(nameOf(found.path));
	switch (link.kind) {
		case 'permalink':
			if (link.address === undefined) {
				return sayNoAddress();
			}
			await use.take(link.address, link.linesDiffer);
			return link.linesDiffer ? void notify('warning', use.linesDiffer()) : undefined;
		case 'noCommit':
			return say(vscode.l10n.t('This clone has no commit yet. Commit and push first.'));
		case 'notInCommit':
			return say(
				vscode.l10n.t(
					'Commit {0} on the forge has no file {1}. Add it to git, commit and push first.',
					link.commit.slice(0, 7),
					shown,
				),
			);
		case 'notPushed': {
			const commit = link.commit.slice(0, 7);
			const address = link.onBranch?.address;
			if (!link.onBranch || address === undefined) {
				return say(vscode.l10n.t('The forge does not have commit {0} of this clone. Push it first.', commit));
			}
			const branch = shownName(link.onBranch.branch);
			const message = file.lines
				? vscode.l10n.t(
						'The forge does not have commit {0} of this clone. Push it first, or use the URL on the branch {1}, where lines may differ and can change.',
						commit,
						branch,
					)
				: vscode.l10n.t(
						'The forge does not have commit {0} of this clone. Push it first, or use the URL on the branch {1}, which can change.',
						commit,
						branch,
					);
			const label = use.onBranch();
			// Not awaited: the notice may stay open for hours.
			void notify('information', message, label).then((chosen) =>
				chosen === label ? use.take(address, false) : undefined,
			);
			return;
		}
	}
}

function sayNoAddress(): void {
	say(vscode.l10n.t('The name of this file or of its branch cannot be part of a URL.'));
}

function say(message: string): void {
	void notify('information', message);
}

/** Open documents are pinned to a commit, so use that one even if the branch moved. */
async function pinned(
	connection: Connection,
	subject: RepositoriesSubject,
	lines: LineRange | undefined,
	signal: AbortSignal,
): Promise<RepositoriesSubject> {
	const { connectionKey, ref } = subject;
	const commitAt = async (revision: string): Promise<string> => {
		const commit = isObjectId(revision)
			? revision
			: (await connection.repositories.folders.standing(ref, revision, signal))?.commit.id;
		if (commit === undefined) {
			throw new ForgeError({ kind: 'notFound' }, { about: `${refText(ref)} ${revision}` });
		}
		return commit;
	};
	switch (subject.kind) {
		case 'commit':
			return subject;
		case 'repository':
			return { kind: 'reference', connectionKey, ref, revision: await commitAt(headRevision) };
		case 'reference':
			return { ...subject, revision: await commitAt(subject.revision) };
		case 'folder':
		case 'submodule':
			return { ...subject, at: { ...subject.at, ref: await commitAt(subject.at.ref) } };
		case 'file':
			return { ...subject, at: { ...subject.at, ref: await commitAt(subject.at.ref) }, ...(lines ? { lines } : {}) };
	}
}
