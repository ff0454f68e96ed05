import * as vscode from 'vscode';

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
