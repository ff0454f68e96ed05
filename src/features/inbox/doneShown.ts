import * as vscode from 'vscode';
import { Emitter, type Event } from '../../base/event.ts';
import { Disposables, type Disposable } from '../../base/lifecycle.ts';
import type { InboxParts } from './inboxParts.ts';

/** "Show Done" state. */
export interface DoneShown extends Disposable {
	now(): boolean;
	/** Resolves after the save. */
	choose(isShown: boolean): Promise<void>;
	readonly onDidChange: Event<void>;
}

const shown = 'shown';

/** Lasts for the window until the last account signs out. Sets the context key for menus. */
export function doneShown({ doneShown: kept, connections }: Pick<InboxParts, 'doneShown' | 'connections'>): DoneShown {
	const owned = new Disposables();
	const changed = owned.add(new Emitter<void>());
	const now = (): boolean => kept.read() === shown;

	async function tell(): Promise<void> {
		await vscode.commands.executeCommand('setContext', 'forge.inbox.doneShown', now());
	}

	// Signing out deletes the stored value.
	owned.add(connections.onDidChange(() => void tell()));
	void tell();
	return {
		now,
		async choose(isShown) {
			const keeping = kept.write(isShown ? shown : '');
			changed.fire();
			await tell();
			await keeping;
		},
		onDidChange: changed.event,
		dispose: () => owned.dispose(),
	};
}
