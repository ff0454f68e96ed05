import * as vscode from 'vscode';
import { Emitter } from '@forge-desk/base/event.ts';
import { Disposables } from '@forge-desk/base/lifecycle.ts';
import type { Mark } from 'sourcehut/port/mark.ts';
import { markSentence } from './markTexts.ts';

/** The dots beside unread rows. Registers dots for rows with addresses of this scheme. */
export function unreadMarks(scheme: string) {
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

	return {
		/** Unread rows of all accounts, by `authority + path` of the row's URI. */
		show(marks: ReadonlyMap<string, Mark>) {
			const before = shown;
			shown = marks;
			const touched = [...new Set([...before.keys(), ...marks.keys()])].filter(
				(key) => before.get(key) !== marks.get(key),
			);
			if (touched.length > 0) {
				changed.fire(
					touched.map((key) => {
						const slash = key.indexOf('/');
						return vscode.Uri.from({ scheme, authority: key.slice(0, slash), path: key.slice(slash) });
					}),
				);
			}
		},
		dispose: () => owned.dispose(),
	};
}
