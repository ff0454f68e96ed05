import * as vscode from 'vscode';
import { isNumbered } from 'patchmail/series/listedPatchset.ts';
import { isAbort } from '@forge-desk/base/abort.ts';
import { confirm, namesText, notify, tellBriefly } from '../../../editor/ask/notify.ts';
import type { Problems } from '../../../editor/ask/problems.ts';
import { bulkChanges, type BulkJob } from '../../../editor/bulk/bulkChanges.ts';
import type { BulkItem, BulkOutcome, BulkResult } from '../../../editor/bulk/runBulk.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import { isBareRefusal, isForgeError } from 'sourcehut/port/forgeError.ts';
import type { Patchset, PatchsetStatus, SettablePatchsetStatus } from 'sourcehut/port/list.ts';
import { mayHaveArrived } from 'sourcehut/port/mayHaveArrived.ts';
import { shortLine, visibleLine } from '../../../engine/text/visible.ts';
import type { Connection, Connections } from '../../../store/connection.ts';
import type { SetStatus } from '../../../store/lists/listStore.ts';
import { isInDoubt } from '../../../store/shared/sentOnce.ts';
import type { BulkPart } from '../../../store/shared/writeJournal.ts';
import type { ListMarks } from '../marks/listMarks.ts';
import type { PatchsetSubject } from '../subjects/subjects.ts';
import { statusLook } from '../subjects/words.ts';

interface StatusWish {
	readonly status: SettablePatchsetStatus;
	/** Sends only if the patchset has this status; absent allows any. */
	readonly expected?: PatchsetStatus;
}

interface StatusDone {
	readonly patchset: Patchset;
	/** The forge's state just before the write. */
	readonly before: PatchsetStatus | undefined;
}

/** One patchset that got another status. */
interface StatusChange {
	readonly subject: PatchsetSubject;
	readonly wish: StatusWish;
	readonly before: SettablePatchsetStatus;
	readonly after: PatchsetStatus;
}

type StatusItem = BulkItem<PatchsetSubject, StatusWish>;
export type StatusOutcome = BulkOutcome<StatusWish, StatusDone>;

/** Enough characters to distinguish subjects. */
const longestName = 80;

/** Changes of patchset statuses. Each leaves once, and marks the patchset as read unless it was unread before. */
export type StatusChanges = ReturnType<typeof statusChanges>;

export function statusChanges(connections: Connections, problems: Problems, marks: ListMarks) {
	const known = ({ connectionKey, ref }: PatchsetSubject): Patchset | undefined =>
		connections.byKey(connectionKey)?.lists.knownPatchset(ref);

	async function write(
		{ subject, wish }: StatusItem,
		send: (signal: AbortSignal) => Promise<SetStatus>,
		signal: AbortSignal,
		cancelled: AbortSignal,
	): Promise<StatusOutcome> {
		const connection = connectionOf(connections, subject);
		const { lists } = connection;
		const { list } = subject.ref;
		const before = lists.knownPatchset(subject.ref);
		const wasUnread = before && marks.patchset(connection, list, before) !== undefined;
		const now = await lists
			.renewPatchset(subject.ref, cancelled)
			.catch((error: unknown) => ({ status: undefined, error }));
		if (cancelled.aborted) {
			return { kind: 'notTried' };
		}
		if (wish.expected !== undefined && now.status !== wish.expected) {
			if ('error' in now) {
				return { kind: 'unread', error: now.error };
			}
			const { text } = statusLook(now.status);
			return { kind: 'leftAlone', reason: vscode.l10n.t('Not changed: it was set to {0} in the meantime.', text) };
		}
		try {
			const set = await send(cancelled);
			// Own changes are no news.
			if (!wasUnread) {
				marks.lookAtOwn(connection, list, set.patchset);
			}
			return { kind: 'done', ...set, before: now.status };
		} catch (error) {
			if (isAbort(error) || isInDoubt(error)) {
				// The user cancelled after the request, or the check failed.
				return { kind: 'unclear', error };
			}
			if (isForgeError(error) && mayHaveArrived(error)) {
				return { kind: 'missing', left: wish, error };
			}
			if (isForgeError(error)) {
				// Show the forge's state.
				lists.renewPatchset(subject.ref, signal).catch(problems.log);
			}
			return { kind: 'refused', error };
		}
	}

	/** Outcome for one patchset, as a sentence. */
	function outcomeText(subject: PatchsetSubject, outcome: StatusOutcome): string {
		switch (outcome.kind) {
			case 'done': {
				const { text } = statusLook(outcome.patchset.status);
				return outcome.wasLost ? `${text} · ${vscode.l10n.t('The response was lost, but the change was made.')}` : text;
			}
			case 'refused':
				// On some servers only the list's owner can set a status (docs/protocol.md#patchset-updates).
				return isBareRefusal(outcome.error)
					? vscode.l10n.t(
							"The forge rejected this status: only the list's owner can set it. Ask {0}, or mark it in a reply.",
							visibleLine(subject.ref.list.owner),
						)
					: problems.explain(outcome.error).message;
			case 'unread':
				return problems.explain(outcome.error).message;
			case 'missing':
				return vscode.l10n.t('The connection was lost, and the change was not made. It can be sent again.');
			case 'unclear':
				if (isAbort(outcome.error)) {
					return vscode.l10n.t(
						'Cancelled while the change was being sent. Check the patchset before you send it again.',
					);
				}
				return vscode.l10n.t(
					'The connection was lost, and it is not known whether the change was made. Check the patchset before you send it again.',
				);
			case 'needless':
			case 'leftAlone':
			case 'queued':
				return outcome.reason;
			case 'notTried':
				return vscode.l10n.t('Not tried.');
		}
	}

	/** Not awaited: the notice may stay open for hours. */
	function tellWithPage(text: string, subject: PatchsetSubject, error: unknown): void {
		problems.log(error);
		const onWeb = vscode.l10n.t('Open on the Web');
		void notify('error', text, onWeb).then((chosen) =>
			chosen === onWeb ? vscode.commands.executeCommand('forge.openOnWeb', subject) : undefined,
		);
	}

	/** An error with its own next step, such as signing in, goes to the command runner. */
	function tellOne({ subject }: StatusItem, outcome: StatusOutcome): void {
		const text = outcomeText(subject, outcome);
		const patchset = known(subject);
		switch (outcome.kind) {
			case 'done':
			case 'needless':
			case 'leftAlone':
			case 'queued':
			case 'notTried':
				return tellBriefly(
					patchset && outcome.kind !== 'notTried'
						? vscode.l10n.t('{0} ({1}): {2}', visibleLine(patchset.subject), whichText(subject, patchset), text)
						: text,
				);
			case 'unread':
			case 'refused':
				if (outcome.kind === 'unread' || !isBareRefusal(outcome.error)) {
					throw outcome.error;
				}
				return tellWithPage(text, subject, outcome.error);
			case 'missing':
			case 'unclear':
				return tellWithPage(text, subject, outcome.error);
		}
	}

	const bulk = bulkChanges<PatchsetSubject, StatusWish, StatusDone, StatusChange, SetStatus>({
		connections,
		problems,
		atOnce: 1,
		// Numbers of patchsets count on the whole server.
		nameOf: ({ connectionKey, ref }) => `${connectionKey} ${ref.id}`,
		counted: countedPatchsets,
		plan: async (key, items) =>
			connections
				.byKey(key)
				?.lists.planStatuses(items.map(({ subject: { ref }, wish: { status } }) => ({ ref, status }))),
		send: ({ subject, wish }, signal) =>
			connectionOf(connections, subject).lists.setStatus(subject.ref, wish.status, signal),
		write,
		changeOf,
		isAsWanted: () => true,
		outcomeText: ({ subject }, outcome) => outcomeText(subject, outcome),
		row: (subject) => ({
			label: visibleLine(known(subject)?.subject ?? `${subject.ref.id}`),
			description: numberText(subject),
		}),
		open: (subject) => vscode.commands.executeCommand('forge.patchsets.open', subject),
		tellOne,
		undo: {
			checking: vscode.l10n.t('Loading patchsets…'),
			async undoing({ subject, before, after }, signal) {
				const { status } = await connectionOf(connections, subject).lists.renewPatchset(subject.ref, signal);
				return status === after ? { kind: 'wish', wish: { status: before, expected: after } } : { kind: 'settled' };
			},
			asksFromNotice: true,
			isMeant: (items) =>
				confirm(
					items.length === 1
						? vscode.l10n.t('Undo the status change of 1 patchset?')
						: vscode.l10n.t('Undo the status changes of {0} patchsets?', items.length),
					namesText(
						items.map(({ subject, wish }) =>
							vscode.l10n.t('{0} back to {1}', questionText(subject, known(subject)), statusLook(wish.status).text),
						),
					),
					vscode.l10n.t('Undo'),
				),
			result: (_, count) => vscode.l10n.t('Undid status changes on {0}.', count),
			tellNothing([failed]) {
				if (failed?.outcome.kind === 'unread') {
					throw failed.outcome.error;
				}
				tellBriefly(vscode.l10n.t('Nothing was undone: someone has changed the status since.'));
			},
		},
	});

	return {
		...bulk,
		connections,
		outcomeText,
		/** Reports interrupted status changes and offers Continue and Undo. */
		async resumeAll({ key: connectionKey, journal }: Connection, left: readonly BulkPart[], signal: AbortSignal) {
			const all = left.flatMap((part) => {
				const { write: of } = part.entry;
				if (of.kind !== 'patchsetStatus') {
					return [];
				}
				const { ref, status, before } = of;
				const item = { subject: { kind: 'patchset', connectionKey, ref }, wish: { status } } as const;
				const change = before === undefined || before === status ? undefined : { ...item, before, after: status };
				return [{ ...part, item, change }];
			});
			const job = {
				...statusJob([], (count) => vscode.l10n.t('Set the status of {0}.', count)),
				stopped: (count: string) => vscode.l10n.t('The status was set on {0} when the window closed.', count),
			};
			await bulk.resume(journal, all, job, signal);
		},
	};
}

export function statusJob(items: readonly StatusItem[], result: (counted: string) => string) {
	const heading = vscode.l10n.t('Setting the status…');
	return { heading, undoing: heading, items, result } satisfies BulkJob<PatchsetSubject, StatusWish, StatusDone>;
}

function changeOf({ item: { subject, wish }, outcome }: BulkResult<PatchsetSubject, StatusWish, StatusDone>) {
	if (outcome.kind !== 'done') {
		return undefined;
	}
	const { before, patchset } = outcome;
	return before === undefined ||
		before === 'unknown' ||
		before === patchset.status ||
		patchset.status === 'none' ||
		before === 'none'
		? undefined
		: { subject, wish, before, after: patchset.status };
}

/** "3 patchsets" or "2 of 3 patchsets". */
function countedPatchsets(done: number, all: number): string {
	if (done < all) {
		return vscode.l10n.t('{0} of {1} patchsets', done, all);
	}
	return all === 1 ? vscode.l10n.t('1 patchset') : vscode.l10n.t('{0} patchsets', all);
}

/** Short name for a question with several patchsets, which the editor neither wraps well nor scrolls. */
export function questionText(subject: PatchsetSubject, patchset: Patchset | undefined): string {
	return patchset
		? vscode.l10n.t('"{0}" ({1})', shortLine(patchset.subject, longestName), whichText(subject, patchset))
		: numberText(subject);
}

/** Distinguishes versions with the same subject: `v2 · devel #12` */
export function whichText(subject: PatchsetSubject, { version }: Patchset): string {
	return `v${version} · ${numberText(subject)}`;
}

function numberText({ ref }: PatchsetSubject): string {
	return isNumbered(ref.id) ? `${visibleLine(ref.list.name)} #${ref.id}` : visibleLine(ref.list.name);
}
