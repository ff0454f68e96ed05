import { randomUUID } from 'node:crypto';
import type { Ticket, TicketEvent } from '../../../../../src/sampleForge/tickets/ticketModel.ts';
import type { TicketListener } from '../../../../../src/sampleForge/tickets/ticketHooks.ts';
import { guardOf } from '../caller.ts';
import { mostPoints } from '../door.ts';
import type { Outcome, Question } from '../engine.ts';
import { goJson } from '../goJson.ts';
import type { Hook, HookDelivery } from '../hookBook.ts';
import { time } from '../scalars.ts';
import { type Asking, describeEvent, describeTicket, describeTracker, showLabel } from './todoShapes.ts';

/** What webhooks are told with. */
export interface HookSending {
	readonly askingOf: (hook: Pick<Hook<unknown>, 'user' | 'grant'>) => Asking;
	readonly query: (asking: Asking) => Question['query'];
}

type Payload = (asking: Asking) => object;

/** Tells each webhook what happened: its own query is asked in the name of who made it (docs/protocol.md#graphql-webhooks). */
export function createHookSending(
	{ hooks, schema, room }: Pick<Asking, 'hooks' | 'schema' | 'room'>,
	sending: HookSending,
): TicketListener {
	let count = 0;

	const ask = async (hook: Hook<unknown>, payload: object): Promise<string> => {
		const asking = sending.askingOf(hook);
		const outcome = await schema.run({
			document: hook.query,
			variables: {},
			operationName: undefined,
			query: { ...sending.query(asking), webhook: payload },
			mutation: () => ({}),
			guard: guardOf(room.context, 'todo', hook),
			mostPoints,
		});
		return goJson(answerOf(outcome));
	};

	const tell = (all: readonly Hook<unknown>[], event: string, typename: string, payload: Payload): void => {
		const uuid = randomUUID();
		const timeMs = room.context.nowMs();
		const common = { __typename: typename, uuid, event, date: time(timeMs) };
		for (const hook of all) {
			const number = ++count;
			// What a payload shows is what was there when it happened.
			const asked = ask(hook, { ...payload(sending.askingOf(hook)), ...common });
			const sent = room.context.webhooks.post(
				asked.then((body) => {
					const delivery: HookDelivery = { number, uuid, timeMs, event, requestBody: body, response: null };
					hook.deliveries.unshift(delivery);
					return { url: hook.url, event, id: uuid, body };
				}),
			);
			void sent.then((response) => {
				const delivery = hook.deliveries.find((each) => each.number === number);
				if (delivery !== undefined) {
					delivery.response = response;
				}
			});
		}
	};

	const toTicket = (ticket: Ticket, event: string): readonly Hook<unknown>[] => [
		...hooks.tracker.listening(ticket.tracker, event),
		...hooks.ticket.listening(ticket, event),
	];

	return {
		tracker(what, tracker) {
			const event = trackerWords[what];
			const all = [...hooks.user.listening(tracker.owner, event), ...hooks.tracker.listening(tracker, event)];
			tell(all, event, 'TrackerEvent', (asking) => ({ tracker: describeTracker(asking, tracker) }));
		},
		label(what, tracker, label) {
			const event = labelWords[what];
			const show: Payload = (asking) => ({ label: showLabel(asking, tracker, label) });
			tell(hooks.tracker.listening(tracker, event), event, 'LabelEvent', show);
		},
		ticketCreated(ticket) {
			const event = 'TICKET_CREATED';
			const { submitter } = ticket;
			const own = submitter.kind === 'user' ? hooks.user.listening(submitter.user, event) : [];
			tell([...own, ...hooks.tracker.listening(ticket.tracker, event)], event, 'TicketEvent', (asking) => ({
				ticket: describeTicket(asking, ticket),
			}));
		},
		ticketUpdated(ticket) {
			tell(toTicket(ticket, 'TICKET_UPDATE'), 'TICKET_UPDATE', 'TicketEvent', (asking) => ({
				ticket: describeTicket(asking, ticket),
			}));
		},
		ticketDeleted(ticket) {
			const names = { trackerId: ticket.tracker.id, ticketId: ticket.number };
			tell(toTicket(ticket, 'TICKET_DELETED'), 'TICKET_DELETED', 'TicketDeletedEvent', () => names);
		},
		events(events: readonly TicketEvent[]) {
			for (const event of events) {
				// Mentions are not announced.
				if (event.ticket !== null && event.fromTicket === null) {
					tell(toTicket(event.ticket, 'EVENT_CREATED'), 'EVENT_CREATED', 'EventCreated', (asking) => ({
						newEvent: describeEvent(asking, event),
					}));
				}
			}
		},
	};
}

const trackerWords = {
	'tracker:create': 'TRACKER_CREATED',
	'tracker:update': 'TRACKER_UPDATE',
	'tracker:delete': 'TRACKER_DELETED',
} as const;

const labelWords = {
	'label:create': 'LABEL_CREATED',
	'label:update': 'LABEL_UPDATE',
	'label:delete': 'LABEL_DELETED',
} as const;

function answerOf(outcome: Outcome): object {
	if (outcome.kind === 'answered') {
		const { data, errors } = outcome;
		return errors.length === 0 ? { data } : { errors, data };
	}
	return { errors: outcome.kind === 'refused' ? outcome.errors : [], data: null };
}
