import * as vscode from 'vscode';
import { Emitter, type Event } from '../../base/event.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { KeptText } from '../../state/shared/keptText.ts';

/** Whether entries that are done are shown. */
export interface DoneShown extends Disposable {
	now(): boolean;
	/** Settles when it is kept. */
	choose(isShown: boolean): Promise<void>;
	readonly onDidChange: Event<void>;
}

const shown = 'shown';

/** Kept for the window; menus hear of it. */
export function doneShown(kept: KeptText): DoneShown {
	const changed = new Emitter<void>();
	const now = (): boolean => kept.read() === shown;

	async function tell(): Promise<void> {
		await vscode.commands.executeCommand('setContext', 'forge.inbox.doneShown', now());
	}

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
		dispose: () => changed.dispose(),
	};
}
