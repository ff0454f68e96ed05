import * as vscode from 'vscode';
import { askFor, cancelled, choose } from '../../../editor/ask/ask.ts';
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

/** Asks for the clone's parent folder, beginning at the one of the editor's own clones. */
export async function askParent(ref: RepositoryRef): Promise<vscode.Uri> {
	const usual = vscode.workspace.getConfiguration('git').get<unknown>('defaultCloneDirectory');
	const [parent] =
		(await vscode.window.showOpenDialog({
			canSelectFiles: false,
			canSelectFolders: true,
			canSelectMany: false,
			title: vscode.l10n.t('Folder to clone {0} into', shownName(ref.name)),
			openLabel: vscode.l10n.t('Clone Here'),
			...(typeof usual === 'string' && /^(?:\/|[a-z]:[\\/])/i.test(usual)
				? { defaultUri: vscode.Uri.file(usual) }
				: {}),
		})) ?? [];
	if (!parent) {
		throw cancelled();
	}
	return parent;
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
