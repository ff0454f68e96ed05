import * as vscode from 'vscode';
import { Emitter } from '../../base/event.ts';
import { Disposables } from '../../base/lifecycle.ts';
import type { InboxParts } from './inboxParts.ts';

const shown = 'shown';

/** "Show Done" state. */
export type DoneShown = ReturnType<typeof doneShown>;

/** Lasts for the window until the last account signs out. Sets the context key for menus. */
export function doneShown({ doneShown: kept, connections }: Pick<InboxParts, 'doneShown' | 'connections'>) {
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
		/** Resolves after the save. */
		async choose(isShown: boolean) {
			const keeping = kept.write(isShown ? shown : '');
			changed.fire();
			await tell();
			await keeping;
		},
		onDidChange: changed.event,
		dispose: () => owned.dispose(),
	};
}
