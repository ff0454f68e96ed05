import * as vscode from 'vscode';
import { choose } from '../../../editor/ask/ask.ts';
import { visibilities, type Visibility } from '../../../forge/repository.ts';

/** Limits that servers were seen to keep (docs/protocol.md#repository-names). */
const longestName = 256;
const longestDescription = 1024;

/**
 * Why no forge would take a repository's name, by the rules that servers were seen to keep
 * (docs/protocol.md#repository-names). Older ones refuse a digit at its beginning too, and say so themselves.
 */
export function repositoryNameComplaint(name: string, taken: readonly string[]): string | undefined {
	if (!/^[\w.-]+$/.test(name)) {
		return vscode.l10n.t('Use letters from A to Z, digits, and the characters . _ - only.');
	}
	if (name === '.' || name === '..') {
		return vscode.l10n.t('This name is taken by the forge itself.');
	}
	if (name.length > longestName) {
		return vscode.l10n.t('A name may have at most {0} characters.', longestName);
	}
	return taken.some((other) => other.toLowerCase() === name.toLowerCase())
		? vscode.l10n.t('You have a repository of this name already.')
		: undefined;
}

/** Why the forge would not take a description. */
export function descriptionComplaint(text: string): string | undefined {
	return Array.from(text).length > longestDescription
		? vscode.l10n.t('A description may have at most {0} characters.', longestDescription)
		: undefined;
}

/** What can be asked of a server. */
export type WantedVisibility = (typeof visibilities)[number];

/**
 * Asks who may see a repository. What is marked comes first, so that whoever only goes on leaves it as it is and shows
 * nothing to anybody.
 */
export function askVisibility(
	marked: Visibility | undefined,
	mark = vscode.l10n.t('as it is now'),
): Promise<WantedVisibility> {
	const choices = visibilities.map((value) => ({
		...visibilityTexts(value),
		...(value === marked && { description: mark }),
		value,
	}));
	return choose<WantedVisibility>(
		vscode.l10n.t('Who may see the repository?'),
		choices.toSorted((a, b) => Number(b.value === marked) - Number(a.value === marked)),
	);
}

function visibilityTexts(visibility: WantedVisibility): Pick<vscode.QuickPickItem, 'label' | 'detail' | 'iconPath'> {
	switch (visibility) {
		case 'public':
			return {
				label: vscode.l10n.t('Public'),
				detail: vscode.l10n.t('Everybody, and it is listed on your page.'),
				iconPath: new vscode.ThemeIcon('globe'),
			};
		case 'unlisted':
			return {
				label: vscode.l10n.t('Unlisted'),
				detail: vscode.l10n.t('Everybody who knows its address.'),
				iconPath: new vscode.ThemeIcon('link'),
			};
		case 'private':
			return {
				label: vscode.l10n.t('Private'),
				detail: vscode.l10n.t('You, and those whom you let in.'),
				iconPath: new vscode.ThemeIcon('lock'),
			};
	}
}
