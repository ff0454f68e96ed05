import * as vscode from 'vscode';
import { cancelled, choose, type Choice } from '../../../editor/ask/ask.ts';
import { confirm, namesText } from '../../../editor/ask/notify.ts';
import { connectionOf, isRecord } from '../../../editor/commands/subjects.ts';
import {
	firstMailOfFormed,
	listKey,
	patchsetStatuses,
	settablePatchsetStatuses,
	type Patchset,
	type SettablePatchsetStatus,
} from '../../../forge/port/list.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { readableOnes } from '../subjects/readableOnes.ts';
import type { PatchsetSubject } from '../subjects/subjects.ts';
import { statusLook } from '../subjects/words.ts';
import { questionName, sendOneStatus, sendStatuses, whichText, type TargetPatchset } from './sendStatuses.ts';
import type { StatusParts, UndoStatuses } from './statusParts.ts';
import type { StatusChange } from './statusActs.ts';
import type { StatusOutcome, StatusResult } from './statusWrites.ts';
import { undoStatus } from './undoStatus.ts';

/** A forge-specific status, with a limit on its length. */
const ownWord = /^other:\S.{0,63}$/u;

/** Status passed along with the command's subject: a known one, or a forge-specific one after `other:`; `undefined` to ask. */
export function statusGiven(subject: unknown): SettablePatchsetStatus | undefined {
	const word = isRecord(subject) ? subject['status'] : undefined;
	return typeof word === 'string' ? settableStatus(word) : undefined;
}

/** The status of a word; `undefined` if it can't be set. */
export function settableStatus(word: string): SettablePatchsetStatus | undefined {
	return ownWord.test(word)
		? `other:${word.slice('other:'.length)}`
		: settablePatchsetStatuses.find((known) => known === word);
}

/** Asks for a status and sets it on each patchset. */
export async function askStatus(
	parts: StatusParts,
	subjects: readonly PatchsetSubject[],
	signal: AbortSignal,
): Promise<void> {
	await setStatus(parts, { subjects, status: await askWhich(parts, subjects, signal) }, signal);
}

/** Replaces formed patchsets by the server patchsets of their threads, since a thread has one status. Removes duplicates. */
async function statusCarriers(
	{ connections }: Pick<StatusParts, 'connections'>,
	subjects: readonly PatchsetSubject[],
	signal: AbortSignal,
): Promise<readonly PatchsetSubject[]> {
	const carriers = new Map<string, PatchsetSubject>();
	for (const subject of subjects) {
		const { connectionKey, ref } = subject;
		const isFormed = firstMailOfFormed(ref.id) !== undefined;
		const formed = isFormed ? await connectionOf(connections, subject).lists.patchset(ref, signal) : undefined;
		const id = formed?.supersedesId ?? ref.id;
		const key = `${connectionKey} ${listKey(ref.list)} ${id}`;
		carriers.set(key, id === ref.id ? subject : { ...subject, ref: { list: ref.list, id } });
	}
	return [...carriers.values()];
}

export interface StatusJob {
	readonly subjects: readonly PatchsetSubject[];
	readonly status: SettablePatchsetStatus;
}

/**
 * Sends a status once to each patchset and shows the result. A refusal names who may set it. Contributors see a status at once,
 * so several patchsets need a confirmation with their names.
 */
export async function setStatus(
	parts: StatusParts,
	{ subjects: meant, status }: StatusJob,
	signal: AbortSignal,
): Promise<void> {
	const subjects = await statusCarriers(parts, meant, signal);
	if (subjects.length > 1 && !(await isMeantForAll(parts, { subjects, status }))) {
		throw cancelled();
	}
	const items = subjects.map((subject) => ({ subject, status, expected: undefined }));
	const ended = (results: readonly StatusResult[]): UndoStatuses | undefined => {
		const act = parts.statusActs.record(changesOf(results));
		return act && (() => undoStatus(parts, { kind: 'act', act }, signal));
	};
	const result = (count: string): string => vscode.l10n.t('Marked {0} as {1}.', count, statusLook(status).text);
	await sendStatuses(parts, { result, items, unsent: [], ended }, signal);
}

/** Sets the status of one patchset without a message. Undo works as usual. */
export async function setStatusQuietly(
	parts: StatusParts,
	{ subject, status }: Pick<StatusResult, 'subject' | 'status'>,
	signal: AbortSignal,
): Promise<StatusOutcome> {
	const [carrier = subject] = await statusCarriers(parts, [subject], signal);
	const result = await sendOneStatus(parts, { subject: carrier, status, expected: undefined }, signal);
	parts.statusActs.record(changesOf([result]));
	return result.outcome;
}

function changesOf(results: readonly StatusResult[]): readonly StatusChange[] {
	return results.flatMap(({ subject, before, outcome }) =>
		outcome.kind === 'done' && before !== undefined && before !== 'unknown' && before !== outcome.patchset.status
			? [{ subject, before, after: outcome.patchset.status }]
			: [],
	);
}

function isMeantForAll({ connections }: StatusParts, { subjects, status }: StatusJob): Promise<boolean> {
	const names = subjects.map((subject) => {
		const patchset = connections.byKey(subject.connectionKey)?.lists.knownPatchset(subject.ref);
		return patchset
			? vscode.l10n.t('"{0}" ({1})', questionName(patchset), whichText({ subject, patchset }))
			: `${visibleLine(subject.ref.list.name)} #${subject.ref.id}`;
	});
	const { text } = statusLook(status);
	return confirm(
		vscode.l10n.t('Set the status of {0} patchsets to {1}?', subjects.length, text),
		namesText(names),
		vscode.l10n.t('Set to {0}', text),
	);
}

async function askWhich(
	parts: StatusParts,
	subjects: readonly PatchsetSubject[],
	signal: AbortSignal,
): Promise<SettablePatchsetStatus> {
	const { title, choices } = await statusQuestion(parts, subjects, signal);
	return choose(title, choices);
}

interface StatusQuestion {
	readonly title: string;
	/** The statuses of every server without the current one, and those seen in these lists. */
	readonly choices: readonly Choice<SettablePatchsetStatus>[];
}

export async function statusQuestion(
	{ connections }: Pick<StatusParts, 'connections'>,
	given: readonly PatchsetSubject[],
	signal: AbortSignal,
): Promise<StatusQuestion> {
	const subjects = await statusCarriers({ connections }, given, signal);
	const meant = await readableOnes(
		subjects.map(async (subject): Promise<TargetPatchset> => ({
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
	return { title: questionOf(meant, subjects.length), choices };
}

/** Statuses unknown to this version, as the forge writes them. */
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

function questionOf(meant: readonly TargetPatchset[], count: number): string {
	const [only] = meant;
	return only && count === 1
		? vscode.l10n.t('Status of "{0}" ({1})', visibleLine(only.patchset.subject), whichText(only))
		: vscode.l10n.t('Status of {0} patchsets', count);
}
