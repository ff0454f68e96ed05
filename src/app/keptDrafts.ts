import type * as vscode from 'vscode';
import type { Draft, Drafts } from '../state/drafts.ts';

/**
 * Drafts in the editor's own storage. What a page keeps by itself is written out only now and then, and a browser may
 * reload before that; this storage is written out at once.
 */
export function keptDrafts(storage: vscode.Memento): Drafts {
	return {
		draft(about) {
			const kept = storage.get<unknown>(keyOf(about));
			return isDraft(kept) ? kept : undefined;
		},
		async keep(about, { text, atMs }) {
			await storage.update(keyOf(about), text === '' ? undefined : { text, atMs });
		},
	};
}

function isDraft(value: unknown): value is Draft {
	return (
		typeof value === 'object' &&
		value !== null &&
		'text' in value &&
		typeof value.text === 'string' &&
		'atMs' in value &&
		typeof value.atMs === 'number'
	);
}

function keyOf(about: string): string {
	return `forge.draft:${about}`;
}
