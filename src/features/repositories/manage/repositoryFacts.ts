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
		return vscode.l10n.t('This name is reserved by the forge.');
	}
	if (name.length > longestName) {
		return vscode.l10n.t('A name can have at most {0} characters.', longestName);
	}
	return taken.some((other) => other.toLowerCase() === name.toLowerCase())
		? vscode.l10n.t('You already have a repository with this name.')
		: undefined;
}

/** Why the forge would not take a description. */
export function descriptionComplaint(text: string): string | undefined {
	return Array.from(text).length > longestDescription
		? vscode.l10n.t('A description can have at most {0} characters.', longestDescription)
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
	mark = vscode.l10n.t('current'),
): Promise<WantedVisibility> {
	const choices = visibilities.map((value) => ({
		...visibilityTexts(value),
		...(value === marked && { description: mark }),
		value,
	}));
	return choose<WantedVisibility>(
		vscode.l10n.t('Who can see the repository?'),
		choices.toSorted((a, b) => Number(b.value === marked) - Number(a.value === marked)),
	);
}

function visibilityTexts(visibility: WantedVisibility): Pick<vscode.QuickPickItem, 'label' | 'detail' | 'iconPath'> {
	switch (visibility) {
		case 'public':
			return {
				label: vscode.l10n.t('Public'),
				detail: vscode.l10n.t('Everyone; it is listed on your profile.'),
				iconPath: new vscode.ThemeIcon('globe'),
			};
		case 'unlisted':
			return {
				label: vscode.l10n.t('Unlisted'),
				detail: vscode.l10n.t('Anyone with the link.'),
				iconPath: new vscode.ThemeIcon('link'),
			};
		case 'private':
			return {
				label: vscode.l10n.t('Private'),
				detail: vscode.l10n.t('You and the people who you give access.'),
				iconPath: new vscode.ThemeIcon('lock'),
			};
	}
}
