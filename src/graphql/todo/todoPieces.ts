import type { TypeField } from '../door/document.ts';

/*
 * What documents of the ticket service ask for again and again. Pieces are put together as text, and each opening brace
 * says whose fields follow (`graphql`).
 */

const entityFields = `{ # Entity
	__typename
	canonicalName
	... on EmailAddress { mailbox name }
	... on ExternalUser { externalId externalUrl }
}`;

/** What tickets need to know of the tracker that they are in. */
export const trackerAroundFields = `
	id
	created
	updated
	name
	owner ${entityFields}
	acl { # ACL
		browse submit comment edit triage
	}`;

/** A tracker as it is shown. */
export const trackerFields = `${trackerAroundFields}
	rid
	description
	visibility`;

export const labelFields = '{ # Label\nname created foregroundColor backgroundColor }';

export const ticketFields = `
	id
	ref
	created
	updated
	subject
	body
	status
	resolution
	submitter ${entityFields}
	labels { # Label
		name
	}
	assignees ${entityFields}`;

/** The ticket at the other end of a mention. Only its name is shown, so its tracker's rights are not asked for. */
const mentioningTicket = `{ # Ticket
	id ref subject
	tracker { # Tracker
		id created updated name
		owner { # Entity
			canonicalName
		}
	}
}`;

/** It may be in a tracker that others may not see, and is shown without its name then. */
export const eventsWithout: readonly TypeField[] = [{ type: 'TicketMention', field: 'ticket' }];

export const eventFields = `
	id
	created
	changes { # EventDetail
		eventType
		... on Created { author ${entityFields} }
		... on Comment { author ${entityFields} text }
		... on StatusChange { editor ${entityFields} oldStatus newStatus oldResolution newResolution }
		... on LabelUpdate { labeler ${entityFields} label { # Label
			name
		} }
		... on Assignment { assigner ${entityFields} assignee ${entityFields} }
		... on UserMention { author ${entityFields} mentioned ${entityFields} }
		... on TicketMention { author ${entityFields} ticket ${mentioningTicket} }
	}`;
