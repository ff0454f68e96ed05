import * as vscode from 'vscode';
import { isRecord } from '../commands/subjects.ts';
import type { HostedName } from '../../engine/text/remoteAddress.ts';

/** The setting `forge.folder` of a folder. Invalid values count as absent. */
export interface FolderSetting {
	readonly tracker: HostedName | undefined;
	readonly list: HostedName | undefined;
	readonly repository: HostedName | undefined;
}

/** Keys of the setting in display order. */
export const folderParts = ['tracker', 'list', 'repository'] as const;
export type FolderPart = (typeof folderParts)[number];

const written = /^(?<owner>~[A-Za-z_][\w-]{0,254})\/(?<name>[A-Za-z0-9._-]{1,255})$/;

/** Reads `~owner/name`. */
export function hostedNameOf(text: unknown): HostedName | undefined {
	const { owner, name } = (typeof text === 'string' ? written.exec(text.trim())?.groups : undefined) ?? {};
	return owner === undefined || name === undefined || /^\.+$/.test(name) ? undefined : { owner, name };
}

/** The setting as it holds for a file or folder. */
export function readFolderSetting(uri: vscode.Uri): FolderSetting {
	const value = vscode.workspace.getConfiguration('forge', uri).get<unknown>('folder');
	const fields = isRecord(value) ? value : {};
	return {
		tracker: hostedNameOf(fields['tracker']),
		list: hostedNameOf(fields['list']),
		repository: hostedNameOf(fields['repository']),
	};
}

/** Writes one key of the folder's setting; `undefined` removes it. Preserves the other keys. */
export async function writeFolderSetting(uri: vscode.Uri, part: FolderPart, text: string | undefined): Promise<void> {
	const settings = vscode.workspace.getConfiguration('forge', uri);
	const isOneOfMany = (vscode.workspace.workspaceFolders?.length ?? 0) > 1;
	const told = settings.inspect<unknown>('folder');
	const before = (isOneOfMany ? told?.workspaceFolderValue : told?.workspaceValue) ?? {};
	const others = Object.entries(before).filter(([name]) => name !== part);
	const after = Object.fromEntries(text === undefined ? others : [...others, [part, text]]);
	await settings.update(
		'folder',
		Object.keys(after).length === 0 ? undefined : after,
		isOneOfMany ? vscode.ConfigurationTarget.WorkspaceFolder : vscode.ConfigurationTarget.Workspace,
	);
}
