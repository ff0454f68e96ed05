import * as vscode from 'vscode';
import { ticketLimits } from '../../../forge/ticketLimits.ts';

/**
 * Why the forge would not take a tracker's name, by the rules that servers were seen to keep
 * (docs/protocol.md#tracker-names).
 */
export function trackerNameComplaint(name: string, taken: readonly string[]): string | undefined {
	if (!/^[A-Za-z]/.test(name)) {
		return vscode.l10n.t('Start with a letter from A to Z.');
	}
	if (!/^[\w.-]+$/.test(name)) {
		return vscode.l10n.t('Use letters from A to Z, digits, and the characters . _ - only.');
	}
	if (name.length > ticketLimits.longestTrackerName) {
		return vscode.l10n.t('A name can have at most {0} characters.', ticketLimits.longestTrackerName);
	}
	// Servers do not tell capitals apart here.
	return taken.some((other) => other.toLowerCase() === name.toLowerCase())
		? vscode.l10n.t('You already have a tracker with this name.')
		: undefined;
}
