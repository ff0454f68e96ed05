import * as vscode from 'vscode';
import type { CommandId } from './commandIds.ts';
import type { CommandTable } from './feature.ts';
import { tellBriefly } from './notify.ts';
import type { Problems } from './problems.ts';
import type { Disposable } from '../base/lifecycle.ts';

/** Runs commands: one place for errors and for giving up when the window goes. */
export interface Runner extends Disposable {
	/**
	 * Resolves when the command has ended, however it ended; failures are shown, not thrown. `selected` are the rows that
	 * the editor hands over when several are selected.
	 */
	run(command: CommandId, subject: unknown, selected?: unknown): Promise<void>;
}

/** What the runner needs of its surroundings. */
export interface RunnerParts {
	readonly problems: Problems;
	/** The rows of the tickets view that a key pressed in it means now; `undefined` while they change too fast to tell. */
	readonly rowsInFocus: () => Promise<readonly unknown[] | undefined>;
}

/** What key bindings in a view hand over instead of a row: the editor tells them nothing of its rows. */
const selectionWord = 'selection';

/** Commands come from all features; the manifest test proves that every contributed one is answered by one of them. */
export function runner(tables: readonly CommandTable[], { problems, rowsInFocus }: RunnerParts): Runner {
	const ending = new AbortController();
	return {
		async run(command, subject, selected) {
			const handler = tables.map((table) => table[command]).find((found) => found !== undefined);
			try {
				const rows = subject === selectionWord ? await rowsInFocus() : rowsMeant(subject, selected);
				if (!rows) {
					return tellBriefly(vscode.l10n.t('The rows changed while the key was pressed. Press it again.'));
				}
				await handler?.(subject === selectionWord ? rows[0] : subject, ending.signal, rows);
			} catch (error) {
				// Not awaited: a notice that nobody closes must not keep the command from ending.
				void problems.show(error);
			}
		},
		dispose: () => ending.abort(),
	};
}

function rowsMeant(subject: unknown, selected: unknown): readonly unknown[] {
	// A row outside of the selection means itself alone.
	if (Array.isArray(selected) && selected.includes(subject)) {
		return selected;
	}
	return subject === undefined ? [] : [subject];
}
