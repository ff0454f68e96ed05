import type { TypeField } from '../door/document.ts';

/*
 * Fragments of the ticket service's documents, joined as text. A comment after each opening brace names the type
 * (`graphql`).
 */

const entityFields = `{ # Entity
	__typename
	canonicalName
	... on EmailAddress { mailbox name }
	... on ExternalUser { externalId externalUrl }
}`;

/** The fields of a ticket's tracker. */
export const trackerAroundFields = `
	id
	created
	updated
	name
	owner ${entityFields}
	acl { # ACL
		browse submit comment edit triage
	}`;

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

/** The other ticket of a mention. The timeline shows only its name, so the query omits its tracker's permissions. */
const mentioningTicket = `{ # Ticket
	id ref subject
	tracker { # Tracker
		id created updated name
		owner { # Entity
			canonicalName
		}
	}
}`;

/** The mentioning ticket may be in a hidden tracker. Then the timeline shows the mention without its name. */
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
