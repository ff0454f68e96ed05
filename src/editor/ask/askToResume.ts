import * as vscode from 'vscode';
import type { BulkPart } from '../../store/shared/writeJournal.ts';
import { notify } from './notify.ts';

/** Parts of an interrupted bulk action. `rest`: not done, and certainly not there. */
export interface ResumedBulk<Part> {
	readonly done: readonly Part[];
	readonly unknown: readonly Part[];
	readonly rest: readonly Part[];
}

export function resumedParts<Part extends BulkPart>(parts: readonly Part[]): ResumedBulk<Part> {
	const isDone = ({ entry, verdict }: Part): boolean => entry.progress === 'done' || verdict?.kind === 'there';
	const isUnknown = ({ verdict }: Part): boolean => verdict?.kind === 'unknown';
	return {
		done: parts.filter(isDone),
		unknown: parts.filter(isUnknown),
		rest: parts.filter((part) => !isDone(part) && !isUnknown(part)),
	};
}

/** Reports how far an interrupted bulk action came. `counted`: for example "2 tickets". */
export async function askToResume(
	stopped: string,
	{ unknown, rest }: ResumedBulk<unknown>,
	canUndo: boolean,
	counted: (count: number) => string,
): Promise<'continue' | 'undo' | undefined> {
	const [goOn, undo] = [vscode.l10n.t('Continue'), vscode.l10n.t('Undo')];
	const doubt = vscode.l10n.t('It is not known whether the change arrived on {0}.', counted(unknown.length));
	const text = unknown.length === 0 ? stopped : `${stopped} ${doubt}`;
	const chosen = await notify('warning', text, ...(rest.length > 0 ? [goOn] : []), ...(canUndo ? [undo] : []));
	return chosen === goOn ? 'continue' : chosen === undo ? 'undo' : undefined;
}
