import { AsyncLocalStorage } from 'node:async_hooks';
import * as vscode from 'vscode';
import { commandTable, type CommandId } from '../../commands/table.ts';
import type { CommandTable } from './feature.ts';
import { tellBriefly } from '../ask/notify.ts';
import type { Problems } from '../ask/problems.ts';
import { isKeyInFront, isPartIn, partOf, viewOfKey } from './partOf.ts';
import { needsGit, tellNotTrusted } from './trust.ts';
import type { ViewId } from '../../commands/viewIds.ts';

/** Titles of running commands; several can wait for the user at once. */
const running = new AsyncLocalStorage<string>();

/** Runs a command under its title, so that its questions can name it. */
function asCommand<T>(title: string, work: () => Promise<T>): Promise<T> {
	return running.run(title.replace(/…$/, ''), work);
}

/** The title of the command that asks; `undefined` outside of commands. */
export function runningCommand(): string | undefined {
	return running.getStore();
}

/** A view with its selected rows. */
interface ChosenRows {
	readonly view: ViewId;
	readonly rows: readonly unknown[];
}

/**
 * Runs commands of all features: one place for errors and for giving up when the window goes. The manifest test proves
 * that each contributed command has a handler. `rowsInFocus`: rows for a key pressed in a view; `undefined` during
 * rapid changes. `viewInFocus`: the view that a command of the palette means.
 */
export function runner(
	tables: readonly CommandTable[],
	problems: Problems,
	rowsInFocus: (view: ViewId) => Promise<readonly unknown[] | undefined>,
	viewInFocus: () => ChosenRows | undefined,
	isTrusted: () => boolean,
) {
	const ending = new AbortController();

	/** Rows for a merged command that was handed nothing. */
	function chosenRows(command: CommandId, handed: unknown): ChosenRows | undefined {
		const found = handed === undefined ? viewInFocus() : undefined;
		return found && isPartIn(command, found.view) ? found : undefined;
	}

	return {
		/** Resolves at the command's end; shows errors and never throws. `selected`: rows of a multiple selection. */
		async run(command: CommandId, handed: unknown, selected?: unknown) {
			try {
				const chosen = chosenRows(command, handed);
				const subject = isKeyInFront(handed) ? undefined : handed;
				const part = await partOf(command, chosen ? { rowsOf: chosen.view } : subject);
				if (!isTrusted() && needsGit(part, subject)) {
					void tellNotTrusted('information');
					return;
				}
				const handler = tables.map((table) => table[part]).find((found) => found !== undefined);
				const view = viewOfKey(subject);
				const rows = view === undefined ? rowTargets(subject, selected) : await rowsInFocus(view);
				if (!rows) {
					return tellBriefly(vscode.l10n.t('The list just changed. Try again.'));
				}
				const meant = chosen?.rows ?? rows;
				const first = chosen || view !== undefined ? meant[0] : subject;
				await asCommand(commandTable[part].title, async () => handler?.(first, ending.signal, meant));
			} catch (error) {
				// Not awaited: the notice may stay open for hours.
				void problems.show(error);
			}
		},
		dispose: () => ending.abort(),
	};
}

function rowTargets(subject: unknown, selected: unknown): readonly unknown[] {
	// A row outside of the selection means itself alone.
	if (Array.isArray(selected) && selected.includes(subject)) {
		return selected;
	}
	return subject === undefined ? [] : [subject];
}
