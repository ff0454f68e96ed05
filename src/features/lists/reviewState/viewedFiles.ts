import * as vscode from 'vscode';
import type { FileDiff } from 'patchmail/patch/fileDiff.ts';
import { fileIdentity } from 'patchmail/patch/fileIdentity.ts';
import type { PatchMail } from 'patchmail/series/seriesReading.ts';
import type { Connection } from '../../../store/connection.ts';

export type MarkedPatch = PatchMail;

/** Rows are drawn often, and a file's diff never changes. */
const identities = new WeakMap<FileDiff, string>();

/** Fingerprint of a patch's change to a file, shared by versions of the series. */
export function identityOf({ diffText }: MarkedPatch, file: FileDiff): string {
	const known = identities.get(file) ?? fileIdentity(diffText, file);
	identities.set(file, known);
	return known;
}

/** True if the user marked this change to a file as viewed, in any version. */
export function isViewed({ viewed }: Connection, patch: MarkedPatch, file: FileDiff): boolean {
	return !viewed.isEmpty() && viewed.has(identityOf(patch, file));
}

export interface ViewedCount {
	readonly viewed: number;
	readonly of: number;
}

export function viewedCount(connection: Connection, patches: readonly MarkedPatch[]): ViewedCount {
	const files = patches.flatMap((patch) => patch.diff.files.map((file) => isViewed(connection, patch, file)));
	return { viewed: files.filter((each) => each).length, of: files.length };
}

/** `3 of 7 viewed`; empty for none. */
export function viewedText({ viewed, of }: ViewedCount): string {
	return viewed === 0 ? '' : vscode.l10n.t('{0} of {1} viewed', viewed, of);
}

/** Checkbox of a row. */
export function viewedBox(is: boolean): NonNullable<vscode.TreeItem['checkboxState']> {
	const { Checked, Unchecked } = vscode.TreeItemCheckboxState;
	return {
		state: is ? Checked : Unchecked,
		tooltip: is ? vscode.l10n.t('Viewed. Uncheck to mark as not viewed.') : vscode.l10n.t('Check to mark as viewed'),
		accessibilityInformation: { label: is ? vscode.l10n.t('viewed') : vscode.l10n.t('not viewed') },
	};
}
