import * as vscode from 'vscode';
import { Emitter, type Event } from '../../base/event.ts';
import { Disposables, type Disposable } from '../../base/lifecycle.ts';
import type { InboxParts } from './inboxParts.ts';

/** Whether entries that are done are shown. */
export interface DoneShown extends Disposable {
	now(): boolean;
	/** Settles when it is kept. */
	choose(isShown: boolean): Promise<void>;
	readonly onDidChange: Event<void>;
}

const shown = 'shown';

/** Kept for the window until the last account signs out; menus hear of it. */
export function doneShown({ doneShown: kept, connections }: Pick<InboxParts, 'doneShown' | 'connections'>): DoneShown {
	const owned = new Disposables();
	const changed = owned.add(new Emitter<void>());
	const now = (): boolean => kept.read() === shown;

	async function tell(): Promise<void> {
		await vscode.commands.executeCommand('setContext', 'forge.inbox.doneShown', now());
	}

	// What is kept may have gone with an account.
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
