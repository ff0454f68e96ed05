import * as vscode from 'vscode';
import { cancelled, choose, type Choice } from '../../../editor/ask/ask.ts';
import { confirm, namesText, notify } from '../../../editor/ask/notify.ts';
import { connectionOf, isRecord } from '../../../editor/commands/subjects.ts';
import {
	listKey,
	patchsetStatuses,
	settablePatchsetStatuses,
	type SettablePatchsetStatus,
} from 'sourcehut/port/list.ts';
import { firstMailOfFormed } from 'patchmail/series/listedPatchset.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { readableOnes } from '../subjects/listQuestions.ts';
import type { PatchsetSubject } from '../subjects/subjects.ts';
import { hasStatus, noStatusText, statusLook } from '../subjects/words.ts';
import { questionText, statusJob, whichText, type StatusChanges, type StatusOutcome } from './statusChanges.ts';

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
export async function askStatus(statuses: StatusChanges, subjects: readonly PatchsetSubject[], signal: AbortSignal) {
	const { title, choices } = await statusQuestion(statuses, subjects, signal);
	await setStatus(statuses, subjects, await choose(title, choices), signal);
}

/**
 * Replaces formed patchsets by the server patchsets of their threads, since a thread has one status. Removes duplicates.
 * Leaves out sets that the forge has no patchset of, with a message; throws `cancelled()` if none is left.
 */
async function statusCarriers(
	{ connections }: StatusChanges,
	subjects: readonly PatchsetSubject[],
	signal: AbortSignal,
): Promise<readonly PatchsetSubject[]> {
	const carriers = new Map<string, PatchsetSubject>();
	for (const subject of subjects) {
		const { connectionKey, ref } = subject;
		const isFormed = firstMailOfFormed(ref.id) !== undefined;
		const { lists } = connectionOf(connections, subject);
		const isUncertain = isFormed || lists.knownPatchset(ref)?.status === 'none';
		const formed = isUncertain ? await lists.patchset(ref, signal) : undefined;
		if (formed && !hasStatus(formed)) {
			void notify('warning', noStatusText(formed));
			continue;
		}
		const id = formed?.formed?.threadPatchsetId ?? ref.id;
		const key = `${connectionKey} ${listKey(ref.list)} ${id}`;
		carriers.set(key, id === ref.id ? subject : { ...subject, ref: { list: ref.list, id } });
	}
	if (carriers.size === 0) {
		throw cancelled();
	}
	return [...carriers.values()];
}

/**
 * Sends a status once to each patchset and shows the result. A refusal names who may set it. Contributors see a status at once,
 * so several patchsets need a confirmation with their names.
 */
export async function setStatus(
	statuses: StatusChanges,
	meant: readonly PatchsetSubject[],
	status: SettablePatchsetStatus,
	signal: AbortSignal,
): Promise<void> {
	const subjects = await statusCarriers(statuses, meant, signal);
	if (subjects.length > 1) {
		const names = subjects.map((subject) =>
			questionText(subject, statuses.connections.byKey(subject.connectionKey)?.lists.knownPatchset(subject.ref)),
		);
		const { text } = statusLook(status);
		const isMeant = await confirm(
			vscode.l10n.t('Set the status of {0} patchsets to {1}?', subjects.length, text),
			namesText(names),
			vscode.l10n.t('Set to {0}', text),
		);
		if (!isMeant) {
			throw cancelled();
		}
	}
	await statuses.carryOut(jobOf(subjects, status), signal);
}

function jobOf(subjects: readonly PatchsetSubject[], status: SettablePatchsetStatus) {
	const items = subjects.map((subject) => ({ subject, wish: { status } }));
	return statusJob(items, (count) => vscode.l10n.t('Marked {0} as {1}.', count, statusLook(status).text));
}

/** Sets the status of one patchset without a message. Undo works as usual. */
export async function setStatusQuietly(
	statuses: StatusChanges,
	subject: PatchsetSubject,
	status: SettablePatchsetStatus,
	signal: AbortSignal,
): Promise<StatusOutcome> {
	const [carrier = subject] = await statusCarriers(statuses, [subject], signal);
	return statuses.carryOutOne(jobOf([carrier], status), { subject: carrier, wish: { status } }, signal);
}

/** Offers the statuses of every server without the current one, and those seen in these lists. */
export async function statusQuestion(statuses: StatusChanges, given: readonly PatchsetSubject[], signal: AbortSignal) {
	const { connections } = statuses;
	const subjects = await statusCarriers(statuses, given, signal);
	const meant = await readableOnes(
		subjects.map(async (subject) => ({
			subject,
			patchset: await connectionOf(connections, subject).lists.patchset(subject.ref, signal),
		})),
		signal,
	);
	const patchsets = meant.map(({ patchset }) => patchset);
	const present = new Set(patchsets.map(({ status }) => status));
	const unneeded = present.size === 1 ? [...present][0] : undefined;
	const seen = subjects.flatMap(
		({ connectionKey, ref }) => connections.byKey(connectionKey)?.lists.knownPatchsets(ref.list) ?? [],
	);
	// Statuses unknown to this version, as the forge writes them.
	const others = [...seen, ...patchsets].flatMap(({ status }) =>
		status === 'unknown' || status === 'none' || patchsetStatuses.some((known) => known === status) ? [] : [status],
	);
	const choices = [...settablePatchsetStatuses, ...new Set(others)]
		.filter((word) => word !== unneeded)
		.map((word): Choice<SettablePatchsetStatus> => {
			const { text, codicon } = statusLook(word);
			return {
				label: text,
				...(word.startsWith('other:') ? { description: vscode.l10n.t('seen on this forge') } : {}),
				iconPath: new vscode.ThemeIcon(codicon),
				value: word,
			};
		});
	const [only] = meant;
	const title =
		only && subjects.length === 1
			? vscode.l10n.t(
					'Status of "{0}" ({1})',
					visibleLine(only.patchset.subject),
					whichText(only.subject, only.patchset),
				)
			: vscode.l10n.t('Status of {0} patchsets', subjects.length);
	return { title, choices };
}
