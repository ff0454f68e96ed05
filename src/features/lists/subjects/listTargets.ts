import { connectionOf } from '../../../editor/commands/subjects.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import type { ListRef } from 'sourcehut/port/list.ts';
import type { Connections } from '../../../store/connection.ts';
import {
	askList,
	askMailOfList,
	askMailOfPatchset,
	askPatchOfPatchset,
	askPatchset,
	askPatchsetOfThread,
} from './listQuestions.ts';
import { patchsetOfMail, patchsetsInThread } from './mailPlaces.ts';
import { documentInFront, givenSubject, subjectOrInFront } from './givenSubject.ts';
import {
	mailSubject,
	present,
	type ListsSubject,
	type ListSubject,
	type MailSubject,
	type PatchFileSubject,
	type PatchsetSubject,
} from './subjects.ts';
import type { PageHost } from '../../../editor/pages/pageHost.ts';

/*
 * Finds a command's subject: the given row or document, otherwise the active document or page, otherwise a question.
 */

/** The part of the context that targets need. The context itself contains their users. */
export interface TargetContext {
	readonly connections: Connections;
	readonly pages: PageHost;
}

/** The command's list, also for anything inside it or in front; otherwise asks. */
export async function listTarget(context: TargetContext, subject: unknown, signal: AbortSignal): Promise<ListSubject> {
	const meant = subjectOrInFront(context.pages, subject);
	switch (meant?.kind) {
		case undefined:
			return askList(context.connections, signal);
		case 'list':
			return meant;
		case 'patchset':
			return { kind: 'list', connectionKey: meant.connectionKey, ref: meant.ref.list };
		case 'mail':
		case 'patchFile':
			return { kind: 'list', connectionKey: meant.connectionKey, ref: meant.list };
	}
}

/** The patchset that a command is about. */
export async function patchsetTarget(
	context: TargetContext,
	subject: unknown,
	signal: AbortSignal,
): Promise<PatchsetSubject> {
	const meant = subjectOrInFront(context.pages, subject);
	const patchset = meant && patchsetOf(context.connections, meant);
	if (meant?.kind === 'mail' && !givenSubject(subject ?? documentInFront())) {
		const inThread = patchsetsInThread(context.connections.byKey(meant.connectionKey), meant);
		if (inThread.length > 1) {
			return askPatchsetOfThread(connectionOf(context.connections, meant), meant.list, inThread, signal);
		}
	}
	if (patchset) {
		return patchset;
	}
	const list = await listTarget(context, meant, signal);
	return askPatchset(connectionOf(context.connections, list), list.ref, signal);
}

/** All patchsets among the selected rows, without duplicates; asks for one if there is none. */
export async function patchsetTargets(
	context: TargetContext,
	subject: unknown,
	selected: readonly unknown[],
	signal: AbortSignal,
): Promise<readonly PatchsetSubject[]> {
	const patchsets = eachOnce(
		selected.flatMap((row) => {
			const meant = givenSubject(row);
			return (meant && patchsetOf(context.connections, meant)) ?? [];
		}),
		({ connectionKey, ref }) => `${connectionKey} ${refText(ref.list)} ${ref.id}`,
	);
	return patchsets.length > 0 ? patchsets : [await patchsetTarget(context, subject, signal)];
}

function eachOnce<T>(all: readonly T[], keyOf: (one: T) => string): readonly T[] {
	return [...new Map(all.map((one) => [keyOf(one), one])).values()];
}

/** A patch counts as its patchset, if known. */
export function patchsetOf(connections: Connections, subject: ListsSubject): PatchsetSubject | undefined {
	const { connectionKey } = subject;
	const of = (list: ListRef, id: number): PatchsetSubject =>
		present(connections, { kind: 'patchset', connectionKey, ref: { list, id } });
	switch (subject.kind) {
		case 'patchset':
			return present(connections, subject);
		case 'patchFile':
			return of(subject.list, subject.patchsetId);
		case 'mail': {
			const known = patchsetOfMail(connections.byKey(connectionKey), subject);
			return known === undefined ? undefined : of(subject.list, known);
		}
		case 'list':
			return undefined;
	}
}

/** The command's mail; asks within a patchset. */
export async function mailTarget(context: TargetContext, subject: unknown, signal: AbortSignal): Promise<MailSubject> {
	const meant = subjectOrInFront(context.pages, subject);
	switch (meant?.kind) {
		case 'mail':
			return meant;
		case 'patchFile':
			return {
				kind: 'mail',
				connectionKey: meant.connectionKey,
				list: meant.list,
				id: meant.mailId,
				messageId: undefined,
			};
		case 'patchset':
			return askMailOfPatchset(connectionOf(context.connections, meant), meant, signal);
		case 'list':
		case undefined: {
			const list = await listTarget(context, meant, signal);
			return askMailOfList(connectionOf(context.connections, list), list.ref, signal);
		}
	}
}

/** All mails among the selected rows; otherwise the subject's mail. */
export async function mailTargets(
	context: TargetContext,
	subject: unknown,
	selected: readonly unknown[],
	signal: AbortSignal,
): Promise<readonly MailSubject[]> {
	const mails = eachOnce(
		selected.flatMap((row) => mailSubject(row) ?? []),
		({ connectionKey, id }) => `${connectionKey} ${id}`,
	);
	return mails.length > 0 ? mails : [await mailTarget(context, subject, signal)];
}

/** The patch, or the file of one, that a command is about. */
export async function patchTarget(
	context: TargetContext,
	subject: unknown,
	signal: AbortSignal,
): Promise<MailSubject | PatchFileSubject> {
	const meant = subjectOrInFront(context.pages, subject);
	if (meant?.kind === 'mail' || meant?.kind === 'patchFile') {
		return meant;
	}
	const patchset = await patchsetTarget(context, meant, signal);
	return askPatchOfPatchset(connectionOf(context.connections, patchset), patchset, signal);
}
