import type { TrackerApi } from '../../forge/forge.ts';
import type { GraphqlCaller } from '../door/graphqlCaller.ts';
import { listed, orNotFound, readBack } from '../door/listed.ts';
import { graphqlBulk } from './graphqlBulk.ts';
import { graphqlLabels } from './graphqlLabels.ts';
import { graphqlTicketMails } from './graphqlTicketMails.ts';
import { graphqlTickets } from './graphqlTickets.ts';
import { readTicket, submitTicket } from './ticketDocuments.ts';
import { checkedTitle, written, type TodoParts } from './todoParts.ts';
import {
	createTracker,
	deleteTracker,
	listLabels,
	listTrackers,
	readTracker,
	updateTracker,
} from './trackerDocuments.ts';
import { trackerIds } from './trackerIds.ts';
import { inTicket } from './variables.ts';
import { bareName, byName } from '../door/variables.ts';

/** Trackers and tickets over GraphQL. */
export function graphqlTrackers(caller: GraphqlCaller): TrackerApi {
	const { ask, me } = caller;
	const ids = trackerIds(caller);
	const parts: TodoParts = { caller, ids };
	return {
		...graphqlTickets(parts),
		inBulk: graphqlBulk(parts),
		labelMaking: graphqlLabels(parts),
		subscriptions: graphqlTicketMails(parts),
		trackers: (owner, signal) =>
			listed(
				{
					fetch: (cursor, pageSignal) => ask(listTrackers, { owner: bareName(owner ?? me), cursor }, pageSignal),
					key: ({ name }) => name,
				},
				signal,
			),
		async tracker(ref, signal) {
			const tracker = orNotFound(await ask(readTracker, byName(ref), signal));
			ids.told(ref, { trackerId: tracker.id });
			return tracker;
		},
		async create({ name, description, visibility }, signal) {
			// The API requires a visibility; public is the default of the REST generation.
			const wanted = { name, description, visibility: (visibility ?? 'public').toUpperCase() };
			orNotFound(await ask(createTracker, wanted, signal));
			return readBack(ask(readTracker, byName({ owner: me, name }), signal));
		},
		async update(ref, description, signal) {
			const id = await ids.current(ref, signal);
			const input = { description: description === '' ? null : description };
			await written(parts, { ref, work: ask(updateTracker, { id, input }, signal) }, signal);
			return readBack(ask(readTracker, byName(ref), signal));
		},
		async remove(ref, signal) {
			const id = await ids.current(ref, signal);
			await written(parts, { ref, work: ask(deleteTracker, { id }, signal) }, signal);
			ids.forget(ref);
		},
		labels: (ref, signal) =>
			listed(
				{
					fetch: (cursor, pageSignal) => ask(listLabels, { ...byName(ref), cursor }, pageSignal),
					key: ({ name }) => name,
				},
				signal,
			),
		async submit(ref, { title, description }, signal) {
			const subject = checkedTitle(title);
			const trackerId = await ids.current(ref, signal);
			const input = { subject, body: description === '' ? null : description };
			const work = ask(submitTicket, { trackerId, input }, signal);
			const { id } = await written(parts, { ref, work }, signal);
			const { ticket, ...told } = await readBack(ask(readTicket, inTicket({ tracker: ref, id }), signal));
			ids.told(ref, told);
			return ticket;
		},
	};
}
