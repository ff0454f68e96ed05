import * as vscode from 'vscode';
import { refText, type NamedRef } from '../../forge/namedRef.ts';
import type { Connection } from '../../state/connection.ts';
import { visibleLine } from '../../text/visible.ts';
import { askFor } from '../ask/ask.ts';
import { tellBriefly } from '../ask/notify.ts';
import type { OwnedKind } from './ownedKind.ts';

/** Asks for the name and the description of a new one. */
export async function askNew(
	kind: OwnedKind,
	connection: Connection,
	signal: AbortSignal,
): Promise<{ readonly name: string; readonly description?: string }> {
	const name = await askNewName(kind, await ownNames(kind, connection, signal));
	const description = await askFirstDescription(kind);
	return { name, ...(description !== '' && { description }) };
}

/** `earlier` was typed before and was not taken; `reason` says why. */
export function askNewName(
	kind: OwnedKind,
	taken: readonly string[],
	{ earlier = '', reason }: { readonly earlier?: string | undefined; readonly reason?: string | undefined } = {},
): Promise<string> {
	return askFor({
		title: kind.texts.create(),
		prompt: reason ?? vscode.l10n.t('Name'),
		placeHolder: kind.rules.exampleName,
		value: earlier,
		complaint: (typed) => nameComplaint(kind, typed.trim(), taken),
	});
}

export function askFirstDescription(kind: OwnedKind, earlier = ''): Promise<string> {
	return askFor({
		title: kind.texts.create(),
		prompt: vscode.l10n.t('Description in Markdown (optional; you can add it later)'),
		value: earlier,
		complaint: (typed) => descriptionComplaint(kind, typed),
	});
}

export function tellCreated(ref: NamedRef): void {
	tellBriefly(vscode.l10n.t('Created {0}', visibleLine(refText(ref))));
}

/** Why no forge would take a name. Some refuse more than that, and say so themselves. */
export function nameComplaint(
	{ rules, texts }: Pick<OwnedKind, 'rules' | 'texts'>,
	name: string,
	taken: readonly string[],
): string | undefined {
	if (rules.isLetterFirst && !/^[A-Za-z]/.test(name)) {
		return vscode.l10n.t('Start with a letter from A to Z.');
	}
	if (!/^[\w.-]+$/.test(name)) {
		return vscode.l10n.t('Use letters from A to Z, digits, and the characters . _ - only.');
	}
	if (name === '.' || name === '..') {
		return vscode.l10n.t('This name is reserved by the forge.');
	}
	if (name.length > rules.longestName) {
		return vscode.l10n.t('A name can have at most {0} characters.', rules.longestName);
	}
	// No owner has two whose names differ in case only.
	return taken.some((other) => other.toLowerCase() === name.toLowerCase()) ? texts.isTaken() : undefined;
}

/** Why the forge would not take a description. */
export function descriptionComplaint({ rules }: Pick<OwnedKind, 'rules'>, text: string): string | undefined {
	return Array.from(text).length > rules.longestDescription
		? vscode.l10n.t('A description can have at most {0} characters.', rules.longestDescription)
		: undefined;
}

/** The names of all that the account owns, read to the end. */
export async function ownNames(
	kind: OwnedKind,
	connection: Connection,
	signal: AbortSignal,
): Promise<readonly string[]> {
	let own = await kind.own(connection, signal);
	while (own.completeness.kind === 'more') {
		own = await kind.moreOwn(connection, signal);
	}
	return own.items.map(({ name }) => name);
}
