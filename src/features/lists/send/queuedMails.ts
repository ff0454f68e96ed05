import * as vscode from 'vscode';
import { Disposables, onDispose } from '@forge-desk/base/lifecycle.ts';
import { again, afterInterruption, afterLook, type MailOfMany } from 'patchmail/review/sending.ts';
import type { Connection } from '../../../store/connection.ts';
import { findMail } from '../../../store/lists/findMail.ts';
import type { HeldMails, MailsOf, QueuedMails } from '../../../store/outbox/mailOutbox.ts';
import type { Drain } from '../../../store/outbox/sending/drain.ts';
import type { ListsContext } from '../context/listsContext.ts';
import { sendInTurn, type MailOrigin } from './sendInTurn.ts';

/** The drafts of queued mails; `undefined` if they are gone. */
export type OriginOf = (connection: Connection, of: MailsOf) => MailOrigin | undefined;

/** A mail missing on its list after this time may be lost. */
const soonestDoubtMs = 5 * 60_000;

/** True if a window may send it without a question. */
export function isSendable({ progress }: QueuedMails): boolean {
	return progress.kind === 'waiting' || progress.kind === 'underWay';
}

/**
 * Sends queued mails as soon as the mail server can be reached, and only as the user confirmed them. Stops if the drafts
 * changed since, if a mail may have been sent already, and after a refusal.
 */
export function queuedMails(
	context: ListsContext,
	originOf: OriginOf,
	stopped: (connection: Connection, item: QueuedMails) => void,
) {
	const { connections, mailer, clock } = context;
	const owned = new Disposables();
	const drains = new Map<Connection, Drain>();
	owned.add(onDispose(() => drains.forEach((each) => each.dispose())));
	owned.add(connections.onDidChange(follow));
	follow();

	/** Keeps the drains of accounts that stay: ending one stops a mail on its way. */
	function follow(): void {
		const all = connections.all();
		for (const [connection, own] of drains) {
			if (!all.includes(connection)) {
				drains.delete(connection);
				own.dispose();
			}
		}
		for (const connection of all.filter((each) => !drains.has(each))) {
			// All windows may send, because the polling one may be untrusted. They exclude each other by holding.
			const own = connection.drainMails(
				() => mailer.isTrusted(),
				isSendable,
				({ id }) => id,
				(held, signal) => sendOne(connection, held, signal),
			);
			drains.set(connection, own);
		}
	}

	/** Resolves to true when the mails have left the queue. */
	async function sendOne(connection: Connection, held: HeldMails, signal: AbortSignal): Promise<boolean> {
		const item = held.item();
		const origin = originOf(connection, item.of);
		if (origin?.texts() !== item.confirmed) {
			return stop(connection, held, { kind: 'changed' });
		}
		const plan = await settled(connection, withKept(item.plan, origin.kept()), item, signal);
		if (!plan) {
			// Lists take a minute or two to show a mail.
			const isEarly = item.progress.kind === 'underWay' && clock.nowMs() - item.progress.sinceMs < soonestDoubtMs;
			return isEarly ? false : stop(connection, held, { kind: 'unsure' });
		}
		const byId = new Map(item.mails.map((mail) => [mail.messageId, mail]));
		let isAsked = false;
		await held.change({ plan, progress: { kind: 'underWay', sinceMs: clock.nowMs() } });
		const result = await sendInTurn(
			context,
			{
				source: (id) => byId.get(id),
				kind: item.kind,
				clone: item.clone,
				plan,
				known: plan,
				async keep(now) {
					await held.change({ plan: now });
					await origin.keep(now);
				},
				wentOut: origin.wentOut,
			},
			async () => {
				isAsked = true;
				return undefined;
			},
			signal,
		);
		const { now, isAway } = result;
		if (now.some(({ progress }) => progress.kind === 'sent')) {
			await origin.finish(now);
		}
		if (now.every(({ progress }) => progress.kind === 'sent')) {
			held.remove();
			await origin.allSent(now, signal);
			return true;
		}
		if (now.some(({ progress }) => progress.kind === 'unsure' || progress.kind === 'underWay')) {
			await held.change({ progress: { kind: 'underWay', sinceMs: clock.nowMs() } });
			return false;
		}
		if (isAway || signal.aborted) {
			await held.change({ plan: now, confirmed: origin.texts(), progress: { kind: 'waiting' } });
			return false;
		}
		const reason = isAsked
			? vscode.l10n.t('Git asks a question, such as for a password. Send it yourself to reply.')
			: result.why;
		return stop(connection, held, { kind: 'refused', reason });
	}

	async function stop(connection: Connection, held: HeldMails, progress: QueuedMails['progress']): Promise<false> {
		await held.change({ progress });
		stopped(connection, held.item());
		return false;
	}

	return {
		sendNow: async (connection: Connection, signal: AbortSignal) => drains.get(connection)?.sendNow(signal),
		dispose: () => owned.dispose(),
	};
}

/**
 * The plan after the look for mails in doubt. `undefined` if the list lacks one: it may still be on its way, or lost.
 */
async function settled(
	{ lists }: Connection,
	plan: readonly MailOfMany[],
	{ list }: QueuedMails,
	signal: AbortSignal,
): Promise<readonly MailOfMany[] | undefined> {
	let now = again(afterInterruption(plan));
	for (const { messageId, progress } of now) {
		if (progress.kind === 'unsure') {
			if (!(await findMail(lists, { messageId, list }, signal))) {
				return undefined;
			}
			now = afterLook(now, messageId, true);
		}
	}
	return now;
}

/** Another window may have sent some, and ended before it removed the item. */
function withKept(plan: readonly MailOfMany[], kept: readonly MailOfMany[]): readonly MailOfMany[] {
	const known = new Map(kept.map((mail) => [mail.messageId, mail.progress]));
	return plan.map((mail) => {
		const before = known.get(mail.messageId);
		const isNewer = before && mail.progress.kind !== 'sent' && before.kind !== 'waiting' && before.kind !== 'notSent';
		return isNewer ? { ...mail, progress: before } : mail;
	});
}
