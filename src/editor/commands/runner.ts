import * as vscode from 'vscode';
import type { CommandId } from '../../commands/table.ts';
import type { CommandTable } from './feature.ts';
import { tellBriefly } from '../ask/notify.ts';
import type { Problems } from '../ask/problems.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { isRecord } from './subjects.ts';
import { needsGit, tellNotTrusted } from './trust.ts';
import { viewIds, type ViewId } from '../../commands/viewIds.ts';

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
	/** The rows of a view that a key pressed in it means now; `undefined` while they change too fast to tell. */
	readonly rowsInFocus: (view: ViewId) => Promise<readonly unknown[] | undefined>;
	/** Whether the person trusts what is open in this window. */
	readonly isTrusted: () => boolean;
}

/** Commands come from all features; the manifest test proves that every contributed one is answered by one of them. */
export function runner(tables: readonly CommandTable[], { problems, rowsInFocus, isTrusted }: RunnerParts): Runner {
	const ending = new AbortController();
	return {
		async run(command, subject, selected) {
			const handler = tables.map((table) => table[command]).find((found) => found !== undefined);
			try {
				if (!isTrusted() && needsGit(command, subject)) {
					void tellNotTrusted('information');
					return;
				}
				const view = viewOfKey(subject);
				const rows = view === undefined ? rowTargets(subject, selected) : await rowsInFocus(view);
				if (!rows) {
					return tellBriefly(vscode.l10n.t('The rows changed while the key was pressed. Press it again.'));
				}
				await handler?.(view === undefined ? subject : rows[0], ending.signal, rows);
			} catch (error) {
				// Not awaited: a notice that nobody closes must not keep the command from ending.
				void problems.show(error);
			}
		},
		dispose: () => ending.abort(),
	};
}

/** Key bindings in a view hand over `{ "rowsOf": view }` instead of a row: the editor tells them nothing of its rows. */
function viewOfKey(subject: unknown): ViewId | undefined {
	return isRecord(subject) ? viewIds.find((id) => id === subject['rowsOf']) : undefined;
}

function rowTargets(subject: unknown, selected: unknown): readonly unknown[] {
	// A row outside of the selection means itself alone.
	if (Array.isArray(selected) && selected.includes(subject)) {
		return selected;
	}
	return subject === undefined ? [] : [subject];
}
