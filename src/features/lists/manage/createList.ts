import * as vscode from 'vscode';
import { askFor } from '../../../editor/ask/ask.ts';
import { tellBriefly } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { listRefText, refOfList } from '../../../forge/list.ts';
import type { Connection } from '../../../state/connection.ts';
import { visibleLine } from '../../../text/visible.ts';

/** Limits that servers were seen to keep (docs/protocol.md#list-names); longer names make some of them fail. */
const longestName = 128;
const longestDescription = 2047;

/** Asks for what a list needs and makes it. */
export async function createList(connection: Connection, signal: AbortSignal): Promise<void> {
	const own = await connection.lists.ownLists(signal);
	const title = vscode.l10n.t('Create a list');
	const name = await askFor({
		title,
		prompt: vscode.l10n.t('Name'),
		placeHolder: 'my-project-devel',
		complaint: (value) =>
			listNameComplaint(
				value.trim(),
				own.items.map((list) => list.name),
			),
	});
	const description = await askFor({
		title,
		prompt: vscode.l10n.t('Description in Markdown (optional; you can add it later)'),
		complaint: descriptionComplaint,
	});
	const wanted = { name, ...(description !== '' && { description }) };
	const list = await withProgress(vscode.l10n.t('Creating…'), signal, (working) =>
		connection.lists.create(wanted, working),
	);
	tellBriefly(vscode.l10n.t('Created {0}', visibleLine(listRefText(refOfList(list)))));
}

/**
 * Why the forge would not take a list's name, by the rules that servers were seen to keep
 * (docs/protocol.md#list-names).
 */
function listNameComplaint(name: string, taken: readonly string[]): string | undefined {
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
		? vscode.l10n.t('You already have a list with this name.')
		: undefined;
}

/** Why the forge would not take a description. */
export function descriptionComplaint(text: string): string | undefined {
	return Array.from(text).length > longestDescription
		? vscode.l10n.t('A description can have at most {0} characters.', longestDescription)
		: undefined;
}
