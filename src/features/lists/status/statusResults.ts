import * as vscode from 'vscode';
import { isAbort } from '../../../base/abort.ts';
import { choose, type Choice } from '../../../editor/ask/ask.ts';
import { notify } from '../../../editor/ask/notify.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import type { PatchsetSubject } from '../subjects/subjects.ts';
import { outcomeText } from './outcomeTexts.ts';
import type { StatusParts, UndoStatuses } from './statusParts.ts';
import { itemsToTryAgain, type StatusItem, type StatusOutcome, type StatusResult } from './statusWrites.ts';

/** Outcome of a bulk change. */
export interface StatusReport {
	/** Result with the counted patchsets: "Marked 3 patchsets as Applied.". */
	readonly result: (patchsets: string) => string;
	readonly results: readonly StatusResult[];
	/** Does the rest of the job. */
	readonly again: (rest: readonly StatusItem[]) => Promise<void>;
	/** Absent if there is nothing to undo. */
	readonly undo: UndoStatuses | undefined;
}

type Wish = { readonly kind: 'open'; readonly subject: PatchsetSubject } | { readonly kind: 'tryAgain' };

/**
 * Reports each patchset of a bulk change: a notice on complete success, otherwise a list with the outcomes in which a
 * choice opens the patchset. Returns at once, because an open list must not block the command.
 */
export function showStatusResults(parts: StatusParts, report: StatusReport): void {
	const { result, results } = report;
	const done = results.filter(({ outcome }) => outcome.kind === 'done').length;
	const count = result(countedPatchsets(done, results.length));
	const shown = done === results.length ? tellGood(parts, count, report) : list(parts, count, report);
	shown.catch((error: unknown) => {
		if (!isAbort(error)) {
			void parts.problems.show(error);
		}
	});
}

/** "3 patchsets" or "2 of 3 patchsets". */
export function countedPatchsets(done: number, all: number): string {
	if (done < all) {
		return vscode.l10n.t('{0} of {1} patchsets', done, all);
	}
	return all === 1 ? vscode.l10n.t('1 patchset') : vscode.l10n.t('{0} patchsets', all);
}

async function tellGood(parts: StatusParts, count: string, report: StatusReport): Promise<void> {
	const show = vscode.l10n.t('Show Details');
	const undo = vscode.l10n.t('Undo');
	const chosen = await notify('information', count, ...(report.undo ? [undo] : []), show);
	if (chosen === show) {
		await list(parts, count, report);
	} else if (chosen === undo) {
		await report.undo?.();
	}
}

async function list(parts: StatusParts, count: string, { results, again }: StatusReport): Promise<void> {
	const missing = itemsToTryAgain(results);
	const rows = (areDone: boolean): readonly Choice<Wish>[] =>
		results.filter(({ outcome }) => (outcome.kind === 'done') === areDone).map((result) => resultRow(parts, result));
	const tryAgain: Choice<Wish> = {
		label: vscode.l10n.t('Try the Missing Ones Again'),
		description: vscode.l10n.t('{0} of {1}', missing.length, results.length),
		iconPath: new vscode.ThemeIcon('debug-restart'),
		alwaysShow: true,
		value: { kind: 'tryAgain' },
	};
	// A patchset is the first row: a stray Enter only opens it.
	const chosen = await choose(count, [...rows(false), ...(missing.length > 0 ? [tryAgain] : []), ...rows(true)]);
	switch (chosen.kind) {
		case 'open':
			return void (await vscode.commands.executeCommand('forge.patchsets.open', chosen.subject));
		case 'tryAgain':
			return again(missing);
	}
}

function resultRow({ connections, problems }: StatusParts, { subject, outcome }: StatusResult): Choice<Wish> {
	const known = connections.byKey(subject.connectionKey)?.lists.knownPatchset(subject.ref);
	return {
		label: visibleLine(known?.subject ?? `${subject.ref.id}`),
		description: `${visibleLine(subject.ref.list.name)} #${subject.ref.id}`,
		detail: outcomeText(outcome, subject, problems),
		iconPath: new vscode.ThemeIcon(iconOf(outcome)),
		value: { kind: 'open', subject },
	};
}

function iconOf(outcome: StatusOutcome): string {
	switch (outcome.kind) {
		case 'done':
			return 'pass';
		case 'refused':
		case 'unread':
			return 'error';
		case 'missing':
		case 'notTried':
		case 'changed':
			return 'circle-slash';
		case 'unclear':
			return 'question';
	}
}
