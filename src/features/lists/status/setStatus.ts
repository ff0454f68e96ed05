import * as vscode from 'vscode';
import { cancelled, choose, type Choice } from '../../../editor/ask.ts';
import { withCountedProgress } from '../../../editor/countedProgress.ts';
import { confirm, namesText, notify, tellBriefly } from '../../../editor/notify.ts';
import { withProgress } from '../../../editor/progress.ts';
import { connectionOf, isRecord } from '../../../editor/subjects.ts';
import { isBareRefusal, isForgeError } from '../../../forge/forgeError.ts';
import {
	patchsetStatuses,
	settablePatchsetStatuses,
	type Patchset,
	type SettablePatchsetStatus,
} from '../../../forge/list.ts';
import { visibleLine } from '../../../text/visible.ts';
import type { ListsParts } from '../listsParts.ts';
import { readableOnes } from '../readableOnes.ts';
import type { PatchsetSubject } from '../subjects.ts';
import { statusLook } from '../words.ts';
import { outcomeText, whoMayText } from './outcomeTexts.ts';
import { showStatusResults } from './statusResults.ts';
import type { StatusChange } from './statusActs.ts';
import {
	setStatuses,
	type StatusItem,
	type StatusOutcome,
	type StatusResult,
	type StatusWork,
} from './statusWrites.ts';

/** What setting a status needs. */
export type StatusParts = Pick<ListsParts, 'connections' | 'problems' | 'statusActs'>;

/** A word of a forge's own, which is no text of any length. */
const ownWord = /^other:\S.{0,63}$/u;

/**
 * A status that a command was handed with its subject: one that every server knows, or a word of the forge's own after
 * `other:`; `undefined` to ask.
 */
export function statusGiven(subject: unknown): SettablePatchsetStatus | undefined {
	const word = isRecord(subject) ? subject['status'] : undefined;
	return typeof word === 'string' && ownWord.test(word)
		? `other:${word.slice('other:'.length)}`
		: settablePatchsetStatuses.find((known) => known === word);
}

/** Asks for a status, sends it once to each patchset, and says what the forge answered. */
export async function askStatus(
	parts: StatusParts,
	subjects: readonly PatchsetSubject[],
	signal: AbortSignal,
): Promise<void> {
	await setStatus(parts, { subjects, status: await askWhich(parts, subjects, signal) }, signal);
}

/** Which patchsets get which status. */
export interface StatusJob {
	readonly subjects: readonly PatchsetSubject[];
	readonly status: SettablePatchsetStatus;
}

/**
 * Sends a status once to each patchset and says what the forge answered. Whoever may not is told who may. Contributors see
 * a status at once, so that of several patchsets is set only after a question that names them.
 */
export async function setStatus(
	parts: StatusParts,
	{ subjects, status }: StatusJob,
	signal: AbortSignal,
): Promise<void> {
	if (subjects.length > 1 && !(await isMeantForAll(parts, { subjects, status }))) {
		throw cancelled();
	}
	const items = subjects.map((subject) => ({ subject, status }));
	const ended = (results: readonly StatusResult[]): void => parts.statusActs.record(changesOf(results));
	await sendStatuses(parts, { title: statusLook(status).text, items, ended, canBeUndone: true }, signal);
}

function changesOf(results: readonly StatusResult[]): readonly StatusChange[] {
	return results.flatMap(({ subject, before, outcome }) =>
		outcome.kind === 'done' && before !== undefined && before !== outcome.patchset.status
			? [{ subject, before, after: outcome.patchset.status }]
			: [],
	);
}

function isMeantForAll({ connections }: StatusParts, { subjects, status }: StatusJob): Promise<boolean> {
	const names = subjects.map((subject) => {
		const patchset = connections.byKey(subject.connectionKey)?.lists.knownPatchset(subject.ref);
		return patchset
			? vscode.l10n.t('“{0}” ({1})', visibleLine(patchset.subject), whichText({ subject, patchset }))
			: `${visibleLine(subject.ref.list.name)} #${subject.ref.id}`;
	});
	const { text } = statusLook(status);
	return confirm(
		vscode.l10n.t('Set the status of {0} patchsets to {1}?', subjects.length, text),
		namesText(names),
		vscode.l10n.t('Set to {0}', text),
	);
}

/** Statuses that go out together. */
export interface StatusSending {
	/** What it is, in a word or two. */
	readonly title: string;
	readonly items: readonly StatusItem[];
	/** Hears what became of each before that is said. */
	readonly ended: (results: readonly StatusResult[]) => void;
	readonly canBeUndone: boolean;
}

/** Sends each status once, without a question, and says what the forge answered. */
export async function sendStatuses(parts: StatusParts, sending: StatusSending, signal: AbortSignal): Promise<void> {
	const { title, items, ended, canBeUndone } = sending;
	const work: Pick<StatusWork, 'listsOf'> = { listsOf: (subject) => connectionOf(parts.connections, subject).lists };
	const [only] = items;
	const shown = vscode.l10n.t('Setting the status…');
	if (only && items.length === 1) {
		const [result] = await withProgress(shown, signal, (cancelling) =>
			setStatuses([only], { ...work, cancelled: cancelling, step: () => undefined }),
		);
		if (result) {
			ended([result]);
			tellOne(parts, only.subject, result.outcome, signal);
		}
		return;
	}
	const results = await withCountedProgress({ title: shown, total: items.length, signal }, (cancelling, step) =>
		setStatuses(items, { ...work, cancelled: cancelling, step }),
	);
	ended(results);
	for (const { subject, outcome } of results) {
		lookAgain(parts, subject, outcome, signal);
	}
	showStatusResults(parts, {
		title,
		results,
		again: (rest) => sendStatuses(parts, { ...sending, items: rest }, signal),
		undo: canBeUndone
			? async () => void (await vscode.commands.executeCommand('forge.patchsets.undo', only?.subject))
			: undefined,
	});
}

/** The statuses that every server knows, but for the present one, and the words that were seen in these lists. */
async function askWhich(
	{ connections }: StatusParts,
	subjects: readonly PatchsetSubject[],
	signal: AbortSignal,
): Promise<SettablePatchsetStatus> {
	const meant = await readableOnes(
		subjects.map(async (subject): Promise<MeantPatchset> => ({
			subject,
			patchset: await connectionOf(connections, subject).lists.patchset(subject.ref, signal),
		})),
		signal,
	);
	const patchsets = meant.map(({ patchset }) => patchset);
	const present = new Set(patchsets.map(({ status }) => status));
	const unneeded = present.size === 1 ? [...present][0] : undefined;
	const seen = subjects.flatMap(
		({ connectionKey, ref }) => connections.byKey(connectionKey)?.lists.knownPatchsets(ref.list)?.items ?? [],
	);
	const choices = [...settablePatchsetStatuses, ...wordsSeen([...seen, ...patchsets])]
		.filter((word) => word !== unneeded)
		.map(statusChoice);
	return choose(questionOf(meant, subjects.length), choices);
}

interface MeantPatchset {
	readonly subject: PatchsetSubject;
	readonly patchset: Patchset;
}

/** Words that this version knows no look of, as the forge writes them. */
function wordsSeen(patchsets: readonly Patchset[]): readonly SettablePatchsetStatus[] {
	const others = patchsets.flatMap(({ status }) =>
		status === 'unknown' || patchsetStatuses.some((known) => known === status) ? [] : [status],
	);
	return [...new Set(others)];
}

function statusChoice(word: SettablePatchsetStatus): Choice<SettablePatchsetStatus> {
	const { text, codicon } = statusLook(word);
	return {
		label: text,
		...(word.startsWith('other:') ? { description: vscode.l10n.t('seen on this forge') } : {}),
		iconPath: new vscode.ThemeIcon(codicon),
		value: word,
	};
}

function questionOf(meant: readonly MeantPatchset[], count: number): string {
	const [only] = meant;
	return only && count === 1
		? vscode.l10n.t('Status of “{0}” ({1})', visibleLine(only.patchset.subject), whichText(only))
		: vscode.l10n.t('Status of {0} patchsets', count);
}

/** Tells the versions of a series apart, which often have the same subject: `v2 · devel #12` */
export function whichText({ subject: { ref }, patchset: { version } }: MeantPatchset): string {
	return `v${version} · ${visibleLine(ref.list.name)} #${ref.id}`;
}

/** Whatever was refused, what is shown afterwards is what the forge says. */
function lookAgain(
	{ connections, problems }: StatusParts,
	{ connectionKey, ref }: PatchsetSubject,
	outcome: StatusOutcome,
	signal: AbortSignal,
): void {
	if (outcome.kind === 'refused' && isForgeError(outcome.error)) {
		connections
			.byKey(connectionKey)
			?.lists.renewPatchset(ref, signal)
			.catch((error: unknown) => problems.log(error));
	}
}

/** Only a failure with a step of its own, such as signing in, is left to whoever runs commands. */
function tellOne(parts: StatusParts, subject: PatchsetSubject, outcome: StatusOutcome, signal: AbortSignal): void {
	lookAgain(parts, subject, outcome, signal);
	switch (outcome.kind) {
		case 'done':
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

/** Not awaited by the command: a notice that nobody closes must not keep it from ending. */
async function tellWithPage(text: string, subject: PatchsetSubject): Promise<void> {
	const onWeb = vscode.l10n.t('Open on the Web');
	if ((await notify('error', text, onWeb)) === onWeb) {
		await vscode.commands.executeCommand('forge.openOnWeb', subject);
	}
}
