import { gzipSync } from 'node:zlib';
import type { Answer, User } from '../../shared/area.ts';
import type { TicketRoom } from '../../tickets/ticketRoom.ts';
import { goJson } from '../goJson.ts';
import { time } from '../scalars.ts';
import { sees, finds } from './todoAccess.ts';

/**
 * A tracker as a file, for everyone who may find the tracker, although the schema limits it to owners. Otherwise an
 * empty 500 (docs/protocol.md#rights-in-graphql). `undefined` for another path.
 */
export function exportedTracker({ store }: TicketRoom, path: string, user: User): Answer | undefined {
	const id = /^\/query\/tracker\/(\d+)\.json\.gz$/.exec(path)?.[1];
	if (id === undefined) {
		return undefined;
	}
	const headers = {
		'Content-Disposition': 'attachment; filename="tracker.json.gz"',
		'Content-Type': 'application/gzip',
	};
	const tracker = store.trackers.find((each) => String(each.id) === id);
	if (tracker === undefined || !finds(user, tracker)) {
		return { status: 500, headers, body: '' };
	}
	const tickets = tracker.tickets
		.filter((ticket) => sees(user, ticket))
		.map((ticket) => ({
			id: ticket.number,
			created: time(ticket.createdMs),
			subject: ticket.title,
			body: ticket.description,
			status: ticket.status,
			resolution: ticket.resolution,
			labels: [...ticket.labels].map(({ name }) => name),
		}));
	const { name, labels } = tracker;
	const told = { id: tracker.id, name, labels: labels.map((label) => ({ name: label.name })), tickets };
	return { status: 200, headers, body: gzipSync(goJson(told)) };
}
