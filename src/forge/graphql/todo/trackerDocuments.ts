import * as v from 'valibot';
import { below } from '../door/below.ts';
import { cursorPage } from '../door/cursorPage.ts';
import { graphql } from '../door/document.ts';
import { id } from '../door/variables.ts';
import { label, tracker } from './todoAnswers.ts';
import { labelFields, trackerFields } from './todoPieces.ts';

const reading = { area: 'todo', scope: 'trackers:read' } as const;
const writing = { area: 'todo', scope: 'trackers:write' } as const;

/** Writes select only the id: another field may fail after the write succeeded. */
const written = v.object({ id });

/** A user's trackers; `undefined` for a user that the service doesn't know. */
export const listTrackers = {
	...reading,
	document: graphql(`query Trackers($owner: String!, $cursor: Cursor) { # Query
		user(username: $owner) { # User
			trackers(cursor: $cursor) { # TrackerCursor
				cursor
				results { # Tracker
					${trackerFields}
				}
			}
		}
	}`),
	read: below(['user', 'trackers'], cursorPage(tracker)),
};

/** `undefined` if the tracker doesn't exist or the account can't see it. */
export const readTracker = {
	...reading,
	document: graphql(`query Tracker($owner: String!, $name: String!) { # Query
		user(username: $owner) { # User
			tracker(name: $name) { # Tracker
				${trackerFields}
			}
		}
	}`),
	read: below(['user', 'tracker'], tracker),
};

export const createTracker = {
	...writing,
	document: graphql(`
		mutation CreateTracker($name: String!, $description: String, $visibility: Visibility!) {
			# Mutation
			createTracker(name: $name, description: $description, visibility: $visibility) {
				# Tracker
				id
			}
		}
	`),
	read: below(['createTracker'], written),
};

export const updateTracker = {
	...writing,
	document: graphql(`
		mutation UpdateTracker($id: Int!, $input: TrackerInput!) {
			# Mutation
			updateTracker(id: $id, input: $input) {
				# Tracker
				id
			}
		}
	`),
	read: below(['updateTracker'], written),
};

export const deleteTracker = {
	...writing,
	document: graphql(`
		mutation DeleteTracker($id: Int!) {
			# Mutation
			deleteTracker(id: $id) {
				# Tracker
				id
			}
		}
	`),
	read: below(['deleteTracker'], written),
};

export const listLabels = {
	...reading,
	document: graphql(`query Labels($owner: String!, $name: String!, $cursor: Cursor) { # Query
		user(username: $owner) { # User
			tracker(name: $name) { # Tracker
				labels(cursor: $cursor) { # LabelCursor
					cursor
					results ${labelFields}
				}
			}
		}
	}`),
	read: below(['user', 'tracker', 'labels'], cursorPage(label)),
};

export const createLabel = {
	...writing,
	document: graphql(`
		mutation CreateLabel($trackerId: Int!, $name: String!, $text: String!, $background: String!) {
			# Mutation
			createLabel(trackerId: $trackerId, name: $name, foregroundColor: $text, backgroundColor: $background) {
				# Label
				id
			}
		}
	`),
	read: below(['createLabel'], written),
};

export const updateLabel = {
	...writing,
	document: graphql(`
		mutation UpdateLabel($id: Int!, $input: UpdateLabelInput!) {
			# Mutation
			updateLabel(id: $id, input: $input) {
				# Label
				id
			}
		}
	`),
	read: below(['updateLabel'], written),
};

export const deleteLabel = {
	...writing,
	document: graphql(`
		mutation DeleteLabel($id: Int!) {
			# Mutation
			deleteLabel(id: $id) {
				# Label
				id
			}
		}
	`),
	read: below(['deleteLabel'], written),
};

/** Finds a label by name; `undefined` if the tracker has none. */
export const findLabel = {
	...reading,
	document: graphql(`query Label($owner: String!, $name: String!, $label: String!) { # Query
		user(username: $owner) { # User
			tracker(name: $name) { # Tracker
				label(name: $label) ${labelFields}
			}
		}
	}`),
	read: below(['user', 'tracker', 'label'], label),
};
