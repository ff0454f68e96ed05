import * as vscode from 'vscode';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import { refText, type NamedRef } from 'sourcehut/port/namedRef.ts';
import { asksForVisibility } from 'sourcehut/port/tracker.ts';
import type { Connection } from '../../store/connection.ts';
import { listingPages } from '../../store/shared/pageRead.ts';
import { visibleLine } from '../../engine/text/visible.ts';
import { askFor } from '../ask/ask.ts';
import { tellBriefly } from '../ask/notify.ts';
import { explain } from '../ask/problems.ts';
import { withProgress } from '../ask/progress.ts';
import { askVisibility } from './askVisibility.ts';
import type { NewOwned, OwnedKind } from './ownedKind.ts';

/** Input of failed creations, by account. */
export type Unmade = Map<string, NewOwned>;

/**
 * Asks for the fields of a new thing and creates it; returns its name on the forge. After a refusal, repeats the
 * questions with the reason and the same answers; any other failure keeps the answers for the next time.
 */
export async function createOwned(
	kind: OwnedKind,
	unmade: Unmade,
	connection: Connection,
	signal: AbortSignal,
): Promise<NamedRef> {
	const send = (wanted: NewOwned): Promise<NamedRef> => {
		unmade.set(connection.key, wanted);
		return withProgress(vscode.l10n.t('Creating…'), signal, (working) => kind.create(connection, wanted, working));
	};
	const taken = await ownNames(kind, connection, signal);
	let reason: string | undefined;
	for (;;) {
		const wanted = await askNew(kind, taken, unmade.get(connection.key), reason);
		try {
			const ref = await sentWithVisibility(kind, wanted, send);
			unmade.delete(connection.key);
			return ref;
		} catch (error) {
			if (!isForgeError(error) || error.problem.kind !== 'invalid') {
				throw error;
			}
			reason = explain(error).message;
		}
	}
}

/** Sends the request. If the forge requires a visibility, asks for it and sends again. */
async function sentWithVisibility(
	{ visibility }: OwnedKind,
	wanted: NewOwned,
	send: (wanted: NewOwned) => Promise<NamedRef>,
): Promise<NamedRef> {
	try {
		return await send(wanted);
	} catch (error) {
		if (!visibility || wanted.visibility !== undefined || !asksForVisibility(error)) {
			throw error;
		}
	}
	return send({ ...wanted, visibility: await askVisibility(visibility.question()) });
}

/** `reason`: why the forge did not take it. */
async function askNew(
	kind: OwnedKind,
	taken: readonly string[],
	typed: NewOwned | undefined,
	reason: string | undefined,
): Promise<NewOwned> {
	const name = await askFor({
		title: kind.texts.create(),
		prompt: reason ?? vscode.l10n.t('Name'),
		placeHolder: kind.rules.exampleName,
		value: typed?.name ?? '',
		complaint: (line) => nameComplaint(kind, line.trim(), taken),
	});
	const before = typed?.visibility;
	const asked = kind.visibility;
	// A forge that wanted to know once is not left without an answer the next time.
	const visibility =
		asked && (before !== undefined || asked.isAlwaysAsked)
			? await askVisibility(asked.question(), before && { value: before, mark: vscode.l10n.t('previous choice') })
			: undefined;
	const description = await askFor({
		title: kind.texts.create(),
		prompt: vscode.l10n.t('Description in Markdown (optional; you can add it later)'),
		value: typed?.description ?? '',
		complaint: (line) => descriptionComplaint(kind, line),
	});
	return { name, ...(visibility !== undefined && { visibility }), ...(description !== '' && { description }) };
}

export function tellCreated(ref: NamedRef): void {
	tellBriefly(vscode.l10n.t('Created {0}', visibleLine(refText(ref))));
}

/** Reason why every forge rejects a name. Some reject more and explain it themselves. */
export function nameComplaint({ rules, texts }: OwnedKind, name: string, taken: readonly string[]): string | undefined {
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
	// Names of one owner differ in more than case.
	return taken.some((other) => other.toLowerCase() === name.toLowerCase()) ? texts.isTaken() : undefined;
}

/** Why the forge would not take a description. */
export function descriptionComplaint({ rules }: OwnedKind, text: string): string | undefined {
	return Array.from(text).length > rules.longestDescription
		? vscode.l10n.t('A description can have at most {0} characters.', rules.longestDescription)
		: undefined;
}

/** The names of all that the account owns, read to the end. */
export async function ownNames(kind: OwnedKind, connection: Connection, signal: AbortSignal) {
	let names: readonly string[] = [];
	const pages = listingPages(
		() => kind.own(connection, signal),
		() => kind.moreOwn(connection, signal),
	);
	for await (const { items } of pages) {
		names = items.map(({ name }) => name);
	}
	return names;
}
