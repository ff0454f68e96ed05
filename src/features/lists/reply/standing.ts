import * as vscode from 'vscode';
import { cancelled } from '../../../editor/ask/ask.ts';
import { notify } from '../../../editor/ask/notify.ts';

/** What is kept and typed of what mails are made of, in this window and others, as a text that is another once it is. */
export interface Standing {
	/** When the mails were made. */
	readonly asked: string;
	readonly now: () => string;
}

/** Throws `cancelled()` where mails would leave in an older state than they are in by now, once that was said. */
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
