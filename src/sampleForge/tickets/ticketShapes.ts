import { stamp } from '../shared/answers.ts';
import type { Dialect } from '../shared/dialect.ts';
import { showShortUser } from '../identity/users.ts';
import type { Comment, Label, Person, Resolution, Status, Ticket, TicketEvent, Tracker } from './ticketModel.ts';

/** Resources of the ticket area in one dialect, with the observed field order. */
export type TicketShapes = ReturnType<typeof createTicketShapes>;

export function createTicketShapes(dialect: Dialect) {
	const shortTracker = ({ id, owner, createdMs, updatedMs, name }: Tracker): object => ({
		...(dialect.containerIds ? { id } : {}),
		owner: showShortUser(owner),
		created: stamp(createdMs),
		updated: stamp(updatedMs),
		name,
	});
	const shortTicket = (ticket: Ticket): object => ({
		id: ticket.number,
		ref: refOf(ticket),
		tracker: shortTracker(ticket.tracker),
		...(dialect.ticketTitleInShortForm ? { title: ticket.title } : {}),
	});
	const shortComment = ({ id, createdMs, submitter, text }: Comment): object => ({
		id,
		created: stamp(createdMs),
		submitter: showPerson(dialect, submitter),
		text,
	});
	return {
		tracker: (tracker: Tracker) => ({
			...shortTracker(tracker),
			description: tracker.description,
			default_permissions: tracker.permissions,
		}),
		label: (tracker: Tracker, { name, background, text, createdMs }: Label) => ({
			name,
			colors: { background, text },
			created: stamp(createdMs),
			tracker: shortTracker(tracker),
		}),
		ticket: (ticket: Ticket) => ({
			id: ticket.number,
			ref: refOf(ticket),
			tracker: shortTracker(ticket.tracker),
			title: ticket.title,
			created: stamp(ticket.createdMs),
			updated: stamp(ticket.updatedMs),
			submitter: showPerson(dialect, ticket.submitter),
			description: ticket.description,
			status: ticket.status,
			resolution: ticket.resolution,
			permissions: ticket.permissions,
			labels: Array.from(ticket.labels, ({ name }) => name).toSorted(),
			assignees: ticket.assignees.map(showShortUser),
		}),
		comment: (comment: Comment) => ({ ...shortComment(comment), ticket: shortTicket(comment.ticket) }),
		event: (event: TicketEvent) => ({
			id: event.id,
			created: stamp(event.createdMs),
			event_type: event.types,
			...showChange(dialect, event),
			user: event.user === null ? null : showPerson(dialect, event.user),
			ticket: event.ticket === null ? null : shortTicket(event.ticket),
			comment: event.comment === null ? null : shortComment(event.comment),
			label: showEventLabel(dialect, event.label?.name ?? null),
			by_user: event.byUser === null ? null : showPerson(dialect, event.byUser),
			from_ticket: event.fromTicket === null ? null : shortTicket(event.fromTicket),
		}),
	};
}

/** `~alice/lantern#7`. */
export function refOf({ tracker, number }: Ticket): string {
	return `~${tracker.owner.name}/${tracker.name}#${number}`;
}

function showChange(dialect: Dialect, { change }: TicketEvent): object {
	const word = <T extends Status | Resolution>(value: T | undefined): T | null => {
		const hidden = dialect.nullStatuses && (value === 'reported' || value === 'unresolved');
		return value === undefined || hidden ? null : value;
	};
	return {
		old_status: word(change?.oldStatus),
		old_resolution: word(change?.oldResolution),
		new_status: word(change?.newStatus),
		new_resolution: word(change?.newResolution),
	};
}

function showEventLabel(dialect: Dialect, label: string | null): string | readonly string[] | null {
	return label === null || dialect.eventLabelString ? label : [label];
}

/** A participant (docs/protocol.md#participants). The document allows only short-form users, so others imitate one. */
function showPerson(dialect: Dialect, person: Person): object {
	switch (person.kind) {
		case 'user': {
			return dialect.participants ? { type: 'user', ...showShortUser(person.user) } : showShortUser(person.user);
		}
		case 'email': {
			const { address, name } = person;
			return dialect.participants ? { type: 'email', address, name } : { canonical_name: address, name };
		}
		case 'external': {
			const { externalId, url } = person;
			return dialect.participants
				? { type: 'external', external_id: externalId, external_url: url }
				: { canonical_name: externalId, name: externalId.slice(externalId.indexOf(':') + 1) };
		}
	}
}
