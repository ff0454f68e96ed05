import * as vscode from 'vscode';
import { withCountedProgress } from '../../../editor/ask/countedProgress.ts';
import { notify, tellBriefly } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import { isBareRefusal, isForgeError } from '../../../forge/port/forgeError.ts';
import type { Patchset } from '../../../forge/port/list.ts';
import type { PlannedStatuses } from '../../../store/lists/listStore.ts';
import { shortLine, visibleLine } from '../../../engine/text/visible.ts';
import type { PatchsetSubject } from '../subjects/subjects.ts';
import { outcomeText, whoMayText } from './outcomeTexts.ts';
import { showStatusResults } from './statusResults.ts';
import {
	setStatuses,
	type StatusItem,
	type StatusOutcome,
	type StatusResult,
	type StatusWork,
} from './statusWrites.ts';
import type { UndoStatuses, StatusParts } from './statusParts.ts';

/** Enough characters to distinguish subjects. */
const longestName = 80;

/** A freshly loaded patchset for a command. */
export interface TargetPatchset {
	readonly subject: PatchsetSubject;
	readonly patchset: Patchset;
}

/** Statuses that go out together. */
export interface StatusSending {
	/** Result with the counted patchsets: "Marked 3 patchsets as Applied.". */
	readonly result: (patchsets: string) => string;
	readonly items: readonly StatusItem[];
	/** Further results without a request. */
	readonly unsent: readonly StatusResult[];
	/** Receives the results before the user sees them; returns the undo operation if there is anything to undo. */
	readonly ended: (results: readonly StatusResult[]) => UndoStatuses | undefined;
}

/** Sends each status once, without questions, and reports the answers. */
export async function sendStatuses(parts: StatusParts, sending: StatusSending, signal: AbortSignal): Promise<void> {
	const { result, items, unsent } = sending;
	const [only] = items;
	if (only && items.length === 1 && unsent.length === 0) {
		const single = await sendOneStatus(parts, only, signal);
		sending.ended([single]);
		tellOne(parts, only.subject, single.outcome);
		return;
	}
	const looking = ownLook(parts, items);
	const plan = await planned(parts, items);
	const results = await withCountedProgress(
		{ title: progressText(), total: items.length, signal },
		(cancelling, step) => setStatuses(items, { listsOf: plan.listsOf, cancelled: cancelling, step }),
	);
	looking(results);
	const undo = sending.ended(results);
	await plan.end();
	for (const { subject, outcome } of results) {
		lookAgain(parts, subject, outcome, signal);
	}
	showStatusResults(parts, {
		result,
		results: [...results, ...unsent],
		again: (rest) => sendStatuses(parts, { ...sending, items: rest, unsent: [] }, signal),
		undo,
	});
}

/** Sends one status without questions or messages. */
export async function sendOneStatus(parts: StatusParts, item: StatusItem, signal: AbortSignal): Promise<StatusResult> {
	const looking = ownLook(parts, [item]);
	const results = await withProgress(progressText(), signal, (cancelling) =>
		setStatuses([item], { ...workOf(parts), cancelled: cancelling, step: () => undefined }),
	);
	looking(results);
	const result = results[0] ?? { ...item, before: undefined, outcome: { kind: 'notTried' } };
	lookAgain(parts, item.subject, result.outcome, signal);
	return result;
}

function progressText(): string {
	return vscode.l10n.t('Setting the status…');
}

function workOf({ connections }: StatusParts): Pick<StatusWork, 'listsOf'> {
	return { listsOf: (subject) => connectionOf(connections, subject).lists };
}

/** A bulk action in the journals of its accounts. */
interface StatusPlan extends Pick<StatusWork, 'listsOf'> {
	/** Deletes the entries after the result was stored. */
	readonly end: () => Promise<void>;
}

async function planned({ connections }: StatusParts, items: readonly StatusItem[]): Promise<StatusPlan> {
	const plans = new Map<string, { readonly own: readonly StatusItem[]; readonly plan: PlannedStatuses }>();
	for (const [key, own] of Map.groupBy(items, ({ subject }) => subject.connectionKey)) {
		const wanted = own.map(({ subject: { ref }, status }) => ({ ref, status }));
		const plan = await connections.byKey(key)?.lists.planStatuses(wanted);
		if (plan) {
			plans.set(key, { own, plan });
		}
	}
	return {
		listsOf(subject) {
			const { lists } = connectionOf(connections, subject);
			const of = plans.get(subject.connectionKey);
			const at = of?.own.findIndex((item) => item.subject === subject) ?? -1;
			return {
				renewPatchset: (ref, signal) => lists.renewPatchset(ref, signal),
				setStatus: (ref, status, signal) =>
					of && at >= 0 ? of.plan.set(at, signal) : lists.setStatus(ref, status, signal),
			};
		},
		async end() {
			await Promise.all([...plans.values()].map(({ plan }) => plan.end()));
		},
	};
}

/** Marks changed patchsets as read, except those unread before. */
function ownLook(parts: StatusParts, items: readonly StatusItem[]): (results: readonly StatusResult[]) => void {
	const unread = items.filter(({ subject }) => isUnread(parts, subject));
	return (results) =>
		results.forEach((result) => unread.some(({ subject }) => subject === result.subject) || lookAtOwn(parts, result));
}

function isUnread({ connections, marks }: StatusParts, { connectionKey, ref }: PatchsetSubject): boolean {
	const connection = connections.byKey(connectionKey);
	const patchset = connection?.lists.knownPatchset(ref);
	return connection && patchset ? marks.patchset(connection, ref.list, patchset) !== undefined : false;
}

/** Own changes are no news. */
function lookAtOwn({ connections, marks }: StatusParts, { subject, outcome }: StatusResult): void {
	const connection = connections.byKey(subject.connectionKey);
	if (connection && outcome.kind === 'done') {
		marks.lookAtOwn(connection, subject.ref.list, outcome.patchset);
	}
}

/** Short name for a question with several patchsets, which the editor neither wraps well nor scrolls. */
export function questionName({ subject }: Patchset): string {
	return shortLine(subject, longestName);
}

/** Distinguishes versions with the same subject: `v2 · devel #12` */
export function whichText({ subject: { ref }, patchset: { version } }: TargetPatchset): string {
	return `v${version} · ${visibleLine(ref.list.name)} #${ref.id}`;
}

/** After a refusal, show the forge's state. */
function lookAgain(
	{ connections, problems }: StatusParts,
	{ connectionKey, ref }: PatchsetSubject,
	outcome: StatusOutcome,
	signal: AbortSignal,
): void {
	if (outcome.kind === 'refused' && isForgeError(outcome.error)) {
		connections.byKey(connectionKey)?.lists.renewPatchset(ref, signal).catch(problems.log);
	}
}

/** An error with its own next step, such as signing in, goes to the command runner. */
function tellOne(parts: StatusParts, subject: PatchsetSubject, outcome: StatusOutcome): void {
	switch (outcome.kind) {
		case 'done':
		case 'changed':
			return tellBriefly(
				vscode.l10n.t(
					'{0} ({1}): {2}',
					visibleLine(outcome.patchset.subject),
					whichText({ subject, patchset: outcome.patchset }),
					outcomeText(outcome, subject, parts.problems),
				),
			);
		case 'notTried':
			return tellBriefly(outcomeText(outcome, subject, parts.problems));
		case 'unread':
			throw outcome.error;
		case 'refused':
			if (!isBareRefusal(outcome.error)) {
				throw outcome.error;
			}
			parts.problems.log(outcome.error);
			return void tellWithPage(whoMayText(subject), subject);
		case 'missing':
		case 'unclear':
			parts.problems.log(outcome.error);
			return void tellWithPage(outcomeText(outcome, subject, parts.problems), subject);
	}
}

/** Not awaited: the notice may stay open for hours. */
async function tellWithPage(text: string, subject: PatchsetSubject): Promise<void> {
	const onWeb = vscode.l10n.t('Open on the Web');
	if ((await notify('error', text, onWeb)) === onWeb) {
		await vscode.commands.executeCommand('forge.openOnWeb', subject);
	}
}
