import * as vscode from 'vscode';
import type { Problems } from '../../../editor/ask/problems.ts';
import { isForgeError } from '../../../forge/forgeError.ts';
import { repositoryRefText } from '../../../forge/repository.ts';
import type { Connection } from '../../../state/connection.ts';
import { shownName } from '../subjects/words.ts';
import type { EntryPlace } from '../subjects/place.ts';

/** Why the root of a reference shows nothing of its own. */
export type RootTrouble =
	| { readonly kind: 'signedOut' }
	| { readonly kind: 'empty'; readonly connection: Connection }
	| { readonly kind: 'failed'; readonly error: unknown };

/** The name of the file that stands in a root of which nothing can be shown. Other languages have other names for it. */
export function noteName(): string {
	return vscode.l10n.t('Why is this empty?.md');
}

/** True for the address of such a file. */
export function isNote({ at }: EntryPlace): boolean {
	return at.path === noteName();
}

/** What the file says: what is missing, and what to do about it. */
export function noteBytes(place: EntryPlace, trouble: RootTrouble, problems: Problems): Uint8Array {
	const title = vscode.l10n.t('{0} at {1}', shownName(repositoryRefText(place.ref)), shownName(place.at.ref));
	const lines = [`# ${title}`, ...linesOf(place, trouble, problems)];
	return new TextEncoder().encode(`${lines.join('\n\n')}\n`);
}

function linesOf(place: EntryPlace, trouble: RootTrouble, problems: Problems): readonly string[] {
	switch (trouble.kind) {
		case 'signedOut':
			return [
				vscode.l10n.t('You are not signed in to the account that this was opened with: {0}.', place.connectionKey),
				vscode.l10n.t('Run the command "Forge: Sign In…". The files then load automatically.'),
			];
		case 'empty':
			return [
				vscode.l10n.t('This repository is empty: nothing has been pushed to it yet.'),
				vscode.l10n.t('Push a branch to it, then choose "Refresh" in the Repositories view.'),
			];
		case 'failed':
			return failureLines(trouble.error, problems);
	}
}

function failureLines(error: unknown, problems: Problems): readonly string[] {
	if (isForgeError(error) && error.problem.kind === 'notFound') {
		return [
			vscode.l10n.t("This repository, branch or tag doesn't exist, or your account doesn't have access to it."),
			vscode.l10n.t('Choose another reference, or remove this folder from the workspace.'),
		];
	}
	return [
		problems.explain(error).message,
		vscode.l10n.t('Forge Desk tries again when you return to this window. The files then load automatically.'),
	];
}
