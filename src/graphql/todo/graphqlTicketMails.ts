import type { TicketMails } from '../../forge/forge.ts';
import type { Subscribable } from '../../forge/subscribable.ts';
import { isForgeError } from '../../forge/forgeError.ts';
import { orNotFound } from '../door/listed.ts';
import { byName } from '../door/variables.ts';
import {
	ticketSubscribe,
	ticketSubscription,
	ticketUnsubscribe,
	trackerSubscribe,
	trackerSubscription,
	trackerUnsubscribe,
} from './subscriptionDocuments.ts';
import { written, type TodoParts } from './todoParts.ts';
import { inTicket } from './variables.ts';

/** Subscriptions to ticket mails over GraphQL. */
export function graphqlTicketMails(parts: TodoParts): TicketMails {
	const { caller, ids } = parts;

	async function isSubscribed(to: Subscribable, signal: AbortSignal): Promise<boolean> {
		return orNotFound(
			to.kind === 'tracker'
				? await caller.ask(trackerSubscription, byName(to.ref), signal)
				: await caller.ask(ticketSubscription, inTicket(to.ref), signal),
		);
	}

	async function send(to: Subscribable, isWanted: boolean, signal: AbortSignal): Promise<void> {
		const ref = to.kind === 'tracker' ? to.ref : to.ref.tracker;
		const trackerId = await ids.current(ref, signal);
		const work =
			to.kind === 'tracker'
				? caller.ask(isWanted ? trackerSubscribe : trackerUnsubscribe, { trackerId }, signal)
				: caller.ask(
						isWanted ? ticketSubscribe : ticketUnsubscribe,
						{ trackerId, ticketId: inTicket(to.ref).id },
						signal,
					);
		await written(parts, { ref, work }, signal);
	}

	return {
		isSubscribed,
		async setSubscribed(to, isWanted, signal) {
			try {
				await send(to, isWanted, signal);
			} catch (error) {
				// Ending an ended subscription reports "not found" (docs/protocol.md#ticket-subscriptions).
				const isUnsure = isForgeError(error) && ['notFound', 'notAllowed'].includes(error.problem.kind);
				if (!isUnsure || isWanted || (await isSubscribed(to, signal))) {
					throw error;
				}
			}
		},
	};
}
