import * as vscode from 'vscode';
import { isAbort } from '../../base/abort.ts';
import type { NamedRef } from '../../forge/port/namedRef.ts';
import type { Connection } from '../../store/connection.ts';
import { visibleLine } from '../../engine/text/visible.ts';
import { askFor, cancelled, choose } from '../ask/ask.ts';
import { explain } from '../ask/problems.ts';
import { withProgress } from '../ask/progress.ts';
import type { OwnedKind } from './ownedKind.ts';
import { ownerSearchOf, type FoundNames, type OwnerSearch } from './ownerSearch.ts';

/** A question with its earlier input. */
export interface NameQuestion {
	readonly title: string;
	readonly typed: string;
}

/**
 * Asks for a thing by name or address. A bare owner leads to a choice among the owner's things; if there are none, the
 * input returns.
 */
export async function askByName(
	kind: OwnedKind,
	{ title, typed }: NameQuestion,
	connection: Connection,
	signal: AbortSignal,
): Promise<NamedRef> {
	const origin = connection.instance.areas[kind.area];
	const isAnswer = (text: string): boolean =>
		kind.pasted(text, origin) !== undefined || ownerSearchOf(text, origin) !== undefined;
	let before: { readonly title: string; readonly typed?: string; readonly value?: string } = { title, typed };
	for (;;) {
		const answer = await askFor({
			...before,
			prompt: kind.texts.reference(),
			placeHolder: '~owner/name',
			complaint: (text) =>
				isAnswer(text) ? undefined : vscode.l10n.t('Write ~owner/name, or paste a URL that begins with {0}.', origin),
		});
		const search = ownerSearchOf(answer, origin);
		const ref = search ? undefined : kind.pasted(answer, origin);
		if (ref) {
			return ref;
		}
		if (!search) {
			throw cancelled();
		}
		const found = await foundOf(kind, search, connection, signal);
		if (typeof found !== 'string') {
			return { owner: search.owner, name: await chooseAmong(kind, search, found) };
		}
		before = { title: found, value: answer };
	}
}

/** At least one name, or the reason why there is none. */
async function foundOf(
	kind: OwnedKind,
	search: OwnerSearch,
	connection: Connection,
	signal: AbortSignal,
): Promise<FoundNames | string> {
	const owner = visibleLine(search.owner);
	try {
		const found = await withProgress(vscode.l10n.t('Searching for {0}…', owner), signal, (working) =>
			kind.ofOwner(connection, search, working),
		);
		return found.names.length > 0 ? found : kind.texts.noneOfOwner(owner, visibleLine(search.word));
	} catch (error) {
		if (isAbort(error)) {
			throw error;
		}
		return explain(error).message;
	}
}

function chooseAmong(kind: OwnedKind, { owner }: OwnerSearch, { names, isComplete }: FoundNames): Promise<string> {
	const title = kind.texts.ofOwner(visibleLine(owner));
	const incomplete = vscode.l10n.t('There are more. Write a word of the name behind {0}.', visibleLine(owner));
	return choose(
		title,
		names.map((name) => ({ label: visibleLine(name), iconPath: new vscode.ThemeIcon(kind.icon), value: name })),
		isComplete ? title : incomplete,
	);
}
