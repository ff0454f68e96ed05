import type { TicketWriting } from './ticketWriting.ts';
import { Emitter } from '@forge-desk/base/event.ts';
import type { TicketMails } from 'sourcehut/port/forge.ts';
import type { Subscribable } from 'sourcehut/port/subscribable.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import { ticketRefText } from 'sourcehut/port/ticket.ts';
import { sendOnce } from '../../shared/sentOnce.ts';
import { planWrites } from '../../shared/writeJournal.ts';
import type { WriteOf } from '../../shared/writeRecord.ts';

/** Mail subscriptions to trackers and tickets. */
export type TicketSubscriptions = ReturnType<typeof ticketSubscriptions>;

/** `ending` aborts checks after lost responses. */
export function ticketSubscriptions({ api, journal }: TicketWriting, ending: AbortSignal) {
	const states = new Map<string, boolean>();
	const changed = new Emitter<Subscribable>();

	function mails(): TicketMails {
		if (!api.subscriptions) {
			throw new ForgeError({ kind: 'notOffered' });
		}
		return api.subscriptions;
	}

	function learn(to: Subscribable, isSo: boolean): void {
		if (states.get(keyOf(to)) !== isSo) {
			states.set(keyOf(to), isSo);
			changed.fire(to);
		}
	}

	async function read(to: Subscribable, signal: AbortSignal): Promise<boolean> {
		const isSo = await mails().isSubscribed(to, signal);
		learn(to, isSo);
		return isSo;
	}

	const set = sendOnce<'ticketMails', unknown>(journal, 'ticketMails', async ({ to, isWanted }, looking) =>
		(await read(to, looking)) === isWanted ? true : undefined,
	);

	async function write(of: WriteOf<'ticketMails'>, signal: AbortSignal, from?: string): Promise<void> {
		const { to, isWanted } = of;
		await set(of, (sending) => mails().setSubscribed(to, isWanted, sending), { signal, looking: ending, from });
		learn(to, isWanted);
	}

	return {
		/** No request; `undefined` before the first read. */
		known: (to: Subscribable) => states.get(keyOf(to)),
		read,
		set: (to: Subscribable, isWanted: boolean, signal: AbortSignal) =>
			write({ kind: 'ticketMails', to, isWanted }, signal),
		/** Journals a bulk change before its first request. */
		plan: (all: readonly Subscribable[], isWanted: boolean) =>
			planWrites(
				journal,
				all.map((to) => ({ kind: 'ticketMails', to, isWanted }) as const),
				(of, from, signal) => write(of, signal, from),
			),
		onDidChange: changed.event,
	};
}

function keyOf(to: Subscribable): string {
	return (to.kind === 'tracker' ? refText(to.ref) : ticketRefText(to.ref)).toLowerCase();
}
