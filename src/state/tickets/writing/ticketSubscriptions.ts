import { Emitter, type Event } from '../../../base/event.ts';
import type { TicketMails, TrackerApi } from '../../../forge/forge.ts';
import type { Subscribable } from '../../../forge/subscribable.ts';
import { ForgeError } from '../../../forge/forgeError.ts';
import { refText } from '../../../forge/namedRef.ts';
import { ticketRefText } from '../../../forge/ticket.ts';
import { sendOnce } from '../../shared/sentOnce.ts';
import type { WriteJournal } from '../../shared/writeJournal.ts';

/** Of which trackers and tickets the forge tells the account by mail, as far as that was read. */
export interface TicketSubscriptions {
	/** Without asking; `undefined` where nobody has asked yet. */
	known(to: Subscribable): boolean | undefined;
	read(to: Subscribable, signal: AbortSignal): Promise<boolean>;
	set(to: Subscribable, isWanted: boolean, signal: AbortSignal): Promise<void>;
	readonly onDidChange: Event<Subscribable>;
}

/** `ending`: when nobody looks any more for what was sent. */
export function ticketSubscriptions(
	{ api, journal }: { readonly api: Pick<TrackerApi, 'subscriptions'>; readonly journal: WriteJournal },
	ending: AbortSignal,
): TicketSubscriptions {
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

	return {
		known: (to) => states.get(keyOf(to)),
		read,
		async set(to, isWanted, signal) {
			await set({ kind: 'ticketMails', to, isWanted }, (sending) => mails().setSubscribed(to, isWanted, sending), {
				signal,
				looking: ending,
			});
			learn(to, isWanted);
		},
		onDidChange: changed.event,
	};
}

function keyOf(to: Subscribable): string {
	return (to.kind === 'tracker' ? refText(to.ref) : ticketRefText(to.ref)).toLowerCase();
}
