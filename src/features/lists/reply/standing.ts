import * as vscode from 'vscode';
import { cancelled } from '../../../editor/ask/ask.ts';
import { notify } from '../../../editor/ask/notify.ts';

/** Fingerprint of drafts and typed text, across windows, to detect a change. */
export interface Standing {
	/** When the mails were rendered. */
	readonly asked: string;
	readonly now: () => string;
}

/** Throws `cancelled()`, after a message, if the mails are stale. */
export function stopWhereChanged({ asked, now }: Standing): void {
	if (now() !== asked) {
		void notify(
			'warning',
			vscode.l10n.t(
				'This was changed or sent since it was prepared, perhaps in another window, so nothing was sent now. Check it, then send again.',
			),
		);
		throw cancelled();
	}
}
