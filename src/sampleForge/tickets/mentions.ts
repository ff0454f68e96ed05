import type { User, Users } from '../shared/area.ts';
import { findTicket, type Ticket, type Tracker } from './ticketModel.ts';

interface Where {
	readonly trackers: readonly Tracker[];
	readonly users: Users;
	readonly here: Ticket;
}

interface Mentions {
	readonly users: readonly User[];
	readonly tickets: readonly Ticket[];
}

const pattern = /(?<![\w/#~])(?:~([a-z_][a-z0-9_-]*)(?:\/([A-Za-z0-9._-]+))?)?(?:#(\d+))?/g;

/** Fenced blocks and code within a line: a stack trace mentions nobody. */
const code = /```[\s\S]*?```|`[^`\n]*`/g;

/** `~user`, `~owner/tracker#12` and `#12` of a text, each once, the ticket itself and unknown ones left out. */
export function findMentions(text: string, { trackers, users, here }: Where): Mentions {
	const people = new Set<User>();
	const tickets = new Set<Ticket>();
	for (const [, ownerName, trackerName, number] of text.replaceAll(code, ' ').matchAll(pattern)) {
		const owner = ownerName === undefined ? undefined : users.byName(ownerName);
		if (number === undefined) {
			if (owner !== undefined && trackerName === undefined) {
				people.add(owner);
			}
			continue;
		}
		const tracker =
			trackerName === undefined
				? here.tracker
				: trackers.find((candidate) => candidate.owner === owner && candidate.name === trackerName);
		const ticket = tracker === undefined ? undefined : findTicket(tracker, Number(number));
		if (ticket !== undefined && ticket !== here) {
			tickets.add(ticket);
		}
	}
	return { users: [...people], tickets: [...tickets] };
}
