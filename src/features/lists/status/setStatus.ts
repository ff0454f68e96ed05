import * as vscode from 'vscode';
import { choose, type Choice } from '../../../editor/ask.ts';
import { withCountedProgress } from '../../../editor/countedProgress.ts';
import { notify, tellBriefly } from '../../../editor/notify.ts';
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
import { setStatuses, type StatusOutcome, type StatusWork } from './statusWrites.ts';

/** What setting a status needs. */
export type StatusParts = Pick<ListsParts, 'connections' | 'problems'>;

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

/** Sends a status once to each patchset and says what the forge answered. Whoever may not is told who may. */
export async function setStatus(
	parts: StatusParts,
	{ subjects, status }: StatusJob,
	signal: AbortSignal,
): Promise<void> {
	const work: Pick<StatusWork, 'listsOf'> = { listsOf: (subject) => connectionOf(parts.connections, subject).lists };
	const [only] = subjects;
	const title = vscode.l10n.t('Setting the status…');
	if (only && subjects.length === 1) {
		const [result] = await withProgress(title, signal, (cancelled) =>
			setStatuses([only], status, { ...work, cancelled, step: () => undefined }),
		);
		return result && tellOne(parts, only, result.outcome, signal);
	}
	const results = await withCountedProgress({ title, total: subjects.length, signal }, (cancelled, step) =>
		setStatuses(subjects, status, { ...work, cancelled, step }),
	);
	for (const { subject, outcome } of results) {
		lookAgain(parts, subject, outcome, signal);
	}
	showStatusResults(parts, { status, results, again: (rest) => setStatus(parts, { subjects: rest, status }, signal) });
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
function whichText({ subject: { ref }, patchset: { version } }: MeantPatchset): string {
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
