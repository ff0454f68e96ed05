import * as vscode from 'vscode';
import { askFor, cancelled, choose } from '../../../editor/ask/ask.ts';
import type { FindGit, GitRepository } from '../../../editor/git/gitApi.ts';
import type { RepositoryRef } from 'sourcehut/port/repository.ts';
import { isSafeFolderName } from 'hardened-git/gitNames.ts';
import type { Connection } from '../../../store/connection.ts';
import { addressesInReach, type CloneAddress } from './cloneAddresses.ts';
import { shownName } from '../subjects/words.ts';

/** Asks over which way git is to go; no question when there is only one. `undefined` when there is none. */
export async function askAddress(
	{ instance, me, repositories }: Connection,
	ref: RepositoryRef,
	question: string,
): Promise<CloneAddress | undefined> {
	const addresses = addressesInReach(instance, ref);
	const [only] = addresses;
	if (addresses.length < 2) {
		return only;
	}
	// SSH first for owners, who can push, and for private repositories, which HTTPS can't read.
	const isPrivate = repositories.metadata.known(ref)?.visibility === 'private';
	const ordered = ref.owner === me || isPrivate ? addresses.toReversed() : addresses;
	return choose(
		question,
		ordered.map((each) => ({
			label: each.way === 'https' ? vscode.l10n.t('HTTPS, to read') : vscode.l10n.t('SSH, to read and write'),
			description: shownName(each.address),
			detail:
				each.way === 'ssh'
					? vscode.l10n.t('Needs an SSH key that the forge knows.')
					: isPrivate
						? vscode.l10n.t('This repository is private, so git may not have access.')
						: vscode.l10n.t('Needs no account. Changes are sent by email.'),
			iconPath: new vscode.ThemeIcon(each.way === 'https' ? 'globe' : 'key'),
			value: each,
		})),
	);
}

/** Asks for a folder, beginning at the folder of the editor's own clones, or beside the open one. Throws `cancelled()`. */
export async function askFolder(
	findGit: FindGit,
	title: string,
	openLabel: string,
	signal: AbortSignal,
): Promise<vscode.Uri> {
	const usual = vscode.workspace.getConfiguration('git').get<unknown>('defaultCloneDirectory');
	const isUsual = typeof usual === 'string' && /^(?:\/|[a-z]:[\\/])/i.test(usual);
	const begin = isUsual ? vscode.Uri.file(usual) : besideOpen((await findGit(signal))?.repositories ?? []);
	const [folder] =
		(await vscode.window.showOpenDialog({
			canSelectFiles: false,
			canSelectFolders: true,
			canSelectMany: false,
			title,
			openLabel,
			...(begin ? { defaultUri: begin } : {}),
		})) ?? [];
	if (!folder) {
		throw cancelled();
	}
	return folder;
}

/** The nearest folder above the open one that is in no open clone. */
function besideOpen(clones: readonly GitRepository[]): vscode.Uri | undefined {
	const open = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file')?.uri;
	const roots = clones.map(({ rootUri }) => `${rootUri.path}/`);
	const steps = open?.path.split('/') ?? [];
	for (let count = steps.length - 1; count > 1; count -= 1) {
		const path = steps.slice(0, count).join('/');
		if (!roots.some((root) => `${path}/`.startsWith(root))) {
			return vscode.Uri.file(path);
		}
	}
	return undefined;
}

/** Asks for the new folder's name, where the repository's is none on all systems. */
export function askFolderName(): Promise<string> {
	return askFor({
		title: vscode.l10n.t('Name of the new folder'),
		complaint: (name) =>
			isSafeFolderName(name.trim())
				? undefined
				: vscode.l10n.t('Use a name without slashes, spaces at its ends and reserved characters.'),
	});
}
