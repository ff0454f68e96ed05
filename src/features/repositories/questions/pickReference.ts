import * as vscode from 'vscode';
import { Disposables } from '@forge-desk/base/lifecycle.ts';
import { cancelled } from '../../../editor/ask/ask.ts';
import { notify } from '../../../editor/ask/notify.ts';
import { agoText, readBeforeText } from '../../../editor/ask/readBefore.ts';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import type { RepositoryRef } from 'sourcehut/port/repository.ts';
import type { Connection } from '../../../store/connection.ts';
import { shownName } from '../subjects/words.ts';
import { referenceItems, withTyped, type ReferenceItem } from './referenceItems.ts';

export interface ReferenceQuestion {
	readonly connection: Connection;
	readonly ref: RepositoryRef;
	readonly title: string;
	/** The current revision. */
	readonly current?: string | undefined;
	/** For ages; absent hides them. */
	readonly nowMs?: number | undefined;
}

/**
 * Asks for a branch, tag or other revision, in the form that the server accepts. Typed text filters, and counts as a
 * revision itself if it resolves. Throws `cancelled()` if the user closes the list or if it is empty.
 */
export async function pickReference(question: ReferenceQuestion, signal: AbortSignal): Promise<string> {
	const { connection, ref, title, current, nowMs } = question;
	const { repositories } = connection;
	repositories.forgetBefore(ref);
	let listing = await repositories.references(ref).first(signal);
	if (listing.items.length === 0) {
		const name = shownName(refText(ref));
		void notify(
			'information',
			vscode.l10n.t('{0} is empty: it has no branches or tags until something is pushed.', name),
		);
		throw cancelled();
	}
	const first = await repositories.names.defaultBranch(ref, signal);
	const rows = (): readonly ReferenceItem[] => referenceItems({ repositories, ref, listing, first, current, nowMs });
	using owned = new Disposables();
	const pick = owned.add(vscode.window.createQuickPick<ReferenceItem>());
	const answered = Promise.withResolvers<string>();
	pick.title = title;
	pick.placeholder = placeholderOf(question);
	pick.matchOnDescription = true;
	pick.ignoreFocusOut = true;
	let items = rows();
	let shown = items;
	const show = (next: readonly ReferenceItem[]): void => {
		shown = next;
		pick.items = [...next];
	};
	show(items);
	const marked = items.find(({ meaning }) => meaning?.kind === 'revision' && meaning.revision === current);
	if (marked) {
		pick.activeItems = [marked];
	}

	async function accept({ meaning }: ReferenceItem): Promise<void> {
		switch (meaning?.kind) {
			case 'revision':
				return answered.resolve(meaning.revision);
			case 'typed': {
				const { text } = meaning;
				const id = await commitTyped(repositories, { ref, text }, signal);
				if (id !== undefined) {
					return answered.resolve(id.startsWith(text) ? id : text);
				}
				// The list stays open with the typed text.
				pick.title = noRevisionText(ref, text);
				return;
			}
			case 'more':
				listing = await repositories.references(ref).more(signal);
				pick.placeholder = placeholderOf(question);
				items = rows();
				show(withTyped(items, pick.value));
				return;
			case undefined:
				return;
		}
	}

	owned.add(
		pick.onDidChangeValue((value) => {
			pick.title = title;
			const rowsThen = withTyped(items, value);
			// Showing rows costs as much as they are many.
			if (rowsThen !== shown) {
				show(rowsThen);
			}
		}),
	);
	owned.add(
		pick.onDidAccept(() => {
			const [chosen] = pick.selectedItems;
			if (chosen) {
				pick.busy = true;
				accept(chosen)
					.catch(answered.reject)
					.finally(() => (pick.busy = false));
			}
		}),
	);
	owned.add(pick.onDidHide(() => answered.reject(cancelled())));
	pick.show();
	return await answered.promise;
}

/** A hint, or the age of rows from another window's cache. */
function placeholderOf({ connection, ref, nowMs }: ReferenceQuestion): string {
	const before = connection.repositories.names.known(ref)?.referencesBefore();
	if (!before) {
		return vscode.l10n.t('Type a part of the name, or a commit id or another revision');
	}
	const age = nowMs === undefined ? undefined : agoText(before.readAtMs, nowMs, 'long');
	return readBeforeText(before.error, age);
}

export function noRevisionText({ name }: RepositoryRef, text: string): string {
	return vscode.l10n.t('{0} has no revision named {1}', shownName(name), shownName(text));
}

/** Commit id of a typed name, id or abbreviated id; `undefined` if it doesn't resolve. */
export async function commitTyped(
	repositories: Connection['repositories'],
	{ ref, text }: { readonly ref: RepositoryRef; readonly text: string },
	signal: AbortSignal,
): Promise<string | undefined> {
	try {
		const { id } = await repositories.folders.commit(ref, text, signal);
		return id;
	} catch (error) {
		if (isForgeError(error) && (error.problem.kind === 'notFound' || error.problem.kind === 'invalid')) {
			return undefined;
		}
		throw error;
	}
}
