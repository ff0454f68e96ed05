import * as vscode from 'vscode';
import { Emitter } from '../../../base/event.ts';
import { Disposables, type Disposable } from '../../../base/lifecycle.ts';
import type { Mark } from '../../../search/indexedTicket.ts';
import { countText } from './countTexts.ts';
import { markSentence } from './markTexts.ts';
import { ticketScheme } from './ticketUri.ts';

/** The dots beside unread tickets, and their number on the view's icon. */
export interface UnreadMarks extends Disposable {
	/** All unread tickets of all accounts, by the `authority + path` of their rows' addresses. */
	show(marks: ReadonlyMap<string, Mark>): void;
}

/** The part of a view that carries a number. */
export type BadgedView = Pick<vscode.TreeView<unknown>, 'badge'>;

/** Registers the dots with the editor. */
export function unreadMarks(view: BadgedView): UnreadMarks {
	const owned = new Disposables();
	const changed = owned.add(new Emitter<vscode.Uri[]>());
	let shown: ReadonlyMap<string, Mark> = new Map();

	owned.add(
		vscode.window.registerFileDecorationProvider({
			onDidChangeFileDecorations: changed.event,
			provideFileDecoration(uri) {
				const mark = uri.scheme === ticketScheme ? shown.get(`${uri.authority}${uri.path}`) : undefined;
				return mark && new vscode.FileDecoration('●', markSentence(mark));
			},
		}),
	);

	return {
		show(marks) {
			const before = shown;
			shown = marks;
			const touched = [...new Set([...before.keys(), ...marks.keys()])].filter(
				(key) => before.get(key) !== marks.get(key),
			);
			if (touched.length > 0) {
				changed.fire(touched.map(uriOf));
			}
			if (before.size !== marks.size || view.badge?.value !== (marks.size || undefined)) {
				showCount(view, marks.size);
			}
		},
		dispose() {
			view.badge = undefined;
			owned.dispose();
		},
	};
}

function showCount(view: BadgedView, count: number): void {
	const text = countText(count, true);
	view.badge =
		count === 0
			? undefined
			: {
					value: count,
					tooltip: count === 1 ? vscode.l10n.t('1 unread ticket') : vscode.l10n.t('{0} unread tickets', text),
				};
}

function uriOf(key: string): vscode.Uri {
	const slash = key.indexOf('/');
	return vscode.Uri.from({ scheme: ticketScheme, authority: key.slice(0, slash), path: key.slice(slash) });
}
