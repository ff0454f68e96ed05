import * as vscode from 'vscode';
import { Emitter } from '../../base/event.ts';
import { Disposables, type Disposable } from '../../base/lifecycle.ts';
import type { Mark } from '../../forge/mark.ts';
import { countText } from './countTexts.ts';
import { markSentence } from './markTexts.ts';

/** The dots beside unread rows, and their number on the view's icon. */
export interface UnreadMarks extends Disposable {
	/** What is unread of all accounts, by the `authority + path` of its row's address. `count`, where a thing has several rows. */
	show(marks: ReadonlyMap<string, Mark>, count?: number): void;
}

/** The part of a view that carries a number. */
export type BadgedView = Pick<vscode.TreeView<unknown>, 'badge'>;

/** Which rows carry dots, and where their number stands. */
export interface MarkedRows {
	/** Of the addresses of the rows. */
	readonly scheme: string;
	readonly view: BadgedView;
	/** What the number counts: "2 unread tickets". */
	readonly counted: (count: number, text: string) => string;
}

/** Registers the dots with the editor. */
export function unreadMarks({ scheme, view, counted }: MarkedRows): UnreadMarks {
	const owned = new Disposables();
	const changed = owned.add(new Emitter<vscode.Uri[]>());
	let shown: ReadonlyMap<string, Mark> = new Map();

	owned.add(
		vscode.window.registerFileDecorationProvider({
			onDidChangeFileDecorations: changed.event,
			provideFileDecoration(uri) {
				const mark = uri.scheme === scheme ? shown.get(`${uri.authority}${uri.path}`) : undefined;
				return mark && new vscode.FileDecoration('●', markSentence(mark));
			},
		}),
	);

	function uriOf(key: string): vscode.Uri {
		const slash = key.indexOf('/');
		return vscode.Uri.from({ scheme, authority: key.slice(0, slash), path: key.slice(slash) });
	}

	return {
		show(marks, count = marks.size) {
			const before = shown;
			shown = marks;
			const touched = [...new Set([...before.keys(), ...marks.keys()])].filter(
				(key) => before.get(key) !== marks.get(key),
			);
			if (touched.length > 0) {
				changed.fire(touched.map(uriOf));
			}
			if (view.badge?.value !== (count || undefined)) {
				view.badge = count === 0 ? undefined : { value: count, tooltip: counted(count, countText(count, true)) };
			}
		},
		dispose() {
			view.badge = undefined;
			owned.dispose();
		},
	};
}
